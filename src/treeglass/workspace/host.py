"""The four operations of the host's filesystem that a workspace needs.

The only module that calls `os.scandir`, `os.lstat`, `os.readlink` and
`os.open`. The gate decides which paths may be touched. A test passes another
`HostFileSystem` to make a disk fail.
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
# Large on purpose: if a file is a Blob of the page, each read is a trip to the
# browser, and reading lines with the default buffer takes twelve times longer.


class HostEntry(Protocol):
    """An entry that `os.scandir` yields."""

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
    """The four operations that a workspace asks of a host; all of them only read."""

    def scandir(self, path: str) -> AbstractContextManager[Iterator[HostEntry]]:
        """Open a directory for listing."""
        ...

    def lstat(self, path: str) -> os.stat_result:
        """Inspect an entry itself, never the target of a link."""
        ...

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
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
        """Inspect an entry itself, never the target of a link."""
        return os.lstat(path)

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        return os.readlink(path)

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading.

        A pipe is refused without waiting for a writer. A link that replaced the
        file after the gate inspected it is not followed.
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
