from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.workspace.overlay.proposing import (
    content,
    edited,
    listed,
    open_lines,
    propose,
    shown,
)
from treeglass import Workspace
from treeglass.errors import StateInvalid, UnknownChange, WorkspaceInvalid
from treeglass.workspace import Entry
from treeglass.workspace.plan import Plan

MakeTree = Callable[..., Path]


def test_changes_are_listed_with_counts_sizes_and_steps(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree, old="o\n")
    propose(workspace, {"/repo/a.txt": edited(l3="x")}, group="turn 1")
    propose(workspace, {"/repo/new": "o\n"}, gone=("/repo/old",), moved={"/repo/new": "/repo/old"})

    found = workspace.overlay.changes()

    assert [
        (each.path, each.operation, each.renamed_from, each.added, each.removed, each.after_bytes)
        for each in found.entries
    ] == [
        ("/repo/a.txt", "modify", None, 1, 1, len(edited(l3="x"))),
        ("/repo/new", "rename", "/repo/old", 0, 0, 2),
    ]
    assert [(step.number, step.by, step.group, step.paths) for step in found.steps] == [
        (1, "tool", "turn 1", ("/repo/a.txt",)),
        (2, "tool", None, ("/repo/new", "/repo/old")),
    ]


def test_changes_since_a_step_are_those_of_the_later_steps_alone(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x")})
    propose(workspace, {"/repo/b.txt": "b\n"})
    propose(workspace, {"/repo/a.txt": edited(l3="y")})

    overlay = workspace.overlay
    since = overlay.changes(since=2)
    turn = overlay.diff("/repo/a.txt", start=2)

    assert [(each.path, each.operation) for each in since.entries] == [("/repo/a.txt", "modify")]
    assert [line for line in turn.hunks[0].lines if line[0] != " "] == [("-", "x"), ("+", "y")]


@pytest.mark.parametrize("mark", [3, 99])
def test_a_step_that_there_is_not_is_refused(make_tree: MakeTree, mark: int) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x")})

    with pytest.raises(UnknownChange) as caught:
        workspace.overlay.changes(since=mark)
    assert str(caught.value) == (
        f"step {mark} is not kept; the steps that are end with 1, and at most 200 are kept"
    )


def test_what_is_left_out_of_an_export_stays_proposed(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree, b="b\n")
    propose(workspace, {"/repo/a.txt": edited(l3="x", l30="y"), "/repo/b": "c\n"})
    overlay = workspace.overlay
    first = overlay.diff("/repo/a.txt").hunks[0]

    patch = overlay.export_patch(["/repo/b", first.key]).decode()

    changed = [line for line in patch.splitlines() if line[:1] in "+-"]
    assert changed == ["--- a/a.txt", "+++ b/a.txt", "-line 30", "+y"]
    assert content(workspace) == edited(l3="x", l30="y")
    assert [each["path"] for each in overlay.manifest(["/repo/a.txt"])["entries"]] == ["/repo/b"]


def test_a_state_brings_everything_back_with_its_undo(make_tree: MakeTree) -> None:
    root = make_tree({"a.txt": edited()})
    workspace = Workspace({"/repo": root})
    overlay = workspace.overlay
    propose(workspace, {"/repo/a.txt": edited(l3="x")})
    propose(workspace, {"/repo/n/b": "b"})
    overlay.keep("/repo/n/b")
    overlay.remember("codex", {"key": 1})
    saved = overlay.save_state()

    restored = Workspace({"/repo": root})
    restored.overlay.restore_state(saved)

    assert (shown(restored), listed(restored)) == (shown(workspace), listed(workspace))
    assert restored.overlay.save_state() == saved
    assert (restored.overlay.seen, restored.overlay.version) == ({"codex": {"key": 1}}, 2)
    restored.overlay.undo()
    restored.overlay.undo()
    assert shown(restored) == {"a.txt": edited().encode()}


def test_a_state_tells_which_files_have_changed_since(make_tree: MakeTree) -> None:
    root = make_tree({"a.txt": edited()})
    workspace = Workspace({"/repo": root})
    propose(workspace, {"/repo/a.txt": "x"})
    saved = workspace.overlay.save_state()
    (root / "a.txt").write_text("other")

    restored = Workspace({"/repo": root})
    restored.overlay.restore_state(saved)

    assert [each.base_state for each in restored.overlay.changes().entries] == ["changed"]


def test_a_state_that_is_cut_or_changed_or_whose_mount_is_not_there_is_refused(
    make_tree: MakeTree,
) -> None:
    root = make_tree({"a.txt": "a"})
    workspace = Workspace({"/repo": root})
    propose(workspace, {"/repo/a.txt": "x"})
    saved = workspace.overlay.save_state()
    elsewhere = Workspace({"/other": root})

    broken = [b"", saved[:-1], saved.replace(b"modified_ns", b"modified"), b"x" + saved]
    for state in broken:
        with pytest.raises(StateInvalid):
            workspace.overlay.restore_state(state)
    with pytest.raises(WorkspaceInvalid) as caught:
        elsewhere.overlay.restore_state(saved)
    assert str(caught.value) == (
        "/repo/a.txt has proposed changes, and /repo is not mounted; mount it, or discard "
        "the changes"
    )
    assert shown(workspace) == {"a.txt": b"x"}


def test_a_name_that_is_unsafe_to_export_is_flagged(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/con.txt": "c", "/repo/A.txt": "a", "/repo/b ": "b", "/repo/ok": "o"})

    names = {each.path: each.flags.get("name") for each in workspace.overlay.changes().entries}

    assert names == {
        "/repo/A.txt": None,
        "/repo/b ": "a name in it ends in a dot or a blank, which Windows drops",
        "/repo/con.txt": "Windows reserves a name in it",
        "/repo/ok": None,
    }
    assert workspace.overlay.diff("/repo/con.txt").flags["name"] == "Windows reserves a name in it"


def test_a_rejected_directory_takes_along_what_lies_in_it(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/d/x": "x"})
    propose(workspace, {}, gone=("/repo/a.txt",))
    propose(workspace, {"/repo/a.txt/b": "b"})

    workspace.overlay.reject("/repo/d")
    workspace.overlay.reject("/repo/a.txt")

    assert (shown(workspace), listed(workspace)) == ({"a.txt": edited().encode()}, [])


def test_the_diff_of_what_took_the_place_of_a_link_shows_the_new_content(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({"real": "r\n", "ln": "-> real"})})
    plan = Plan(workspace, lambda _path: None)
    plan.delete(workspace.enter(workspace.resolve("/repo"), Entry("ln", "symlink")))
    overlay = workspace.overlay
    overlay.commit(plan.changes, since=overlay.record, modified_ns=1, name="delete")
    propose(workspace, {"/repo/ln": "new\n"})

    diff = overlay.diff("/repo/ln")

    assert (diff.operation, [hunk.lines for hunk in diff.hunks]) == ("create", [(("+", "new"),)])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"/repo/a.txt":', '"/repo/../a.txt":'),
        ('"/repo/a.txt":', '"/etc/passwd":'),
        ('"/repo/a.txt":', '"/repo/":'),
        ('"/repo/a.txt":', '"/repo/a\\u0000b":'),
        ('"renamed_from":null', '"renamed_from":5'),
        ('"renamed_from":null', '"renamed_from":"../a"'),
        ('"mount_point":"/repo"', '"mount_point":"/"'),
        ('"kept":[]', '"kept":[{}]'),
        ('"seen":{', '"seen":[],"x":{'),
        ('"version":1', '"version":1e999'),
        ('"version":1', '"version":7'),
    ],
)
def test_a_state_that_was_made_by_hand_is_refused_whole(
    make_tree: MakeTree, old: str, new: str
) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": "x"})
    saved = workspace.overlay.save_state()
    assert old.encode() in saved

    with pytest.raises(StateInvalid):
        workspace.overlay.restore_state(saved.replace(old.encode(), new.encode()))
    assert workspace.overlay.save_state() == saved


def test_a_new_directory_is_a_change_once_nothing_is_left_in_it(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    overlay = workspace.overlay
    propose(workspace, {"/repo/n/m/new": "n"})
    filled, later = listed(workspace), overlay.changes(since=1).entries
    overlay.reject("/repo/n")
    rejected = listed(workspace)
    overlay.undo()
    propose(workspace, {}, gone=("/repo/n/m/new",))

    assert filled == [("/repo/n/m/new", "create", "pending")]
    assert (rejected, later) == ([], ())
    assert listed(workspace) == [("/repo/n/m", "create", "pending")]
    assert [each.kind for each in overlay.changes().entries] == ["directory"]


def test_a_directory_of_which_nothing_is_exported_is_left_out_with_its_files(
    make_tree: MakeTree,
) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/n/m/new": "n", "/repo/n/other": "o"})
    overlay = workspace.overlay
    (hunk,) = overlay.diff("/repo/n/other").hunks

    def exported(*left_out: str) -> list[str]:
        return [each["path"] for each in overlay.manifest(left_out)["entries"]]

    assert exported() == ["/repo/n", "/repo/n/m", "/repo/n/m/new", "/repo/n/other"]
    assert exported("/repo/n/m/new") == ["/repo/n", "/repo/n/other"]
    assert exported("/repo/n/m/new", hunk.key) == []
