"""Paths as a mount in the browser takes them: cut into names that a tree can have."""

from __future__ import annotations

import re

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4095
MAX_DEPTH = 256
"""Directories above an entry."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class PathRefused(Exception):
    """A tree cannot have this path; the entry is left out, as a mount leaves it out."""


def well_formed(text: str) -> str:
    """Return the text with each lone surrogate, which UTF-8 cannot carry, as U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def parse_path(source: str) -> tuple[str, ...]:
    """Return a source path's names, or raise `PathRefused`; `.` and repeated slashes vanish."""
    if "\0" in source:
        raise PathRefused
    names: list[str] = []
    for name in well_formed(source).split("/"):
        if name == "..":
            if not names:
                raise PathRefused
            names.pop()
        elif name not in {"", "."}:
            names.append(name)
    sizes = [len(name.encode()) for name in names]
    if len(names) - 1 > MAX_DEPTH or any(size > MAX_NAME_BYTES for size in sizes):
        raise PathRefused
    if sum(sizes) + len(sizes) - 1 > MAX_PATH_BYTES:
        raise PathRefused
    return tuple(names)


def leads_out(target: str, depth: int) -> bool:
    """Tell whether a link's target, as it is spelled, leads above the top of its tree.

    An absolute one leads out of every tree. So many directories lie above the link as `depth` says.
    """
    if target.startswith("/"):
        return True
    level = depth
    for name in target.split("/"):
        if name == "..":
            level -= 1
        elif name not in {"", "."}:
            level += 1
        if level < 0:
            return True
    return False
