"""Demos in documentation pages: what one says, what it answers, and how it is written down.

`demo` holds the value, `recording` asks the tool on CPython over the tree that
a browser would mount, `markup` writes the element, and `pages` finds the
elements of a page and fills them in. Nothing here starts a browser.
"""
