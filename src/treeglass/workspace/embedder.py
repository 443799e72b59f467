"""Trees that the program around the interpreter holds, such as a page's worker.

The interpreter's own filesystem has none of them: there each file that is opened, and each
entry that is listed, would cost many calls of the worker's JavaScript. Here a directory is one
call, and so are the times of its entries, a file's status, its bytes, or a part of them.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import repeat
from typing import BinaryIO, Protocol

from treeglass.utf8 import is_encodable
from treeglass.workspace.entries import Entry, EntryKind, made_entry
from treeglass.workspace.host import BUFFER_BYTES, Gathered, HostFileSystem, require_regular
from treeglass.workspace.lines import MarkedFile


class EmbeddedBytes(Protocol):
    """Bytes that the embedder holds."""

    def to_bytes(self) -> bytes:
        """Return a copy."""


class GatheredFiles(Protocol):
    """Several files in one buffer."""

    @property
    def sizes(self) -> str:
        """Of the first files, by spaces; -1 for one that has to be read by itself."""

    @property
    def bytes(self) -> EmbeddedBytes:
        """The content of the others, one after the other."""


class EmbedderTrees(Protocol):
    """The trees as functions, which follow no link. Instead of an answer may come an errno."""

    directory: str
    """The prefix of each path of a tree, and of no other path; ends with a slash."""

    def missing(self) -> bool:
        """Tell whether an answer of this run stood for content that has not arrived."""

    def list(self, path: str) -> str | int:
        """Return a letter for each entry of a directory, then each name after a slash.

        The letters are `f` for a file, `d` for a directory, `l` for a link, else `o`.
        """

    def look(self, path: str) -> str | int:
        """Return five numbers: mode, size in bytes, time of change, and identity.

        A file of a source without permissions has those of a new file.
        The time is milliseconds since 1970 and nanoseconds on top of them; the identity is
        that of a content that never changes, else 0.
        """

    def times(self, path: str, names: str) -> str | int:
        """Return nanoseconds since 1970 for entries of a directory, by spaces.

        Slashes separate the names. The time of an entry that cannot be inspected is `-`.
        """

    def statuses(self, paths: str) -> str | int:
        """Return the size in bytes, and nanoseconds since 1970, of each entry, by spaces.

        NULs separate the paths. The size of an entry that cannot be inspected is -1.
        """
        ...

    def link(self, path: str) -> str | int:
        """Return the target of a symbolic link."""

    def read(self, path: str, start: int, end: int) -> EmbeddedBytes | int:
        """Return the bytes of a file from `start` up to `end`, or up to its end."""

    def gather(self, paths: str, max_bytes: int) -> GatheredFiles:
        """Return files, from the first, as many as `max_bytes` hold; NULs separate the paths.

        No error is told: a file that cannot be read has to be read by itself.
        """

    def want(self, paths: str, max_files: int, max_bytes: int) -> int:
        """Note that the call reads these files, and walks to the end of each directory.

        NULs separate the paths. Return how many of them, from the first, may be read: those that
        have to be fetched count toward the bounds.
        """


_MAX_MARKED_FILES = 64
"""Large files whose marks are kept; a mark costs about a hundred bytes."""

_KINDS: dict[str, EntryKind] = {"f": "file", "d": "directory", "l": "symlink", "o": "other"}


class EmbedderFileSystem(HostFileSystem):
    """The embedder's trees, asked anew each time; any other path is the operating system's."""

    def __init__(self, trees: EmbedderTrees) -> None:
        super().__init__()
        # Taken once: in a page, each attribute is a trip to JavaScript.
        self._directory = trees.directory
        self._list, self._look = trees.list, trees.look
        self._link, self._read = trees.link, trees.read
        self._want, self._gather = trees.want, trees.gather
        self._times, self._statuses = trees.times, trees.statuses
        self._missing = trees.missing
        self._marks: dict[int, list[tuple[int, int]]] = {}

    def is_incomplete(self) -> bool:
        """Tell whether the embedder runs the call again, since content has not arrived."""
        return self._missing()

    def realpath(self, path: str) -> str:
        """Return the path of a tree as it is: no link leads to one."""
        return path if self._has(path) else super().realpath(path)

    def _has(self, path: str) -> bool:
        if not path.startswith(self._directory):
            return False
        if not is_encodable(path):
            # The names of the trees are text, and JavaScript might take this one for another.
            raise FileNotFoundError(errno.ENOENT, "no entry has this name")
        return True

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        """Return the entries of a directory, in the source's order, and at most so many."""
        if not self._has(path):
            return super().entries(path, max_entries)
        kinds, *names = _text(self._list(path)).split("/")
        entries = zip(names, map(_KINDS.__getitem__, kinds), repeat(None), strict=False)
        return [*map(made_entry, entries)][:max_entries]

    def has_entry(self, directory: str, name: str) -> bool:
        """Tell whether a directory lists an entry of exactly this name."""
        if not self._has(directory):
            return super().has_entry(directory, name)
        return any(entry.name == name for entry in self.entries(directory, sys.maxsize))

    def hold(self, directory: str) -> AbstractContextManager[int | None]:
        """Hold no directory of a tree: nothing replaces one during a call."""
        return nullcontext() if self._has(directory) else super().hold(directory)

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        """Inspect an entry itself, never the target of a link."""
        if not self._has(path):
            return super().lstat(path, held)
        mode, size_bytes, modified_ms, more_ns, _ = self._numbers(path)
        seconds = modified_ms // 1000
        return os.stat_result(
            (mode, 0, 0, 1, 0, 0, size_bytes, seconds, seconds, seconds),
            {"st_mtime_ns": modified_ms * 1_000_000 + more_ns},
        )

    def modified_times(self, directory: str, names: Sequence[str]) -> list[int | None] | None:
        """Return nanoseconds since 1970 for entries of a directory, or None: ask for each."""
        if not names or not self._has(directory) or not is_encodable(joined := "/".join(names)):
            return None
        found = self._times(directory, joined)
        if isinstance(found, int):
            return None
        return [None if each == "-" else int(each) for each in found.split(" ")]

    def sizes_and_times(self, paths: Sequence[str]) -> list[tuple[int, int] | None] | None:
        """Return bytes, and nanoseconds since 1970, of entries, or None: ask for each."""
        if not paths or not all(path.startswith(self._directory) for path in paths):
            return None
        joined = "\0".join(paths)
        found = self._statuses(joined) if is_encodable(joined) else errno.ENOENT
        if isinstance(found, int):
            return None
        numbers = [*map(int, found.split(" "))]
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return [None if pair[0] < 0 else pair for pair in pairs]

    def _numbers(self, path: str) -> tuple[int, ...]:
        return tuple(map(int, _text(self._look(path)).split()))

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        return _text(self._link(path)) if self._has(path) else super().readlink(path)

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading; its bytes come when they are read."""
        if not self._has(path):
            return super().open(path)
        mode, size_bytes, _, _, identity = self._numbers(path)
        if stat.S_ISLNK(mode):
            raise OSError(errno.ELOOP, "it is a link")
        require_regular(mode)
        raw = _RawFile(self._read, path, size_bytes)
        buffer_bytes = max(1, min(BUFFER_BYTES, size_bytes))
        file = MarkedFile(raw, buffer_bytes)  # type: ignore[arg-type]  # a reader calls no others
        file.marks = self._marks_of(identity)
        return file

    def want(self, paths: Sequence[str], max_files: int, max_bytes: int) -> int:
        """Have the embedder fetch files together; return how many, from the first, may be read."""
        own = [
            index
            for index, path in enumerate(paths)
            if path.startswith(self._directory) and is_encodable(path)
        ]
        wanted = "\0".join(paths[index] for index in own)
        count = self._want(wanted, max_files, max_bytes)
        return own[count] if count < len(own) else len(paths)

    def gather(self, paths: Sequence[str], max_bytes: int) -> Gathered:
        """Return files, from the first, in one buffer; the embedder reads them together."""
        if not all(path.startswith(self._directory) and is_encodable(path) for path in paths):
            return super().gather(paths, max_bytes)
        found = self._gather("\0".join(paths), max_bytes)
        return Gathered(found.bytes.to_bytes(), [*map(int, found.sizes.split())])

    def _marks_of(self, identity: int) -> list[tuple[int, int]]:
        if identity == 0:
            return []
        marks = self._marks.pop(identity, [])
        self._marks[identity] = marks
        if len(self._marks) > _MAX_MARKED_FILES:
            del self._marks[next(iter(self._marks))]
        return marks


_HERE, _END = 1, 2
"""The origins of `seek`; otherwise it counts from the start."""


class _RawFile:
    """The methods that a buffer calls; a subclass of `io.RawIOBase` costs time for each file."""

    closed = False

    def __init__(
        self, read: Callable[[str, int, int], EmbeddedBytes | int], path: str, size_bytes: int
    ) -> None:
        self._read = read
        self._path = path
        self._size_bytes = size_bytes
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = 0) -> int:
        base = {_HERE: self._position, _END: self._size_bytes}.get(whence, 0)
        if base + offset < 0:
            raise OSError(errno.EINVAL, "there is nothing before the start")
        self._position = base + offset
        return self._position

    def readinto(self, buffer: memoryview) -> int:
        found = self._take(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def readall(self) -> bytes:
        return self._take(self._size_bytes)

    def _take(self, byte_count: int) -> bytes:
        end = min(self._position + byte_count, self._size_bytes)
        if self._position >= end:
            return b""
        found = self._read(self._path, self._position, end)
        if isinstance(found, int):
            raise _refused(found)
        taken = found.to_bytes()
        self._position += len(taken)
        return taken

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def _text(answer: str | int) -> str:
    """Return an answer as the system would spell it: a lone surrogate is invalid bytes."""
    if isinstance(answer, int):
        raise _refused(answer)
    if is_encodable(answer):
        return answer
    return answer.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")


def _refused(number: int) -> OSError:
    return OSError(number, "the tree refuses it")
