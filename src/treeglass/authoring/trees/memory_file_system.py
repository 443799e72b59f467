"""A tree in memory as the file system that a workspace asks.

Nothing is ever extracted: whatever an archive says, no byte of it reaches a
disk.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from treeglass.authoring.demo import DemoInvalid, NotRecordable
from treeglass.authoring.trees.tree_in_memory import (
    MemoryDirectory,
    MemoryEntry,
    MemoryFile,
    MemoryLink,
)
from treeglass.escaping import escape_name
from treeglass.workspace.host import ALONE, Gathered, list_scanned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from treeglass.workspace import Entry

MAX_FILE_BYTES = 256 * 1024**2
"""Largest file that is read; larger ones are listed."""

_DIRECTORY_BYTES = 4096


@dataclass(frozen=True, slots=True)
class _Found:
    """An entry as `os.scandir` yields it."""

    name: str
    entry: MemoryEntry

    def is_symlink(self) -> bool:
        return isinstance(self.entry, MemoryLink)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002  # never asked to
        return isinstance(self.entry, MemoryDirectory)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002  # never asked to
        return isinstance(self.entry, MemoryFile)


class MemoryFileSystem:
    """A tree in memory that answers a workspace as a host does.

    Args:
        root: The tree.
        anchor: The host directory in whose place it stands: an empty one that no
            link of the tree can name.
    """

    def __init__(self, root: MemoryDirectory, anchor: str) -> None:
        self._root = root
        self._anchor = anchor
        self.faults: list[str] = []
        """Why files could not be read, one clause each."""
        self.absences: list[str] = []
        """The same for files on another host."""

    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[_Found]]:
        """Open a directory for listing."""
        entry = self._find(path)
        if not isinstance(entry, MemoryDirectory):
            raise _os_error("ENOTDIR")
        yield iter([_Found(name, child) for name, child in entry.children.items()])

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        """Return the entries of a directory, and at most so many."""
        return list_scanned(self.scandir(path), max_entries)

    def gather(self, paths: Sequence[str], max_bytes: int) -> Gathered:  # noqa: ARG002
        """Leave each file to `open`, which notes the faults of those that are needed."""
        return Gathered(b"", [ALONE] * len(paths))

    def want(self, paths: Sequence[str], max_files: int, max_bytes: int) -> int:  # noqa: ARG002
        """Return the number of paths: the files are in memory."""
        return len(paths)

    def hold(self, _directory: str) -> AbstractContextManager[None]:
        """Hold nothing: nothing changes this tree."""
        return nullcontext()

    def modified_times(self, _directory: str, _names: Sequence[str]) -> None:
        """Return None: to ask for each entry costs little."""

    def sizes(self, _directory: str, _names: Sequence[str]) -> None:
        """Return None: to ask for each entry costs little."""

    def lstat(self, path: str, _held: int | None = None) -> os.stat_result:
        """Inspect an entry itself, never what a link points at."""
        entry = self._find(path)
        if isinstance(entry, MemoryFile):
            mode, size_bytes = stat.S_IFREG | 0o444, entry.size_bytes
        elif isinstance(entry, MemoryDirectory):
            mode, size_bytes = stat.S_IFDIR | 0o555, _DIRECTORY_BYTES
        else:
            mode, size_bytes = stat.S_IFLNK | 0o777, len(entry.target.encode())
        seconds = [entry.modified_ms // 1000] * 3
        exact = dict.fromkeys(
            ("st_atime_ns", "st_mtime_ns", "st_ctime_ns"), entry.modified_ms * 1_000_000
        )
        return os.stat_result((mode, 0, 1, 1, 0, 0, size_bytes, *seconds), exact)

    def readlink(self, path: str) -> str:
        """Read where a symbolic link points."""
        entry = self._find(path)
        if not isinstance(entry, MemoryLink):
            raise _os_error("EINVAL")
        return entry.target

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading; note why one cannot be read."""
        entry = self._find(path)
        if isinstance(entry, MemoryDirectory):
            raise _os_error("EISDIR")
        if isinstance(entry, MemoryLink):
            raise _os_error("ELOOP")
        try:
            if entry.size_bytes > MAX_FILE_BYTES:
                raise DemoInvalid(f"it has more than {MAX_FILE_BYTES:,} bytes")  # noqa: TRY301
            content = entry.read()
        except (DemoInvalid, NotRecordable) as error:
            noted = self.absences if isinstance(error, NotRecordable) else self.faults
            name = escape_name(path.rpartition(os.sep)[2])
            noted.append(f"{name} cannot be read: {error}")
            raise _os_error("EIO") from None
        return io.BytesIO(content)

    def _find(self, path: str) -> MemoryEntry:
        names = path.removeprefix(self._anchor).split(os.sep)  # noqa: PTH206  # no path of a disk
        entry: MemoryEntry | None = self._root
        for name in filter(None, names):
            if not isinstance(entry, MemoryDirectory):
                raise _os_error("ENOENT" if entry is None else "ENOTDIR")
            entry = entry.children.get(name)
        if entry is None:
            raise _os_error("ENOENT")
        return entry


def _os_error(name: str) -> OSError:
    return OSError(getattr(errno, name), name)
