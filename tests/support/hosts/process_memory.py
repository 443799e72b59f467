"""How much memory a process holds, from what its system tells without a library."""

import os
import shutil
from pathlib import Path

from tests.support.programs import run

MIB = 1024 * 1024


def resident_bytes(pid: int) -> int | None:
    """Return the resident set of a running process, or None if this system does not tell it.

    Args:
        pid: A process of this user that has not been waited for.
    """
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
        return int(fields["VmRSS"].removesuffix("kB")) * 1024 if "VmRSS" in fields else None
    program = shutil.which("ps")
    if program is None:
        return None
    told = run(program, "-o", "rss=", "-p", str(pid)).stdout
    return int(told) * 1024 if told.strip().isdecimal() else None


CAN_MEASURE = resident_bytes(os.getpid()) is not None
"""True if this system tells the resident set of a process."""
