import unittest

from shop.cart import Cart, cart_of


class CartTest(unittest.TestCase):
    def test_a_cart_counts_what_it_holds_twice_on_one_line(self) -> None:
        self.assertEqual(len(cart_of("c-01", "c-01").lines), 1)

    def test_a_voucher_lowers_the_total(self) -> None:
        cart = cart_of("c-03")
        cart.voucher = Cart.Voucher("SPRING", 10)
        self.assertEqual(cart.total(), 549)


if __name__ == "__main__":
    unittest.main()
