"""The memory of a browser's processes, from /proc; None on a system without it."""

import mmap
import os
import threading
from pathlib import Path
from typing import NamedTuple, Self

_PROC = Path("/proc")
_LOOK_EVERY_S = 0.002

CAN_LOOK = (_PROC / "self" / "smaps_rollup").exists()
"""True if this system reports the memory of a process."""


class BrowserMemory(NamedTuple):
    """One look at the browsers that this process has started."""

    renderer_peak_bytes: int | None
    """The peak of resident memory of the largest renderer (VmHWM)."""
    browser_share_bytes: int | None
    """The memory of all processes now, shared pages counted once (PSS)."""


def look_at_browsers() -> BrowserMemory:
    """Return the memory of every browser process below this process."""
    if not CAN_LOOK:
        return BrowserMemory(None, None)
    peaks, shares = [0], [0]
    for pid in _descendants(os.getpid()):
        command = _command(pid)
        if not _is_browser(command):
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


class BrowserWatch:
    """Looks at the browsers of this process again and again while a context lasts.

    Counts what each process has resident, so that what two of them share
    counts twice: more than what is held, never less.
    """

    def __init__(self) -> None:
        self._pids = [pid for pid in _descendants(os.getpid()) if _is_browser(_command(pid))]
        self._before_bytes = self._resident_bytes()
        self._most_bytes = self._before_bytes
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def take_growth_bytes(self) -> int:
        """Return the largest growth over the first look, since the last call."""
        most_bytes, self._most_bytes = self._most_bytes, 0
        return most_bytes - self._before_bytes

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_EVERY_S):
            self._most_bytes = max(self._most_bytes, self._resident_bytes())

    def _resident_bytes(self) -> int:
        pages = sum(int((_read(pid, "statm") or "0 0").split()[1]) for pid in self._pids)
        return pages * mmap.PAGESIZE


def _command(pid: int) -> str:
    # A process that Chromium's zygote forks has one text here, with blanks.
    return _read(pid, "cmdline").replace("\0", " ")


def _is_browser(command: str) -> bool:
    return "chrom" in command.partition(" ")[0]
