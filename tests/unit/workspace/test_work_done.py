"""A call asks the host for no more than its answer needs."""

import io
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from treeglass import Config, ToolRegistry, Workspace
from treeglass.workspace.host import HostFileSystem

_MIB = 1024 * 1024
_LINE = b"x" * 79 + b"\n"
_LINES_PER_MIB = _MIB // len(_LINE) + 1


class CountedFileSystem(HostFileSystem):
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


def _work_of(tree: Path, tool: str, arguments: dict[str, Any]) -> dict[str, int]:
    """Return the counts of one call, mounting left out."""
    file_system = CountedFileSystem()
    registry = ToolRegistry(Workspace({"/repo": tree}, file_system=file_system), Config())
    file_system.take_counts()
    result = registry.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return file_system.take_counts()


@pytest.fixture
def two_trees(make_tree: Callable[..., Path]) -> tuple[Path, Path]:
    """The same 300 files in `a`, with 1 and with 100 directories of 3 files after it."""
    names = {f"{tree}/a/entry_{number:03}" for number in range(300) for tree in ("small", "large")}
    names |= {f"large/z_{number // 3:03}/file_{number}" for number in range(300)}
    names |= {f"small/z_000/file_{number}" for number in range(3)}
    top = make_tree(dict.fromkeys(sorted(names), "x"))
    return top / "small", top / "large"


def test_list_directory_of_200_entries_does_the_same_work_whatever_lies_beyond_them(
    two_trees: tuple[Path, Path],
) -> None:
    arguments = {"path": ".", "recursive": True, "max_entries": 200}

    small, large = (_work_of(tree, "list_directory", arguments) for tree in two_trees)

    # Only the root has more entries.
    assert small == {"scandir": 2, "lstat": 202, "entries": 2 + 300}
    assert large == {"scandir": 2, "lstat": 202, "entries": 101 + 300}


def test_a_page_of_ls_is_one_scan_of_one_directory(two_trees: tuple[Path, Path]) -> None:
    arguments = {"path": "a", "offset": 100, "limit": 50}

    small, large = (_work_of(tree, "LS", arguments) for tree in two_trees)

    assert small == large == {"scandir": 1, "lstat": 2, "entries": 300}


def test_list_dir_looks_at_no_file_of_the_directories_that_it_lists(
    two_trees: tuple[Path, Path],
) -> None:
    work = _work_of(two_trees[1], "list_dir", {"dir_path": "/repo", "depth": 2})

    assert work == {"scandir": 102, "lstat": 1, "entries": 101 + 300 + 300}


@pytest.mark.parametrize(
    ("offset", "read_mib"),
    [
        pytest.param(1, 1, id="the first lines"),
        pytest.param(_LINES_PER_MIB * 2, 4, id="after two blocks"),
    ],
)
def test_a_slice_of_a_big_file_reads_up_to_its_lines_and_not_the_rest(
    tmp_path: Path, offset: int, read_mib: int
) -> None:
    (tmp_path / "big.txt").write_bytes(_LINE * (_LINES_PER_MIB * 16))

    work = _work_of(
        tmp_path, "read_file", {"file_path": "/repo/big.txt", "offset": offset, "limit": 100}
    )

    assert work == {"lstat": 1, "open": 1, "bytes": read_mib * _MIB}
