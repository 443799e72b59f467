"""A tree as a mount in the browser holds it.

The first entry of a path wins, nothing overwrites anything, and an entry that no tree can have is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from treeglass.authoring.demo import DemoInvalid

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


MAX_ENTRIES = 1_000_000
MAX_TOTAL_BYTES = 4 * 1024**3
MAX_LISTED_FILE_BYTES = 2 * 1024**3

_MAX_TARGET_BYTES = 4095
_MAX_DATE_MS = 86_400_000 * 100_000_000
"""The largest time that a JavaScript `Date` can hold, on either side of 1970."""


@dataclass(slots=True)
class MemoryFile:
    """A file whose bytes are read when a tool asks for them."""

    size_bytes: int
    modified_ms: int
    read: Callable[[], bytes]
    """Raises `DemoInvalid` or `NotRecordable`, with a clause that says why."""


@dataclass(slots=True)
class MemoryDirectory:
    """A directory; its entries are in the source's order."""

    modified_ms: int = 0
    children: dict[str, MemoryFile | MemoryDirectory | MemoryLink] = field(default_factory=dict)


@dataclass(slots=True)
class MemoryLink:
    """A symbolic link, with its target as it is written."""

    target: str
    modified_ms: int


MemoryEntry = MemoryFile | MemoryDirectory | MemoryLink


class TreeBuilder:
    """Puts a source's entries into one tree; absolute links into its mount are made relative.

    Each method raises `DemoInvalid` when the whole tree is over a limit.
    """

    def __init__(self, mount_path: str) -> None:
        self.root = MemoryDirectory()
        self._mount_path = mount_path
        self._entry_count = 0
        self._bytes = 0

    def add_file(
        self, path: str, size_bytes: int, modified_ms: float, read: Callable[[], bytes]
    ) -> None:
        """Add a file, or leave it out where a mount would."""
        if size_bytes > MAX_LISTED_FILE_BYTES:
            return
        place = self._place(path)
        if place is None:
            return
        self._bytes += size_bytes
        if self._bytes > MAX_TOTAL_BYTES:
            raise DemoInvalid(f"the tree has more than {MAX_TOTAL_BYTES:,} bytes; use a part of it")
        parent, names = place
        self._put(parent, names[-1], MemoryFile(size_bytes, _clamp(modified_ms), read))

    def add_directory(self, path: str, modified_ms: float) -> None:
        """Add a directory, or give its time to one that is there."""
        try:
            self._enter(parse_path(path)).modified_ms = _clamp(modified_ms)
        except PathRefused:
            return

    def add_symlink(
        self, path: str, target: str, modified_ms: float, *, stays_inside: bool
    ) -> None:
        """Add a link, whether its target exists or not; one that leads out may be left out."""
        too_long = len(target) > len(self._mount_path) + 1 + _MAX_TARGET_BYTES
        if not target or "\0" in target or too_long:
            return
        place = self._place(path)
        if place is None:
            return
        parent, names = place
        depth = len(names) - 1
        below = self._below_mount(well_formed(target))
        spelled, level = (target, depth) if below is None else (below, 0)
        if stays_inside and leads_out(spelled, level):
            return
        reachable = well_formed(target) if below is None else f"{'../' * depth}{below}" or "."
        if len(reachable.encode()) <= _MAX_TARGET_BYTES:
            self._put(parent, names[-1], MemoryLink(reachable, _clamp(modified_ms)))

    def _place(self, path: str) -> tuple[MemoryDirectory, tuple[str, ...]] | None:
        """Return the directory that a new entry goes into, and the names that lead to it."""
        try:
            names = parse_path(path)
            if not names:
                return None
            parent = self._enter(names[:-1])
        except PathRefused:
            return None
        return None if names[-1] in parent.children else (parent, names)

    def _enter(self, names: tuple[str, ...]) -> MemoryDirectory:
        """Return a directory, and make what is missing on the way."""
        directory = self.root
        for name in names:
            child = directory.children.get(name)
            if child is None:
                child = MemoryDirectory()
                self._put(directory, name, child)
            if not isinstance(child, MemoryDirectory):
                raise PathRefused
            directory = child
        return directory

    def _put(self, parent: MemoryDirectory, name: str, entry: MemoryEntry) -> None:
        self._entry_count += 1
        require_entry_count(self._entry_count)
        parent.children[name] = entry

    def _below_mount(self, target: str) -> str | None:
        base = self._mount_path
        if target != base and not target.startswith(f"{base}/"):
            return None
        return target[len(base) :].lstrip("/")


def require_entry_count(entry_count: int) -> None:
    """Raise `DemoInvalid` if a tree has more than `MAX_ENTRIES`."""
    if entry_count > MAX_ENTRIES:
        raise DemoInvalid(f"the tree has more than {MAX_ENTRIES:,} entries; use a part of it")


def _clamp(modified_ms: float) -> int:
    clamped = int(min(_MAX_DATE_MS, max(-_MAX_DATE_MS, modified_ms)))
    return clamped if clamped >= 0 else max(-_MAX_DATE_MS, clamped // 1000 * 1000)
