"""The only door between a page and the tools: JSON text in, JSON text out.

A new method is its parameters in `params.py`, and a handler with a row of `METHODS` in
`methods.py`.
"""

from treeglass.bridge.bridge import Bridge

__all__ = ["Bridge"]
