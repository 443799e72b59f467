"""Files and directories that vanish between one look and the next."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest

from tests.scale.refusals import (
    MODIFIED_S,
    Told,
    assert_next_calls_work,
    codex_refusal,
    envelope_refusal,
    forge_refusal,
    listed_entry,
    make_bad_tree,
    registry_on,
    root_listing,
    told,
)
from treeglass.workspace.host import OsFileSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from treeglass import ToolRegistry


class VanishingFileSystem(OsFileSystem):
    """A disk that something else empties: what it is about to open has just gone.

    Args:
        name: Last name of the path that goes.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if Path(path).name == self._name:
            shutil.rmtree(path)
        return super().scandir(path)

    def open(self, path: str) -> BinaryIO:
        if Path(path).name == self._name:
            Path(path).unlink()
        return super().open(path)


class VanishingEntries(OsFileSystem):
    """A disk that loses an entry right after the listing named it."""

    def __init__(self, name: str) -> None:
        self._name = name

    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with super().scandir(path) as entries:
            listed = list(entries)
            for entry in listed:
                if entry.name == self._name:
                    Path(path, entry.name).unlink()
            yield iter(listed)


@pytest.fixture
def vanishing(tmp_path: Path) -> Callable[[str], ToolRegistry]:
    """The tools on a tree from which one name goes as soon as it is opened."""
    tree = make_bad_tree(tmp_path)
    (tree / "gone").mkdir()
    (tree / "gone" / "x").write_text("x\n", "utf-8")
    (tree / "gone.txt").write_text("x\n", "utf-8")
    return lambda name: registry_on(tree, VanishingFileSystem(name))


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "expected"),
    [
        pytest.param(
            "gone",
            "list_dir",
            {"dir_path": "/repo/gone"},
            codex_refusal("failed to read directory: No such file or directory (os error 2)"),
            id="list_dir",
        ),
        pytest.param(
            "gone",
            "list_dir",
            {"dir_path": "/repo", "depth": 2},
            codex_refusal("failed to read directory: No such file or directory (os error 2)"),
            id="list_dir of the directory above",
        ),
        pytest.param(
            "gone.txt",
            "read_file",
            {"file_path": "/repo/gone.txt"},
            codex_refusal("failed to read file: No such file or directory (os error 2)"),
            id="read_file",
        ),
        pytest.param(
            "gone",
            "LS",
            {"path": "gone"},
            envelope_refusal(
                "NOT_FOUND",
                "Path 'gone' does not exist.",
                echo={"path": "gone"},
                path_resolved="gone",
            ),
            id="LS",
        ),
        pytest.param(
            "gone",
            "list_directory",
            {"path": "gone"},
            forge_refusal(
                "ExecutionFailed",
                "path does not exist: gone; list its parent directory to see what is there",
            ),
            id="list_directory",
        ),
    ],
)
def test_what_vanishes_before_it_is_opened_is_not_there(
    vanishing: Callable[[str], ToolRegistry],
    name: str,
    tool: str,
    arguments: dict[str, Any],
    expected: Told,
) -> None:
    registry = vanishing(name)
    assert told(registry.call_tool(tool, arguments)) == expected
    assert_next_calls_work(registry)


def _tree_with_a_file_that_goes(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "gone").write_text("x", "utf-8")
    (tree / "kept").mkdir()
    os.utime(tree / "kept", (MODIFIED_S, MODIFIED_S))
    return tree


def test_an_entry_that_vanishes_while_it_is_listed_is_an_unknown_entry_of_list_directory(
    tmp_path: Path,
) -> None:
    registry = registry_on(_tree_with_a_file_that_goes(tmp_path), VanishingEntries("gone"))
    answer = told(registry.call_tool("list_directory", {"path": "."}))
    expected = root_listing(
        [
            listed_entry("gone", "unknown", "metadata_unavailable", "metadata unavailable"),
            listed_entry("kept", "dir"),
        ]
    )
    assert answer == expected._replace(
        warnings=("Entries that cannot be inspected or read, see error_code: 1.",)
    )
    assert told(registry.call_tool("list_directory", {"path": "."})) == root_listing(
        [listed_entry("kept", "dir")]
    )


def test_an_entry_that_vanishes_while_it_is_listed_is_still_named_by_list_dir_and_then_not_read(
    tmp_path: Path,
) -> None:
    registry = registry_on(_tree_with_a_file_that_goes(tmp_path), VanishingEntries("gone"))
    listed = told(registry.call_tool("list_dir", {"dir_path": "/repo"}))
    assert listed == Told("Absolute path: /repo\ngone\nkept/")
    assert told(registry.call_tool("read_file", {"file_path": "/repo/gone"})) == codex_refusal(
        "failed to read file: No such file or directory (os error 2)"
    )
    assert told(registry.call_tool("list_dir", {"dir_path": "/repo"})) == Told(
        "Absolute path: /repo\nkept/"
    )
