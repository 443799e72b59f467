"""Looks at the clock while something is parsed, compiled or searched."""

from __future__ import annotations

from collections.abc import Callable

Checkpoint = Callable[[], None]
"""Raises what ends the work, such as `CallTimedOut` and `CallCancelled`."""


def no_check() -> None:
    """Look at no clock."""
