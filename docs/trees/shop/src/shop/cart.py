"""What a customer is about to buy."""

from dataclasses import dataclass, field
from functools import cached_property

from shop import prices

MOST_LINES = 50


@dataclass(frozen=True)
class Line:
    sku: str
    amount: int

    @cached_property
    def cents(self) -> int:
        return prices.cents(self.sku) * self.amount


@dataclass
class Cart:
    lines: list[Line] = field(default_factory=list)
    voucher: "Cart.Voucher | None" = None

    # A voucher belongs to one cart, so its class lives inside.
    @dataclass(frozen=True)
    class Voucher:
        code: str
        percent: int

        def discount(self, cents: int) -> int:
            if not 0 < self.percent <= 100:
                raise ValueError(f"{self.code}: {self.percent} percent")
            return cents * self.percent // 100

    # Adding what is there already raises the amount.
    def add(self, sku: str, amount: int = 1) -> None:
        for position, line in enumerate(self.lines):
            if line.sku == sku:
                self.lines[position] = Line(sku, line.amount + amount)
                break
        else:
            if len(self.lines) >= MOST_LINES:
                raise ValueError("The cart is full.")
            self.lines.append(Line(sku, amount))

    @property
    def empty(self) -> bool:
        return not self.lines

    # The discount is taken once, from the sum.
    def total(self) -> int:
        cents = sum(line.cents for line in self.lines)
        if self.voucher is not None:
            cents -= self.voucher.discount(cents)
        return cents


def cart_of(*skus: str) -> Cart:
    cart = Cart()
    for sku in skus:
        cart.add(sku)
    return cart
