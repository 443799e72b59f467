"""A list of what is in your kitchen."""

from larder.items import Item
from larder.store import Store

__all__ = ["Item", "Store"]
__version__ = "0.4.0"
