"""A tree in memory, as the file system that a workspace asks; no byte of it reaches a disk."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import BinaryIO, Final

from treeglass.authoring.demo import DemoInvalid, NotRecordable
from treeglass.authoring.trees.tree_in_memory import (
    MemoryDirectory,
    MemoryEntry,
    MemoryFile,
    MemoryLink,
)
from treeglass.escaping import escape_name
from treeglass.workspace.entries import Entry, EntryKind
from treeglass.workspace.host import ALONE, Gathered, HostFileSystem
from treeglass.workspace.nodes import NEW_FILE_MODE

TOP: Final = f"{os.sep}\udcff"
"""The path of the tree to its workspace; no link of a tree holds half of a surrogate pair."""

MAX_FILE_BYTES = 256 * 1024**2
"""Largest file that is read; larger ones are listed."""

_DIRECTORY_BYTES = 4096


class MemoryFileSystem(HostFileSystem):
    """A tree in memory that answers a workspace as a page's tree does, on every system."""

    def __init__(self, root: MemoryDirectory) -> None:
        super().__init__()
        self.faults: list[str] = []
        """Why files could not be read, one clause each."""
        self.absences: list[str] = []
        """The same for files on another host."""
        self._root = root

    def realpath(self, path: str) -> str:
        """Return the path as it is: no link leads to the tree."""
        return path

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        """Return the entries of a directory, in the source's order, and at most so many."""
        entry = self._find(path)
        if not isinstance(entry, MemoryDirectory):
            raise NotADirectoryError(errno.ENOTDIR, "it is no directory")
        children = islice(entry.children.items(), max_entries)
        return [Entry(name, _kind(child)) for name, child in children]

    def has_entry(self, directory: str, name: str) -> bool:
        """Tell whether a directory lists an entry of exactly this name."""
        return any(entry.name == name for entry in self.entries(directory, sys.maxsize))

    def hold(self, directory: str) -> AbstractContextManager[int | None]:  # noqa: ARG002
        """Hold no directory: nothing replaces one during a call."""
        return nullcontext()

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:  # noqa: ARG002
        """Inspect an entry itself, never the target of a link."""
        entry = self._find(path)
        if isinstance(entry, MemoryFile):
            mode, size_bytes = stat.S_IFREG | NEW_FILE_MODE, entry.size_bytes
        elif isinstance(entry, MemoryDirectory):
            mode, size_bytes = stat.S_IFDIR | 0o555, _DIRECTORY_BYTES
        else:
            mode, size_bytes = stat.S_IFLNK | 0o777, len(entry.target.encode())
        seconds = entry.modified_ms // 1000
        return os.stat_result(
            (mode, 0, 0, 1, 0, 0, size_bytes, seconds, seconds, seconds),
            {"st_mtime_ns": entry.modified_ms * 1_000_000},
        )

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        entry = self._find(path)
        if not isinstance(entry, MemoryLink):
            raise OSError(errno.EINVAL, "it is no link")
        return entry.target

    def open(self, path: str) -> BinaryIO:
        """Open a file with its whole content; note why it cannot be read."""
        entry = self._find(path)
        if isinstance(entry, MemoryLink):
            raise OSError(errno.ELOOP, "it is a link")
        if isinstance(entry, MemoryDirectory):
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        try:
            return io.BytesIO(_content(entry))
        except (DemoInvalid, NotRecordable) as error:
            noted = self.absences if isinstance(error, NotRecordable) else self.faults
            noted.append(f"{escape_name(path.rpartition(os.sep)[2])} cannot be read: {error}")
            raise OSError(errno.EIO, "it cannot be read") from None

    def gather(self, paths: Sequence[str], max_bytes: int) -> Gathered:  # noqa: ARG002
        """Leave each file to `open`, which notes the faults of those that are needed."""
        return Gathered(b"", [ALONE] * len(paths))

    def _find(self, path: str) -> MemoryEntry:
        entry: MemoryEntry | None = self._root
        for name in filter(None, path.removeprefix(TOP).split(os.sep)):  # noqa: PTH206
            if entry is not None and not isinstance(entry, MemoryDirectory):
                raise NotADirectoryError(errno.ENOTDIR, "a name leads through no directory")
            entry = None if entry is None else entry.children.get(name)
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, "no entry has this name")
        return entry


def _kind(entry: MemoryEntry) -> EntryKind:
    if isinstance(entry, MemoryFile):
        return "file"
    return "directory" if isinstance(entry, MemoryDirectory) else "symlink"


def _content(file: MemoryFile) -> bytes:
    if file.size_bytes > MAX_FILE_BYTES:
        raise DemoInvalid(f"it has more than {MAX_FILE_BYTES:,} bytes")
    return file.read()
