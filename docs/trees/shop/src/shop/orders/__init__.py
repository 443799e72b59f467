from shop.orders.receipt import Receipt

__all__ = ["Receipt"]
