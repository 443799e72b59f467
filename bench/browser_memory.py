"""What a browser's processes hold, from /proc; all None where there is none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")


class BrowserMemory(NamedTuple):
    """One look at the browsers that this process has started."""

    renderer_peak_bytes: int | None
    """Most that the largest renderer ever had resident (VmHWM)."""
    browser_share_bytes: int | None
    """What all processes hold now, shared pages counted once (PSS)."""


def look_at_browsers() -> BrowserMemory:
    """Return the memory of every browser process below this process."""
    if not (_PROC / "self" / "smaps_rollup").exists():
        return BrowserMemory(None, None)
    peaks, shares = [0], [0]
    for pid in _descendants(os.getpid()):
        # A process that Chromium's zygote forks has one text here, with blanks.
        command = _read(pid, "cmdline").replace("\0", " ")
        if "chrom" not in command.partition(" ")[0]:
            continue
        shares.append(_kib(_read(pid, "smaps_rollup"), "Pss") * 1024)
        if " --type=renderer " in command:
            peaks.append(_kib(_read(pid, "status"), "VmHWM") * 1024)
    return BrowserMemory(max(peaks), sum(shares))


def _descendants(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdecimal():
            parent = _kib(_read(int(entry.name), "status"), "PPid")
            children.setdefault(parent, []).append(int(entry.name))
    found, open_pids = [], [root]
    while open_pids:
        below = children.get(open_pids.pop(), [])
        found += below
        open_pids += below
    return found


def _read(pid: int, name: str) -> str:
    try:
        return (_PROC / str(pid) / name).read_text("utf-8", "replace")
    except OSError:  # it has ended since it was listed
        return ""


def _kib(text: str, field: str) -> int:
    """Return the number of a field such as `VmHWM:  1234 kB`, or 0."""
    for line in text.splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    return 0
