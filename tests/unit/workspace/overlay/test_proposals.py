from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.unit.workspace.overlay.proposing import propose, shown
from treeglass import Limits, Workspace
from treeglass.errors import (
    ChangeRefused,
    IsADirectory,
    LimitExceeded,
    NotADirectory,
    NotARegularFile,
    PathEscapesWorkspace,
    PathNotFound,
    WorkspaceInvalid,
)
from treeglass.workspace import Entry, Status
from treeglass.workspace.plan import Plan

MakeTree = Callable[..., Path]
MS = 1_000_000


def test_a_proposed_file_has_its_own_size_and_the_time_of_its_step(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"a.txt": "old"})})

    propose(workspace, {"/repo/a.txt": "longer", "/repo/n.txt": ""}, now_ms=5_000)

    directory = workspace.resolve("/repo")
    entries = [Entry("a.txt", "file"), Entry("n.txt", "file")]
    expected = [Status("file", 6, 5_000 * MS), Status("file", 0, 5_000 * MS)]
    assert sorted(workspace.scan(directory)) == entries
    assert [*workspace.statuses(directory, entries)] == expected
    assert workspace.known_statuses(directory, entries) == expected
    assert workspace.modified_times(directory, entries) == [5_000 * MS, 5_000 * MS]


def test_each_step_is_later_than_the_one_before_whatever_the_clock_says(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({})})
    times = []
    for now_ms in (5_000, 5_000, 10):
        propose(workspace, {"/repo/a": str(now_ms)}, now_ms=now_ms)
        times.append(workspace.status(workspace.resolve("/repo/a")).modified_ns)

    assert times == [5_000 * MS, 5_001 * MS, 5_002 * MS]


def test_a_file_keeps_its_permissions_and_a_moved_one_takes_them_along(
    make_tree: MakeTree,
) -> None:
    root = make_tree({"run.sh": "x", "old.sh": "y"})
    (root / "run.sh").chmod(0o755)
    (root / "old.sh").chmod(0o755)
    workspace = Workspace({"/repo": root})

    propose(
        workspace,
        {"/repo/run.sh": "z", "/repo/new.sh": "y", "/repo/other": "o"},
        gone=("/repo/old.sh",),
        moved={"/repo/new.sh": "/repo/old.sh"},
    )

    paths = ("/repo/run.sh", "/repo/new.sh", "/repo/other")
    assert [workspace.permissions(workspace.resolve(path)) for path in paths] == [
        *(0o755, 0o755, 0o644)
    ]


def test_a_call_that_began_before_another_step_commits_nothing(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "1"})})
    overlay = workspace.overlay
    plan = Plan(workspace, lambda _path: None)
    plan.write(workspace.resolve("/repo/a"), b"late")
    begun = overlay.record
    propose(workspace, {"/repo/b": "first"})

    is_committed = overlay.commit(
        plan.changes, since=begun, modified_ns=overlay.next_ns(1), name="late"
    )

    assert (is_committed, shown(workspace)) == (False, {"a": b"1", "b": b"first"})


def test_a_link_that_takes_the_place_of_a_planned_file_is_refused(
    make_tree: MakeTree, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("s")
    root = make_tree({"a": "1"})
    workspace = Workspace({"/repo": root})
    plan = Plan(workspace, lambda _path: None)
    plan.write(workspace.resolve("/repo/a"), b"2")
    (root / "a").unlink()
    (root / "a").symlink_to(tmp_path / "secret")

    with pytest.raises(PathEscapesWorkspace):
        workspace.overlay.commit(
            plan.changes, since=workspace.overlay.record, modified_ns=MS, name="swapped"
        )


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/repo", IsADirectory),
        ("/", IsADirectory),
        ("/other/a", PathNotFound),
        ("/other", PathNotFound),
        ("/repo/\ud800", PathNotFound),
        ("/repo/loop", NotARegularFile),
        ("/repo/d", IsADirectory),
        ("/repo/f/below", NotADirectory),
        ("/repo/f/far/below", NotADirectory),
    ],
)
def test_a_path_that_no_file_can_have_is_refused_by_the_plan(
    make_tree: MakeTree, path: str, error: type[Exception]
) -> None:
    workspace = Workspace({"/repo": make_tree({"d": None, "f": "x", "loop": "-> loop"})})

    with pytest.raises(error):
        Plan(workspace, lambda _path: None).write(workspace.resolve(path, strict=False), b"")


@pytest.mark.parametrize(
    ("limits", "written", "limit"),
    [
        ({"max_changed_file_bytes": 3}, {"/repo/a": "1234"}, "max_changed_file_bytes"),
        ({"max_proposal_entries": 1}, {"/repo/a": "1", "/repo/b": "2"}, "max_proposal_entries"),
        ({"max_proposal_bytes": 7}, {"/repo/a": "12345"}, "max_proposal_bytes"),
    ],
)
def test_a_plan_above_a_limit_changes_nothing(
    make_tree: MakeTree, limits: dict[str, int], written: dict[str, str], limit: str
) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "old"})}, limits=Limits(**limits))

    with pytest.raises(LimitExceeded) as caught:
        propose(workspace, written)
    assert (caught.value.limit, shown(workspace)) == (limit, {"a": b"old"})


def test_an_undo_is_a_step_that_can_be_taken_back_too(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "0"})})
    overlay = workspace.overlay
    propose(workspace, {"/repo/a": "1"})
    propose(workspace, {"/repo/a": "2", "/repo/n/b": "b"})
    seen = [shown(workspace)]
    for act in (overlay.undo, overlay.undo, overlay.undo, overlay.redo, overlay.redo, overlay.redo):
        act()
        seen.append(shown(workspace))

    first, second = {"a": b"1"}, {"a": b"2", "n": "/", "n/b": b"b"}
    nothing = {"a": b"0"}
    assert seen == [second, first, nothing, nothing, first, second, second]
    assert [(step.name, step.by, step.of) for step in overlay.record.steps] == [
        *[("tool", "tool", None), ("tool", "tool", None), ("undo", "person", 2)],
        *[("undo", "person", 1), ("redo", "person", 4), ("redo", "person", 3)],
    ]


def test_an_undo_gives_a_file_a_new_time_so_that_no_lock_takes_it_for_the_old_one(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({})})
    propose(workspace, {"/repo/a": "1"}, now_ms=1_000)
    propose(workspace, {"/repo/a": "2"}, now_ms=2_000)
    workspace.overlay.undo(now_ms=3_000)

    assert workspace.status(workspace.resolve("/repo/a")) == Status("file", 1, 3_000 * MS)


def test_steps_beyond_the_limit_stay_and_can_no_longer_be_undone(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({})}, limits=Limits(max_undo_steps=2))
    for number in range(4):
        propose(workspace, {"/repo/a": str(number)})
    undone = [workspace.overlay.undo() is not None for _ in range(3)]

    assert (undone, shown(workspace)) == ([True, False, False], {"a": b"2"})


def test_a_file_that_is_made_and_deleted_again_is_no_change(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({})})
    propose(workspace, {"/repo/a": "1"})
    propose(workspace, {}, gone=("/repo/a",))

    assert (dict(workspace.overlay.record.proposals), shown(workspace)) == ({}, {})


def test_a_deleted_link_is_gone_itself_and_its_target_stays(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"real": "r", "ln": "-> real"})})
    plan = Plan(workspace, lambda _path: None)
    plan.delete(workspace.enter(workspace.resolve("/repo"), Entry("ln", "symlink")))

    workspace.overlay.commit(
        plan.changes, since=workspace.overlay.record, modified_ns=MS, name="delete"
    )

    assert shown(workspace) == {"real": b"r"}


def test_a_discard_forgets_everything_and_a_running_call_commits_nothing(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "0"})})
    overlay = workspace.overlay
    propose(workspace, {"/repo/a": "1"})
    overlay.remember("codex", {"key": 1})
    plan = Plan(workspace, lambda _path: None)
    plan.write(workspace.resolve("/repo/a"), b"late")
    begun = overlay.record
    overlay.discard()

    is_committed = overlay.commit(plan.changes, since=begun, modified_ns=MS, name="late")
    assert (is_committed, shown(workspace), overlay.seen) == (False, {"a": b"0"}, {})
    # A page that has seen version 1 is told that something else is there now.
    assert (overlay.undo(), overlay.version) == (None, 2)


def test_the_overlay_goes_along_to_the_workspace_that_stands_in(make_tree: MakeTree) -> None:
    both = make_tree({"repo/a": "0", "other/x": "1"})
    root, other = both / "repo", both / "other"
    workspace = Workspace({"/repo": root})
    propose(workspace, {"/repo/a": "1", "/repo/n/b": "b"})

    next_one = Workspace({"/repo": root, "/other": other}, overlay=workspace.overlay)

    assert shown(next_one) == {"a": b"1", "n": "/", "n/b": b"b"}
    assert shown(next_one, "/other") == {"x": b"1"}


def test_a_workspace_without_the_mount_of_a_proposal_is_refused(make_tree: MakeTree) -> None:
    both = make_tree({"repo/a": "0", "other": None})
    workspace = Workspace({"/repo": both / "repo"})
    propose(workspace, {"/repo/a": "1"})

    with pytest.raises(WorkspaceInvalid) as caught:
        Workspace({"/other": both / "other"}, overlay=workspace.overlay)
    assert str(caught.value) == (
        "/repo/a has proposed changes, and /repo is not mounted; mount it, or discard the changes"
    )


def test_an_undo_passes_over_the_steps_in_a_tree_that_is_gone(make_tree: MakeTree) -> None:
    both = make_tree({"repo/a": "0", "other/b": "1"})
    workspace = Workspace({"/repo": both / "repo", "/other": both / "other"})
    propose(workspace, {"/other/b": "2"})
    propose(workspace, {"/repo/a": "1"})
    workspace.overlay.reject("/repo/a")
    left = Workspace({"/other": both / "other"}, overlay=workspace.overlay)

    undone = left.overlay.undo()

    assert undone is not None
    assert (undone.of, shown(left, "/other"), left.overlay.undo()) == (1, {"b": b"1"}, None)


def test_a_file_that_is_mounted_at_two_paths_cannot_be_changed(make_tree: MakeTree) -> None:
    root = make_tree({"in/f": "0", "g": "1"})
    workspace = Workspace({"/a": root, "/b": root / "in"})
    propose(workspace, {"/a/g": "changed"})

    for path in ("/a/in/f", "/b/f"):
        with pytest.raises(ChangeRefused) as caught:
            propose(workspace, {path: "x"})
        assert caught.value.reason == "its folder is mounted at another path, too"


def test_a_directory_keeps_its_order_and_its_ceiling(make_tree: MakeTree) -> None:
    root = make_tree({f"f{number}": "x" for number in range(8)})
    workspace = Workspace({"/repo": root}, limits=Limits(max_directory_entries=7))
    before = [entry.name for entry in Workspace({"/repo": root}).scan(workspace.resolve("/repo"))]
    propose(workspace, {"/repo/f3": "changed"})

    with pytest.raises(LimitExceeded):
        workspace.scan(workspace.resolve("/repo"))
    propose(workspace, {}, gone=("/repo/f0",))
    listed = [entry.name for entry in workspace.scan(workspace.resolve("/repo"))]
    assert listed == [name for name in before if name != "f0"]


def test_an_undo_counts_what_it_alone_holds(make_tree: MakeTree) -> None:
    content = "x" * 1000
    workspace = Workspace(
        {"/repo": make_tree({"a": content})}, limits=Limits(max_proposal_bytes=5000)
    )
    for _ in range(8):
        propose(workspace, {}, gone=("/repo/a",))
        workspace.overlay.reject("/repo/a")

    held = sum(step.held_bytes for step in workspace.overlay.record.steps)
    assert (held <= 5000, len(workspace.overlay.record.steps) < 16) == (True, True)


def test_calls_at_once_make_one_overlay(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "0"})})
    with ThreadPoolExecutor(8) as pool:
        found = {id(each) for each in pool.map(lambda _: workspace.overlay, range(64))}

    assert len(found) == 1
