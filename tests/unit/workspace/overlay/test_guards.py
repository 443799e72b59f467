"""A plan and a commit ask the gate anew: a path that leads elsewhere by then is refused."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.unit.workspace.overlay.proposing import propose, shown
from treeglass import Limits, Workspace
from treeglass.errors import (
    IsADirectory,
    LimitExceeded,
    NotARegularFile,
    PathEscapesWorkspace,
    PathNotFound,
    StateInvalid,
)
from treeglass.workspace.host import HostFileSystem
from treeglass.workspace.nodes import Change, File
from treeglass.workspace.plan import Plan

MakeTree = Callable[..., Path]
TREE = {"d/e/a": "1", "other/e/a": "2", "loop": "-> loop"}


def plan_of(workspace: Workspace) -> Plan:
    return Plan(workspace, lambda _path: None)


def put_link(path: Path, target: str) -> None:
    """Put a link in the place of what is there."""
    path.rename(path.with_name("aside"))
    path.symlink_to(target)


def commit(workspace: Workspace, *changes: Change) -> bool:
    overlay = workspace.overlay
    return overlay.commit(changes, since=overlay.record, modified_ns=1_000_000, name="tool")


@pytest.mark.parametrize(
    ("target", "planned", "committed"),
    [
        pytest.param("other", PathNotFound, PathEscapesWorkspace, id="within the mount"),
        pytest.param("..", PathEscapesWorkspace, PathEscapesWorkspace, id="out of the mount"),
        pytest.param("d", PathNotFound, PathEscapesWorkspace, id="to itself"),
        pytest.param("nowhere", PathNotFound, PathEscapesWorkspace, id="nowhere"),
    ],
)
def test_a_directory_above_that_became_a_link_is_not_followed(
    make_tree: MakeTree, target: str, planned: type[Exception], committed: type[Exception]
) -> None:
    root = make_tree(TREE)
    workspace = Workspace({"/repo": root})
    path = workspace.resolve("/repo/d/e/a")
    early = plan_of(workspace)
    early.write(path, b"new")
    put_link(root / "d", target)

    with pytest.raises(planned):
        plan_of(workspace).write(path, b"new")
    with pytest.raises(committed):
        commit(workspace, *early.changes)
    assert dict(workspace.overlay.record.proposals) == {}


def test_a_path_that_leads_nowhere_on_the_host_is_refused_by_a_commit(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)})
    path = workspace.resolve("/repo/loop/n", strict=False)

    assert path.host is None
    with pytest.raises(PathEscapesWorkspace):
        commit(workspace, Change(path, File(b"new")))


def test_what_was_planned_over_another_folder_is_refused_by_a_commit(
    make_tree: MakeTree, tmp_path: Path
) -> None:
    (tmp_path / "another").mkdir()
    workspace = Workspace({"/repo": make_tree({"a": "1"})})
    plan = plan_of(workspace)
    plan.write(workspace.resolve("/repo/a"), b"new")
    remounted = Workspace({"/repo": tmp_path / "another"}, overlay=workspace.overlay)

    with pytest.raises(PathEscapesWorkspace):
        commit(remounted, *plan.changes)


def test_a_file_that_took_the_place_of_a_mounted_folder_is_not_changed_by_a_plan(
    make_tree: MakeTree,
) -> None:
    root = make_tree({})
    workspace = Workspace({"/repo": root})
    root.rmdir()
    root.write_text("1")
    plan, path = plan_of(workspace), workspace.resolve("/repo")

    with pytest.raises(PathNotFound):
        plan.write(path, b"new")
    with pytest.raises(PathNotFound):
        plan.delete(path)
    assert plan.changes == ()


def test_only_a_file_or_a_link_that_is_there_is_deleted_by_a_plan(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)})
    plan = plan_of(workspace)
    file = workspace.resolve("/repo/d/e/a")
    plan.delete(file)

    with pytest.raises(PathNotFound):
        plan.delete(file)
    with pytest.raises(PathNotFound):
        plan.delete(workspace.resolve("/repo/none", strict=False))
    with pytest.raises(IsADirectory):
        plan.delete(workspace.resolve("/repo/d"))
    with pytest.raises(IsADirectory):
        plan.delete(workspace.resolve("/repo"))
    assert plan.changes == (Change(file, None),)


def test_a_pipe_that_took_the_place_of_a_file_is_not_opened_by_a_commit(
    make_tree: MakeTree,
) -> None:
    if sys.platform == "win32":
        pytest.skip("this system has no pipes in folders")
    root = make_tree({"a": "1"})
    workspace = Workspace({"/repo": root})
    plan = plan_of(workspace)
    plan.write(workspace.resolve("/repo/a"), b"new")
    (root / "a").unlink()
    os.mkfifo(root / "a")

    with pytest.raises(NotARegularFile):
        commit(workspace, *plan.changes)


class _NeverOpened(HostFileSystem):
    def open(self, path: str) -> BinaryIO:
        raise AssertionError(path)


def test_a_base_that_is_too_large_is_not_read_by_a_commit(make_tree: MakeTree) -> None:
    limits = Limits(max_proposal_bytes=10)
    root = make_tree({"a": 11 * "1"})
    workspace = Workspace({"/repo": root}, limits=limits, file_system=_NeverOpened())
    plan = plan_of(workspace)
    plan.delete(workspace.resolve("/repo/a"))

    with pytest.raises(LimitExceeded):
        commit(workspace, *plan.changes)


def test_a_decision_on_a_record_that_another_step_has_left_changes_nothing(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "1"})})
    propose(workspace, {"/repo/a": "2"})
    since = workspace.overlay.record
    propose(workspace, {"/repo/a": "3"})

    is_decided = workspace.overlay.decide({"/repo/a": None}, "reject", since=since)

    assert (is_decided, shown(workspace)) == (False, {"a": b"3"})


@pytest.mark.parametrize(
    "limits",
    [Limits(max_proposal_entries=1), Limits(max_proposal_bytes=3)],
    ids=["entries", "bytes"],
)
def test_a_state_above_the_limits_of_a_workspace_is_refused(
    make_tree: MakeTree, limits: Limits
) -> None:
    root = make_tree({"a": "1", "b": "2"})
    workspace = Workspace({"/repo": root})
    propose(workspace, {"/repo/a": "3", "/repo/b": "4"})
    saved = workspace.overlay.save_state()
    smaller = Workspace({"/repo": root}, limits=limits)

    with pytest.raises(StateInvalid):
        smaller.overlay.restore_state(saved)
    assert shown(smaller) == {"a": b"1", "b": b"2"}
