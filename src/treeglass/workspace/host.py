"""The host's filesystem, as little of it as the workspace needs.

The only module that calls `os.scandir`, `os.lstat`, `os.readlink` and
`os.open`; nothing here decides what may be touched: the gate does. A test puts
another `HostFileSystem` in its place to make a disk fail.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, BinaryIO, Protocol

from treeglass.errors import IsADirectory, NotARegularFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

_BUFFER_BYTES = 1024 * 1024
# Large on purpose: where a file is a Blob of the page, each read is a trip to
# the browser, and line by line with the default buffer takes twelve times longer.


class HostEntry(Protocol):
    """What `os.scandir` yields."""

    @property
    def name(self) -> str:
        """The name, with invalid bytes as lone surrogates."""
        ...

    def is_symlink(self) -> bool:
        """Tell whether the entry is a symbolic link."""
        ...

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Tell whether the entry is a directory."""
        ...

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Tell whether the entry is a regular file."""
        ...


class HostFileSystem(Protocol):
    """The four questions that a workspace asks of a host; none of them writes."""

    def scandir(self, path: str) -> AbstractContextManager[Iterator[HostEntry]]:
        """Open a directory for listing."""
        ...

    def lstat(self, path: str) -> os.stat_result:
        """Inspect an entry itself, never what a link points at."""
        ...

    def readlink(self, path: str) -> str:
        """Read where a symbolic link points."""
        ...

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading."""
        ...


class OsFileSystem:
    """The filesystem of the operating system, or of Emscripten in a browser."""

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        """Open a directory for listing."""
        return os.scandir(path)

    def lstat(self, path: str) -> os.stat_result:
        """Inspect an entry itself, never what a link points at."""
        return os.lstat(path)

    def readlink(self, path: str) -> str:
        """Read where a symbolic link points."""
        return os.readlink(path)

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading.

        A pipe is refused without waiting for a writer, and a link that took
        the file's place after the gate looked is not followed.
        """
        flags = os.O_RDONLY
        for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
            flags |= getattr(os, name, 0)
        descriptor = os.open(path, flags)
        try:
            _require_regular(os.fstat(descriptor).st_mode)
            return open(descriptor, "rb", buffering=_BUFFER_BYTES)
        except BaseException:
            os.close(descriptor)
            raise


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectory
    if not stat.S_ISREG(mode):
        raise NotARegularFile
