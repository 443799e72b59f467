import io
import os
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from treeglass import Limits, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.host import HostFileSystem

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]
MEGABYTE = 1024 * 1024


def read_file(workspace: Workspace, **arguments: Any) -> ToolResult:
    """Call the tool on `/repo/f`."""
    return ToolRegistry(workspace).call_tool("read_file", {"file_path": "/repo/f", **arguments})


class Synthetic(io.RawIOBase):
    """A file of one repeated byte that takes no memory, and may break."""

    def __init__(self, size_bytes: int, fill: bytes, breaks_at: int | None = None) -> None:
        self._size_bytes = size_bytes
        self._fill = fill
        self._breaks_at = breaks_at
        self._position = 0
        self.furthest_byte = 0

    def close(self) -> None:
        """Stay open for the next call."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._position = offset + (self._position if whence == os.SEEK_CUR else 0)
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        if self._breaks_at is not None and self._position >= self._breaks_at:
            raise OSError(5, "Input/output error")
        count = min(len(buffer), self._size_bytes - self._position)
        buffer[:count] = self._fill * count
        self._position += count
        self.furthest_byte = max(self.furthest_byte, self._position)
        return count


class SyntheticHost(HostFileSystem):
    """A host with one file that exists only while it is read."""

    def __init__(self, file: Synthetic) -> None:
        self._file = file

    def open(self, path: str) -> BinaryIO:
        assert path.endswith("/f")
        self._file.seek(0)
        return cast("BinaryIO", io.BufferedReader(self._file, 64 * 1024))


def synthetic(make_tree: MakeTree, file: Synthetic, **limits: int) -> Workspace:
    host = SyntheticHost(file)
    return Workspace({"/repo": make_tree({"f": ""})}, limits=Limits(**limits), file_system=host)


@pytest.mark.parametrize("mode", ["slice", "indentation"])
def test_a_huge_file_of_one_line_takes_no_memory(make_tree: MakeTree, mode: str) -> None:
    file = Synthetic(40 * MEGABYTE, b"x")
    workspace = synthetic(make_tree, file, max_line_bytes=MEGABYTE)

    tracemalloc.start()
    result = read_file(workspace, mode=mode)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert result.content == "L1: " + "x" * 500
    assert (result.truncated, result.next_arguments) == (True, None)
    assert result.warnings == ("1 line is longer than 500 bytes and is shown cut.",)
    assert peak_bytes < 8 * MEGABYTE


@pytest.mark.parametrize("mode", ["slice", "indentation"])
def test_a_file_is_read_no_further_than_the_answer_needs(make_tree: MakeTree, mode: str) -> None:
    file = Synthetic(40 * MEGABYTE, b"\n")

    result = read_file(synthetic(make_tree, file), mode=mode, limit=2)

    assert result.error is None
    assert file.furthest_byte <= MEGABYTE


def test_white_space_without_end_is_a_limit_in_indentation_mode_only(make_tree: MakeTree) -> None:
    workspace = synthetic(make_tree, Synthetic(2 * MEGABYTE, b" "), max_line_bytes=MEGABYTE)

    block, whole = read_file(workspace, mode="indentation"), read_file(workspace)

    assert block.content == (
        "failed to read file: max_line_bytes is 1,048,576; "
        "ask for less, for example a smaller limit, or use mode slice"
    )
    assert whole.content == "L1: " + " " * 500


@pytest.mark.parametrize(
    ("offset", "rules"), [(9, {}), (1, {"include_siblings": True})], ids=["above", "below"]
)
def test_a_block_holds_no_more_lines_than_the_limit(
    make_tree: MakeTree, offset: int, rules: dict[str, Any]
) -> None:
    root = make_tree({"f": "row\n" * 9})
    workspace = Workspace({"/repo": root}, limits=Limits(max_held_lines=5))
    block = {"mode": "indentation", "offset": offset, "indentation": rules}

    held = read_file(workspace, limit=4, **block)
    refused = read_file(workspace, limit=2**64 - 1, **block)

    assert held.error is None
    assert refused.content == (
        "failed to read file: max_held_lines is 5; "
        "ask for less, for example a smaller limit, or use mode slice"
    )


@pytest.mark.parametrize("mode", ["slice", "indentation"])
def test_a_host_that_fails_while_reading_is_worded_as_linux_words_it(
    make_tree: MakeTree, mode: str
) -> None:
    workspace = synthetic(make_tree, Synthetic(MEGABYTE, b"x", breaks_at=100_000))

    assert read_file(workspace, mode=mode).content == (
        "failed to read file: Input/output error (os error 5)"
    )


def test_a_cancelled_read_stops_at_the_next_block(make_tree: MakeTree) -> None:
    file = Synthetic(40 * MEGABYTE, b"x")
    registry = ToolRegistry(synthetic(make_tree, file))

    result = registry.call_tool("read_file", {"file_path": "/repo/f"}, is_cancelled=lambda: True)

    assert result.content == "Cancelled by user"
    assert file.furthest_byte < 4 * MEGABYTE
