"""A host's filesystem that counts the operations asked of it."""

from __future__ import annotations

import io
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from treeglass.workspace.host import OsFileSystem

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from contextlib import AbstractContextManager


class CountedFileSystem(OsFileSystem):
    """The operating system's, with each question counted."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """Of `scandir`, `lstat`, `readlink`, `open`, entries yielded, and bytes read."""

    def take_counts(self) -> dict[str, int]:
        """Return the operations since the last call."""
        counts, self.counts = dict(self.counts), Counter()
        return counts

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        """Open a directory for listing."""
        self.counts["scandir"] += 1
        return self._counted(path)

    @contextmanager
    def _counted(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with super().scandir(path) as found:
            yield self._each(found)

    def _each(self, found: Iterator[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
        for entry in found:
            self.counts["entries"] += 1
            yield entry

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        """Inspect an entry itself, never the target of a link."""
        self.counts["lstat"] += 1
        return super().lstat(path, held)

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        self.counts["readlink"] += 1
        return super().readlink(path)

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading, with as large a buffer as ever."""
        self.counts["open"] += 1
        file = super().open(path)
        assert isinstance(file, io.BufferedReader)
        raw = file.detach()
        assert isinstance(raw, io.FileIO)
        return io.BufferedReader(_CountedReader(raw, self.counts), _BUFFER_BYTES)


_BUFFER_BYTES = 1024 * 1024


class _CountedReader(io.RawIOBase):
    """Another reader's bytes, counted as the host gives them."""

    def __init__(self, raw: io.FileIO, counts: Counter[str]) -> None:
        self._raw = raw
        self._counts = counts

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what io really passes
        count = self._raw.readinto(buffer)
        self._counts["bytes"] += count
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()
