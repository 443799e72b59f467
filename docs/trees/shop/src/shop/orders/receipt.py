from dataclasses import dataclass

from shop.cart import Cart


@dataclass(frozen=True)
class Receipt:
    cart: Cart
    currency: str = "EUR"

    def lines(self) -> list[str]:
        return [f"{line.amount} x {line.sku}: {line.cents / 100:.2f}" for line in self.cart.lines]

    def total(self) -> str:
        return f"{self.cart.total() / 100:.2f} {self.currency}"
