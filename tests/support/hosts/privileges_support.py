"""A user whom permission bits bind; they do not bind root."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from build_steps.programs import runs_as_root

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOBODY = 65_534


@contextmanager
def without_privileges() -> Iterator[None]:
    """Be a user whom permissions bind while the context lasts."""
    if sys.platform == "win32" or not runs_as_root():
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
