"""The one exception that ends a build."""

from __future__ import annotations


class BuildFailed(Exception):
    """A build that cannot go on: its message is what the person reads, and all of it.

    The message says what is missing or wrong and what to do about it.
    """
