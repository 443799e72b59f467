"""The few operations of the host's filesystem that a workspace needs.

The only module that calls `os.scandir`, `os.lstat`, `os.readlink` and `os.open`. It follows no
link, except to a mount itself. Other hosts, and tests that make a disk fail, derive from it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import BinaryIO, NamedTuple

from treeglass.errors import (
    IsADirectory,
    NotADirectory,
    NotARegularFile,
    WorkspaceError,
    from_os_error,
)
from treeglass.workspace import host_names
from treeglass.workspace.entries import Entry, EntryKind, made_entry

BUFFER_BYTES = 1024 * 1024
# Large on purpose: if a file is a Blob of the page, each read is a trip to the
# browser, and reading lines with the default buffer takes twelve times longer.

_HOLDS_DIRECTORIES = (
    {os.open, os.stat, os.readlink} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
    and {"O_DIRECTORY", "O_NOFOLLOW"} <= set(dir(os))
    and sys.platform != "emscripten"
)
"""True if an operation starts from an open directory.

Windows cannot do that. In a browser nothing else changes the tree during a call,
and each directory on the way would cost a trip to the worker's JavaScript.
"""


def _flags(*names: str) -> int:
    """Return the flags for `os.open` that this system has."""
    flags = os.O_RDONLY
    for name in names:
        flags |= getattr(os, name, 0)
    return flags


# `O_PATH` passes through a directory that may be entered and not listed, as a path does;
# a system without it refuses to.
_PASSING = _flags("O_PATH", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC")
_LISTING = _flags("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC")
_READING = _flags("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")


ALONE = -1
"""The size of a file that `gather` leaves out, since it has to be read by itself."""


class Gathered(NamedTuple):
    """Several files in one buffer."""

    content: bytes
    """Of the files that are not left out, one after the other."""
    sizes: list[int]
    """In bytes, of the first of the files; `ALONE` for one that is left out."""


class HostFileSystem:
    """The operations that a workspace asks of a host, here of the operating system; all only read.

    Each directory on the way to an entry is opened from the one above it, and no
    link is followed: a link that replaces one after the gate has looked is an
    error. Where the system cannot open from a directory, paths are passed whole,
    and only the last name is checked.

    Args:
        roots: Real directories that paths lie in. The way to a root itself is the
            system's; without a root it starts at the top of the disk.
    """

    _roots: tuple[str, ...] = ()

    def __init__(self, roots: Iterable[str] = ()) -> None:
        # The outer one first: the way from it to an inner one may change, too.
        self._roots = tuple(sorted((_with_separator(root) for root in roots), key=len))

    def is_incomplete(self) -> bool:
        """Tell whether content has not arrived, so that the host runs the call again."""
        return False

    def realpath(self, path: str) -> str:
        """Return the absolute path of what is mounted, its links followed; it must exist."""
        return os.path.realpath(path, strict=True)

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        """Open a directory for listing; its entries can be asked until it is closed."""
        return self._scanned(path)

    @contextmanager
    def _scanned(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with self._opened(path, _LISTING) as descriptor:
            if descriptor is None:
                status = os.lstat(path)
                if host_names.is_link(status) or not stat.S_ISDIR(status.st_mode):
                    raise NotADirectory
            with os.scandir(path if descriptor is None else descriptor) as found:
                yield found

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        """Return the entries of a directory, in the host's order, and at most so many."""
        with self.scandir(path) as found:
            return list(map(_inspect, islice(found, min(max_entries, sys.maxsize))))

    def has_entry(self, directory: str, name: str) -> bool:
        """Tell whether a directory lists an entry of exactly this name."""
        with self.scandir(directory) as found:
            return any(entry.name == name for entry in found)

    def hold(self, directory: str) -> AbstractContextManager[int | None]:
        """Keep a directory open, for `lstat` of many entries; None if that cannot be done."""
        return self._opened(directory, _PASSING)

    @contextmanager
    def _opened(self, directory: str, flags: int) -> Iterator[int | None]:
        if not _HOLDS_DIRECTORIES:
            yield None
            return
        with self._parent(directory) as (name, parent):
            descriptor = os.open(name, flags, dir_fd=parent)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        """Inspect an entry itself, never the target of a link; `held` is what `hold` gave."""
        if held is not None:
            return os.lstat(path.rpartition(os.sep)[2], dir_fd=held)
        with self._parent(path) as (name, parent):
            return os.lstat(name, dir_fd=parent)

    def modified_times(
        self,
        directory: str,  # noqa: ARG002
        names: Sequence[str],  # noqa: ARG002
    ) -> list[int | None] | None:
        """Return nanoseconds since 1970 for entries of a directory, or None to be asked for each.

        None in the list is an entry that cannot be inspected.
        """
        return None

    def sizes_and_times(
        self,
        paths: Sequence[str],  # noqa: ARG002
    ) -> list[tuple[int, int] | None] | None:
        """Return bytes, and nanoseconds since 1970, of entries; else as `modified_times`."""
        return None

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        with self._parent(path) as (name, parent):
            return os.readlink(name, dir_fd=parent)

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading; a pipe is refused without waiting for a writer."""
        with self._parent(path) as (name, parent):
            descriptor = os.open(name, _READING, dir_fd=parent)
        try:
            require_regular(os.fstat(descriptor).st_mode)
            return open(descriptor, "rb", buffering=BUFFER_BYTES)
        except BaseException:
            os.close(descriptor)
            raise

    def gather(self, paths: Sequence[str], max_bytes: int) -> Gathered:
        """Return files, from the first and at least one of them, as many as the bytes hold.

        No error is told: a file that cannot be read, or is larger than the bytes, is left out.
        """
        return gather_opened(self.open, paths, max_bytes)

    def want(self, paths: Sequence[str], max_files: int, max_bytes: int) -> int:  # noqa: ARG002
        """Say that a call reads these files; return how many of them, from the first, it may.

        Only files that the host has to fetch first count toward the bounds. Whether there are
        paths or not, the call also walks to the end of each directory that it enters.
        """
        return len(paths)

    @contextmanager
    def _parent(self, path: str) -> Iterator[tuple[str, int | None]]:
        """Yield a path's last name and its open directory; or the path and None, without one."""
        root = next(
            (root for root in self._roots if _with_separator(path).startswith(root)), os.sep
        )
        above = path[len(root) :].split(os.sep)
        name = above.pop()
        if not name or not _HOLDS_DIRECTORIES:
            yield path, None
            return
        # A separator at the end would have a link followed.
        directory = os.open(root[:-1] or os.sep, _PASSING)
        try:
            for passed in above:
                below = os.open(passed, _PASSING, dir_fd=directory)
                os.close(directory)
                directory = below
            yield name, directory
        finally:
            os.close(directory)


def _with_separator(path: str) -> str:
    return path if path.endswith(os.sep) else path + os.sep


def gather_opened(
    open_file: Callable[[str], BinaryIO], paths: Sequence[str], max_bytes: int
) -> Gathered:
    """Return what `HostFileSystem.gather` does, of files that are opened one by one."""
    contents: list[bytes] = []
    sizes: list[int] = []
    left_bytes = max_bytes
    for path in paths:
        try:
            with open_file(path) as file:
                content = file.read(left_bytes + 1)
        except (OSError, WorkspaceError):
            sizes.append(ALONE)
            continue
        if len(content) <= left_bytes:
            contents.append(content)
            sizes.append(len(content))
            left_bytes -= len(content)
        elif contents:
            # The next buffer may hold it.
            break
        else:
            sizes.append(ALONE)
    return Gathered(b"".join(contents), sizes)


def _inspect(entry: os.DirEntry[str]) -> Entry:
    # Files first: most entries are files, and each test costs time.
    try:
        kind: EntryKind
        if entry.is_file(follow_symlinks=False):
            return made_entry((entry.name, "file", None))
        if entry.is_dir(follow_symlinks=False):
            kind = "symlink" if _is_junction(entry) else "directory"
        else:
            kind = "symlink" if entry.is_symlink() else "other"
    except OSError as error:
        return Entry(entry.name, None, from_os_error(error))
    return Entry(entry.name, kind)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    # Python 3.11 has no `DirEntry.is_junction`. On Windows the listing brought the status.
    look = getattr(entry, "stat", None) if host_names.IS_WINDOWS else None
    return look is not None and host_names.is_link(look(follow_symlinks=False))


def require_regular(mode: int) -> None:
    """Refuse what is no regular file, by its mode."""
    if stat.S_ISDIR(mode):
        raise IsADirectory
    if not stat.S_ISREG(mode):
        raise NotARegularFile
