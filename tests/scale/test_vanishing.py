"""Files and directories that vanish between one look and the next."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.scale.refusals import (
    MODIFIED_S,
    NO_FILE,
    TOOLS,
    BadPath,
    Told,
    assert_next_calls_work,
    assert_refused,
    codex_refusal,
    listed_entry,
    listing,
    make_bad_tree,
    registry_on,
    told,
)
from treeglass import ToolRegistry
from treeglass.workspace.host import HostFileSystem


class VanishingFileSystem(HostFileSystem):
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


class VanishingEntries(HostFileSystem):
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


_GONE = BadPath(
    *("/repo/gone", NO_FILE),
    *("gone", ("NOT_FOUND", "Path 'gone' does not exist.")),
    "gone",
    (
        "ExecutionFailed",
        "path does not exist: gone; list its parent directory to see what is there",
    ),
    resolved="gone",
)


@pytest.mark.parametrize("tool", TOOLS)
def test_what_vanishes_before_it_is_opened_is_not_there(
    vanishing: Callable[[str], ToolRegistry], tool: str
) -> None:
    name = "gone.txt" if tool == "read_file" else "gone"
    assert_refused(vanishing(name), tool, _GONE._replace(codex=f"/repo/{name}"))


def test_a_directory_above_one_that_vanishes_is_refused_by_list_dir(
    vanishing: Callable[[str], ToolRegistry],
) -> None:
    registry = vanishing("gone")
    answer = told(registry.call_tool("list_dir", {"dir_path": "/repo", "depth": 2}))
    assert answer == _GONE.refusal("list_dir")
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
    kept = listed_entry("kept", "dir")
    assert answer == listing(
        listed_entry("gone", "unknown", "metadata_unavailable", "metadata unavailable"), kept
    )
    assert told(registry.call_tool("list_directory", {"path": "."})) == listing(kept)


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
