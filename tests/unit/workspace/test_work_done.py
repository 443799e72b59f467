"""A call asks the host for no more than its answer needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.unit.workspace.counted_file_system import CountedFileSystem
from treeglass import Config, ToolRegistry, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_MIB = 1024 * 1024
_LINE = b"x" * 79 + b"\n"
_LINES_PER_MIB = _MIB // len(_LINE) + 1


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
