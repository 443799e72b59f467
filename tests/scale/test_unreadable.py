"""An unreadable path is refused, and every other call works."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from tests.support.privileges_support import without_privileges

if TYPE_CHECKING:
    from collections.abc import Iterator


def _permissions_bind() -> bool:
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0)
        with without_privileges():
            as_themselves = os.access in os.supports_effective_ids
            return not os.access(file.name, os.R_OK, effective_ids=as_themselves)


@pytest.fixture
def locked_tree() -> Iterator[Path]:
    """A tree that every user may enter, with a file and a directory that no user may read."""
    # Not pytest's own folder, which only its owner may enter.
    top = Path(tempfile.mkdtemp())
    try:
        tree = make_bad_tree(top)
        (tree / "locked.txt").write_text("x\n", "utf-8")
        (tree / "locked").mkdir()
        for path in (tree / "locked.txt", tree / "locked"):
            os.utime(path, (MODIFIED_S, MODIFIED_S))
            path.chmod(0)
        top.chmod(0o755)
        yield tree
        (tree / "locked").chmod(0o755)
    finally:
        shutil.rmtree(top)


@pytest.mark.skipif(not _permissions_bind(), reason="permissions bind no user here")
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
    with without_privileges():
        assert told(registry.call_tool(tool, arguments)) == expected
        assert_next_calls_work(registry)


@pytest.mark.skipif(not _permissions_bind(), reason="permissions bind no user here")
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
    os.utime(locked_tree / "src", (MODIFIED_S, MODIFIED_S))
    with without_privileges():
        answer = told(registry.call_tool("list_directory", arguments))
    expected = root_listing(
        [
            listed_entry("locked", "unknown", "read_dir_failed", "failed to read directory"),
            listed_entry("src", "dir"),
        ]
    )
    assert answer == expected._replace(
        warnings=("Entries that cannot be inspected or read, see error_code: 1.",)
    )
