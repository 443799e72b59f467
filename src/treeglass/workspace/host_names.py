"""The host system's reading of a name, of a path, and of the target of a link.

Windows and macOS open an entry by more names than its own: in another case, in another
form of Unicode, by a short name of eight letters, with a dot at its end. A pattern that
denies `.env` would not see `.ENV`. So on these systems a name counts only if its
directory lists it.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import PurePath

IS_WINDOWS = sys.platform == "win32"

LISTS_TRUE_NAMES_ONLY = IS_WINDOWS or sys.platform == "darwin"
"""True if an entry opens by other names than the one that its directory lists."""

_JUNCTION = 0xA0000003
"""The tag of a Windows directory that stands for another one, like a link."""

_LONG_PREFIXES = {"\\\\?\\UNC\\": "\\\\", "\\\\?\\": ""}
"""The prefixes that Windows writes before the target of a link, with their meaning."""


def can_be_stored(name: str) -> bool:
    """Tell whether a host can hold a name, so that it names nothing but an entry."""
    # An escaped `..` is a name here, but the host would go up. On Windows `D:` leads to
    # another disk, and what follows a colon is another content of the same file.
    forbidden = "/\\:\0" if IS_WINDOWS else "/\0"
    if name in {".", ".."} or any(mark in name for mark in forbidden):
        return False
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


def is_link(status: os.stat_result) -> bool:
    """Tell whether an entry stands for another one; a junction of Windows does."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


def comparable(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a drive and names so that two paths of one directory are equal."""
    return tuple(map(os.path.normcase, names))


def read_target(target: str, drive: str) -> tuple[str | None, list[str]]:
    """Return where a link leads, given its target and the drive that it is on.

    That is the drive, empty on systems without drives and None for a relative target, and the
    names, `.` and `..` among them.
    """
    for prefix, meant in _LONG_PREFIXES.items():
        if IS_WINDOWS and target.startswith(prefix):
            target = meant + target.removeprefix(prefix)
    path = PurePath(target)
    if path.root:
        start, steps = path.drive or drive, list(path.parts[1:])
    else:
        start, steps = None, target.replace(os.altsep or os.sep, os.sep).split(os.sep)
    if target.endswith(("/", os.sep)):
        steps.append(".")
    return start, steps
