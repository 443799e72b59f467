"""What may not be read, and what vanishes between one look and the next."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest

from tests.scale.refusals import (
    Told,
    assert_next_calls_work,
    codex_refusal,
    envelope_refusal,
    forge_refusal,
    make_bad_tree,
    registry_on,
    told,
)
from treeglass.workspace.host import OsFileSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from treeglass import ToolRegistry

_NOBODY = 65_534
_MODIFIED_S = 1_600_000_000


@contextmanager
def _without_privileges() -> Iterator[None]:
    """Be somebody whom permissions bind while the context lasts."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def _permissions_bind() -> bool:
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0)
        with _without_privileges():
            return not os.access(file.name, os.R_OK, effective_ids=True)


@pytest.fixture
def locked_tree() -> Iterator[Path]:
    """A tree that anybody may enter, with a file and a directory that nobody may read."""
    # Not pytest's own folder, which only its owner may enter.
    top = Path(tempfile.mkdtemp())
    try:
        tree = make_bad_tree(top)
        (tree / "locked.txt").write_text("x\n", "utf-8")
        (tree / "locked").mkdir()
        for path in (tree / "locked.txt", tree / "locked"):
            os.utime(path, (_MODIFIED_S, _MODIFIED_S))
            path.chmod(0)
        top.chmod(0o755)
        yield tree
        (tree / "locked").chmod(0o755)
    finally:
        shutil.rmtree(top)


@pytest.mark.skipif(not _permissions_bind(), reason="permissions bind nobody here")
@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        pytest.param(
            "list_dir",
            {"dir_path": "/repo/locked"},
            codex_refusal("failed to read directory: Permission denied (os error 13)"),
            id="list_dir",
        ),
        pytest.param(
            "list_dir",
            {"dir_path": "/repo", "depth": 2},
            codex_refusal("failed to read directory: Permission denied (os error 13)"),
            id="list_dir of the directory above",
        ),
        pytest.param(
            "read_file",
            {"file_path": "/repo/locked.txt"},
            codex_refusal("failed to read file: Permission denied (os error 13)"),
            id="read_file",
        ),
        pytest.param(
            "read_file",
            {"file_path": "/repo/locked/x"},
            codex_refusal("failed to read file: Permission denied (os error 13)"),
            id="read_file inside",
        ),
        pytest.param(
            "LS",
            {"path": "locked"},
            envelope_refusal(
                "ACCESS_DENIED",
                "Permission denied accessing 'locked'.",
                echo={"path": "locked"},
                path_resolved="locked",
            ),
            id="LS",
        ),
        pytest.param(
            "list_directory",
            {"path": "locked"},
            forge_refusal(
                "ExecutionFailed",
                "cannot read directory: locked (Permission denied); choose another directory",
            ),
            id="list_directory",
        ),
    ],
)
def test_what_may_not_be_read_is_refused(
    locked_tree: Path, tool: str, arguments: dict[str, Any], expected: Told
) -> None:
    registry = registry_on(locked_tree)
    with _without_privileges():
        assert told(registry.call_tool(tool, arguments)) == expected
        assert_next_calls_work(registry)


@pytest.mark.skipif(not _permissions_bind(), reason="permissions bind nobody here")
def test_an_unreadable_directory_is_one_unknown_entry_of_list_directory(
    locked_tree: Path,
) -> None:
    registry = registry_on(locked_tree)
    arguments = {
        "path": ".",
        "recursive": True,
        "max_depth": 2,
        "include_symlinks": False,
        "include_files": False,
    }
    (locked_tree / "src" / "app.py").unlink()
    os.utime(locked_tree / "src", (_MODIFIED_S, _MODIFIED_S))
    with _without_privileges():
        answer = told(registry.call_tool("list_directory", arguments))
    expected = _listing(
        [
            _entry("locked", "unknown", "read_dir_failed", "failed to read directory"),
            _entry("src", "dir"),
        ]
    )
    assert answer == expected._replace(
        warnings=("Entries that cannot be inspected or read, see error_code: 1.",)
    )


def _entry(
    name: str, kind: str, error_code: str | None = None, error: str | None = None
) -> dict[str, Any]:
    return {
        "name": name,
        "path": name,
        "depth": 1,
        "type": kind,
        "size_bytes": None,
        "modified_epoch_ms": None if error_code == "metadata_unavailable" else _MODIFIED_S * 1000,
        "is_hidden": False,
        "error_code": error_code,
        "error": error,
    }


def _listing(entries: list[dict[str, Any]]) -> Told:
    listing = {
        "path": ".",
        "entries": entries,
        "returned": len(entries),
        "max_entries": 200,
        "truncated": False,
        "truncated_reason": None,
    }
    return Told(json.dumps(listing, separators=(",", ":")), structured=listing)


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
                Path(entry.path).unlink()
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
    for name in ("gone", "kept"):
        (tree / name).mkdir() if name == "kept" else (tree / name).write_text("x", "utf-8")
    os.utime(tree / "kept", (_MODIFIED_S, _MODIFIED_S))
    return tree


def test_an_entry_that_vanishes_while_it_is_listed_is_an_unknown_entry_of_list_directory(
    tmp_path: Path,
) -> None:
    registry = registry_on(_tree_with_a_file_that_goes(tmp_path), VanishingEntries("gone"))
    answer = told(registry.call_tool("list_directory", {"path": "."}))
    expected = _listing(
        [
            _entry("gone", "unknown", "metadata_unavailable", "metadata unavailable"),
            _entry("kept", "dir"),
        ]
    )
    assert answer == expected._replace(
        warnings=("Entries that cannot be inspected or read, see error_code: 1.",)
    )
    assert told(registry.call_tool("list_directory", {"path": "."})) == _listing(
        [_entry("kept", "dir")]
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
