"""A user whom permission bits bind; they do not bind root."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from build_steps.programs import runs_as_root

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
