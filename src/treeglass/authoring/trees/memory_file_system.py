"""A tree in memory, as the file system that a workspace asks; no byte of it reaches a disk."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from treeglass.authoring.demo import DemoInvalid, NotRecordable
from treeglass.authoring.trees.tree_in_memory import MemoryDirectory, MemoryFile, MemoryLink
from treeglass.escaping import escape_name
from treeglass.workspace.embedder import EmbedderFileSystem
from treeglass.workspace.nodes import NEW_FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treeglass.authoring.trees.tree_in_memory import MemoryEntry

MAX_FILE_BYTES = 256 * 1024**2
"""Largest file that is read; larger ones are listed."""

_DIRECTORY_BYTES = 4096


class _Bytes(bytes):
    def to_bytes(self) -> bytes:
        return self


class _Gathered(NamedTuple):
    sizes: str
    bytes: _Bytes


class MemoryTree:
    """A tree in memory as functions: the `EmbedderTrees` of `MemoryFileSystem`.

    It stands in place of the anchor: an empty host directory, in a folder that nothing else is in
    and no link of the tree can name.
    """

    def __init__(self, root: MemoryDirectory, anchor: Path) -> None:
        self.directory = f"{anchor.parent}{os.sep}"
        self.faults: list[str] = []
        """Why files could not be read, one clause each."""
        self.absences: list[str] = []
        """The same for files on another host."""
        self._anchor = str(anchor)
        self._root = root
        self._last: tuple[MemoryFile, bytes] | None = None

    def list(self, path: str) -> str | int:
        """Return a letter for each entry of a directory, then each name after a slash."""
        entry = self._find(path)
        if not isinstance(entry, MemoryDirectory):
            return entry if isinstance(entry, int) else errno.ENOTDIR
        return "/".join(["".join(map(_letter, entry.children.values())), *entry.children])

    def look(self, path: str) -> str | int:
        """Return mode, size in bytes, time of change, and two zeros."""
        entry = self._find(path)
        if isinstance(entry, int):
            return entry
        if isinstance(entry, MemoryFile):
            mode, size_bytes = stat.S_IFREG | NEW_FILE_MODE, entry.size_bytes
        elif isinstance(entry, MemoryDirectory):
            mode, size_bytes = stat.S_IFDIR | 0o555, _DIRECTORY_BYTES
        else:
            mode, size_bytes = stat.S_IFLNK | 0o777, len(entry.target.encode())
        return f"{mode} {size_bytes} {entry.modified_ms} 0 0"

    def times(self, _path: str, _names: str) -> int:
        """Refuse: to ask for each entry costs little."""
        return errno.ENOSYS

    def statuses(self, _paths: str) -> int:
        """Refuse: to ask for each entry costs little."""
        return errno.ENOSYS

    def link(self, path: str) -> str | int:
        """Return the target of a symbolic link."""
        entry = self._find(path)
        if isinstance(entry, MemoryLink):
            return entry.target
        return entry if isinstance(entry, int) else errno.EINVAL

    def read(self, path: str, start: int, end: int) -> _Bytes | int:
        """Return bytes of a file; note why it cannot be read."""
        entry = self._find(path)
        if not isinstance(entry, MemoryFile):
            return errno.EIO
        try:
            return _Bytes(self._content(entry)[start:end])
        except (DemoInvalid, NotRecordable) as error:
            noted = self.absences if isinstance(error, NotRecordable) else self.faults
            noted.append(f"{escape_name(path.rpartition(os.sep)[2])} cannot be read: {error}")
            return errno.EIO

    def gather(self, paths: str, _max_bytes: int) -> _Gathered:
        """Leave each file to `read`, which notes the faults of those that are needed."""
        return _Gathered(" ".join("-1" for _ in paths.split("\0")), _Bytes())

    def missing(self) -> bool:
        """Return False: the tree has all of its content."""
        return False

    def want(self, paths: str, _max_files: int, _max_bytes: int) -> int:
        """Return the number of paths: no file has to be fetched."""
        return len(paths.split("\0"))

    def _content(self, file: MemoryFile) -> bytes:
        if file.size_bytes > MAX_FILE_BYTES:
            raise DemoInvalid(f"it has more than {MAX_FILE_BYTES:,} bytes")
        # A large file is read in pieces, and its content unpacked or fetched from the disk once.
        if self._last is None or self._last[0] is not file:
            self._last = (file, file.read())
        return self._last[1]

    def _find(self, path: str) -> MemoryEntry | int:
        """Return an entry, or the errno of a path without one."""
        entry: MemoryEntry | None = self._root
        for name in filter(None, path.removeprefix(self._anchor).split(os.sep)):  # noqa: PTH206
            if not isinstance(entry, MemoryDirectory):
                return errno.ENOENT if entry is None else errno.ENOTDIR
            entry = entry.children.get(name)
        return errno.ENOENT if entry is None else entry


class MemoryFileSystem(EmbedderFileSystem):
    """A tree in memory that answers a workspace as a page's tree does, on every system."""

    @contextmanager
    def scandir(self, path: str) -> Iterator[Any]:
        """Open a directory of the tree; of its entries only the names are asked for."""
        yield iter(self.entries(path, sys.maxsize))


def _letter(entry: MemoryEntry) -> Literal["f", "d", "l"]:
    if isinstance(entry, MemoryFile):
        return "f"
    return "d" if isinstance(entry, MemoryDirectory) else "l"
