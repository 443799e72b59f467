"""An unreadable path is refused, and every other call works."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scale.refusals import (
    MODIFIED_S,
    BadPath,
    assert_next_calls_work,
    assert_refused,
    listed_entry,
    listing,
    make_bad_tree,
    registry_on,
    told,
)
from tests.support.hosts.privileges_support import without_privileges


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


_LOCKED = BadPath(
    *("/repo/locked", "Permission denied (os error 13)"),
    *("locked", ("ACCESS_DENIED", "Permission denied accessing 'locked'.")),
    "locked",
    (
        "ExecutionFailed",
        "cannot read directory: locked (Permission denied); choose another directory",
    ),
    resolved="locked",
)

needs_permissions = pytest.mark.skipif(
    not _permissions_bind(), reason="permissions bind no user here"
)


@needs_permissions
@pytest.mark.parametrize(
    ("tool", "path"),
    [
        *((tool, _LOCKED) for tool in ("list_dir", "LS", "list_directory")),
        ("read_file", _LOCKED._replace(codex="/repo/locked.txt")),
        ("read_file", _LOCKED._replace(codex="/repo/locked/x")),
    ],
    ids=["list_dir", "LS", "list_directory", "read_file", "read_file inside"],
)
def test_what_may_not_be_read_is_refused(locked_tree: Path, tool: str, path: BadPath) -> None:
    registry = registry_on(locked_tree)
    with without_privileges():
        assert_refused(registry, tool, path)


@needs_permissions
def test_a_directory_above_an_unreadable_one_is_refused_by_list_dir(locked_tree: Path) -> None:
    registry = registry_on(locked_tree)
    with without_privileges():
        answer = told(registry.call_tool("list_dir", {"dir_path": "/repo", "depth": 2}))
        assert answer == _LOCKED.refusal("list_dir")
        assert_next_calls_work(registry)


@needs_permissions
def test_an_unreadable_directory_is_one_unknown_entry_of_list_directory(
    locked_tree: Path,
) -> None:
    registry = registry_on(locked_tree)
    deep = {"path": ".", "recursive": True, "max_depth": 2}
    arguments = {**deep, "include_symlinks": False, "include_files": False}
    (locked_tree / "src" / "app.py").unlink()
    os.utime(locked_tree / "src", (MODIFIED_S, MODIFIED_S))
    with without_privileges():
        answer = told(registry.call_tool("list_directory", arguments))
    assert answer == listing(
        listed_entry("locked", "unknown", "read_dir_failed", "failed to read directory"),
        listed_entry("src", "dir"),
    )
