"""The only door between a page and the tools: JSON text in, JSON text out.

Adding a method is a row of `METHODS` in `methods.py`, and its handler.
"""

from treeglass.bridge.bridge import Bridge

__all__ = ["Bridge"]
