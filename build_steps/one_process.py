"""What several processes do in the same folder of `build/`: one after the other."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from build_steps.folders import BUILD

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def only_process(name: str) -> Iterator[None]:
    """Wait until no other process is in a context of that name, and keep the others waiting.

    A process that ends in any way lets the others go on. One that enters the same context twice
    waits for itself.
    """
    locks = BUILD / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / f"{name}.lock").open("w") as lock:
        # Where there are no such locks no test runs, and the build by itself is one process.
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415  # only there

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
