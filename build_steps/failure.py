"""The exception that ends a build."""

from __future__ import annotations


class BuildFailed(Exception):
    """The build cannot go on.

    The message is all that is printed: it says what is missing or wrong, and what to do about it.
    Nearly every function of the build may raise it, so a docstring names it only with a promise:
    what the message holds, or what stays as it was.
    """
