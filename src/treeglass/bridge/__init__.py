"""The only door between a page and the tools: JSON text in, JSON text out.

To add a method, write its parameters in `params.py`, and its handler and a row of `METHODS` in
`methods.py`.
"""

from treeglass.bridge.bridge import Bridge

__all__ = ["Bridge"]
