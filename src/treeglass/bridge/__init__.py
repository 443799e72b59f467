"""The only door between a page and the tools: JSON text in, JSON text out."""

from treeglass.bridge.bridge import Bridge

__all__ = ["Bridge"]
