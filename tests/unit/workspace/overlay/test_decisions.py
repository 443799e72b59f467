"""What a person decides: to keep, to reject with a reason, and what is told of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.workspace.overlay.proposing import (
    content,
    edited,
    listed,
    open_lines,
    propose,
    shown,
)
from treeglass.errors import StaleHunk, UnknownChange, UnknownHunk

MakeTree = Callable[..., Path]


def test_a_rejected_hunk_is_back_as_the_mount_has_it_and_tools_see_that(
    make_tree: MakeTree,
) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x", l30="y")})
    overlay = workspace.overlay
    first, second = overlay.diff("/repo/a.txt").hunks

    version = overlay.reject("/repo/a.txt", [first.key], reason="keep the old name")

    assert (version, content(workspace)) == (2, edited(l30="y"))
    assert overlay.take_notes() == (
        "/repo/a.txt: the person rejected 1 of 2 changes: keep the old name",
    )
    assert overlay.take_notes() == ()
    assert [hunk.key for hunk in overlay.diff("/repo/a.txt").hunks] == [second.key]


def test_a_rejection_gets_its_reason_later_and_is_told_once(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x", l30="y")})
    overlay = workspace.overlay
    first, second = overlay.diff("/repo/a.txt").hunks

    version = overlay.reject("/repo/a.txt", [first.key])
    assert overlay.reject("/repo/a.txt", reason="keep the old name", of=version) == version
    told = overlay.take_notes()
    later = overlay.reject("/repo/a.txt", [second.key])
    told_before = overlay.take_notes()
    overlay.reject("/repo/a.txt", reason="too late to be one note", of=later)

    assert told == ("/repo/a.txt: the person rejected 1 of 2 changes: keep the old name",)
    assert told_before == ("/repo/a.txt: the person rejected the change.",)
    assert overlay.take_notes() == (
        "/repo/a.txt: the person rejected the change: too late to be one note",
    )
    assert [content(workspace), len(overlay.changes().steps)] == [edited(), 3]


def test_a_rejection_has_its_own_version_though_another_step_follows_at_once(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x")})
    overlay = workspace.overlay
    decide = overlay.decide

    def decide_before_another_step(*args: Any, **kwargs: Any) -> bool:
        is_decided = decide(*args, **kwargs)
        propose(workspace, {"/repo/b.txt": "b\n"})
        return is_decided

    monkeypatch.setattr(overlay, "decide", decide_before_another_step)
    version = overlay.reject("/repo/a.txt")
    overlay.reject("/repo/a.txt", reason="keep it", of=version)

    assert (version, overlay.version) == (2, 3)
    assert overlay.take_notes() == ("/repo/a.txt: the person rejected the change: keep it",)


@pytest.mark.parametrize(("path", "of"), [("/repo/a.txt", 1), ("/repo/b.txt", 2)])
def test_a_reason_of_no_rejection_is_refused(make_tree: MakeTree, path: str, of: int) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x")})
    workspace.overlay.reject("/repo/a.txt")

    with pytest.raises(UnknownChange, match=f"^step {of} rejected nothing of {path} that lacks"):
        workspace.overlay.reject(path, reason="no", of=of)
    with pytest.raises(ValueError, match=r"^of takes nothing back: leave out hunks$"):
        workspace.overlay.reject(path, [], reason="no", of=of)


def test_a_rejected_file_is_the_mounts_again_and_a_new_one_is_gone_with_its_directories(
    make_tree: MakeTree,
) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": "x", "/repo/n/m/new": "n", "/repo/n/other": "o"})
    overlay = workspace.overlay

    overlay.reject("/repo/a.txt")
    overlay.reject("/repo/n/m/new")

    assert shown(workspace) == {"a.txt": edited().encode(), "n": "/", "n/other": b"o"}
    overlay.undo()
    assert shown(workspace) == {
        "a.txt": edited().encode(),
        "n": "/",
        "n/m": "/",
        "n/m/new": b"n",
        "n/other": b"o",
    }


def test_a_hunk_that_an_agent_has_changed_since_is_stale(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x")})
    overlay = workspace.overlay
    key = overlay.diff("/repo/a.txt").hunks[0].key
    propose(workspace, {"/repo/a.txt": edited(l3="y")})

    with pytest.raises(StaleHunk):
        overlay.reject("/repo/a.txt", [key])
    with pytest.raises(StaleHunk):
        overlay.keep("/repo/a.txt", [key])
    assert (overlay.version, content(workspace)) == (2, edited(l3="y"))


def test_what_names_no_change_or_hunk_is_refused(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x")})
    overlay = workspace.overlay

    with pytest.raises(UnknownChange) as change:
        overlay.reject("/repo/b.txt")
    with pytest.raises(UnknownHunk):
        overlay.reject("/repo/a.txt", ["no key"])
    with pytest.raises(UnknownChange) as out:
        overlay.export_patch(["/repo/b.txt"])
    assert str(change.value) == "/repo/b.txt does not differ from its mount"
    assert str(out.value) == (
        "/repo/b.txt is no change and no hunk; changes() and diff() name them"
    )


def test_a_kept_hunk_is_kept_until_its_lines_change(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x", l30="y")})
    overlay = workspace.overlay
    first, second = overlay.diff("/repo/a.txt").hunks

    overlay.keep("/repo/a.txt", [first.key])
    partly = [hunk.decision for hunk in overlay.diff("/repo/a.txt").hunks]
    overlay.keep("/repo/a.txt", [second.key])
    whole = listed(workspace)
    propose(workspace, {"/repo/a.txt": edited(l3="x", l30="z")})

    assert partly == ["kept", "pending"]
    assert whole == [("/repo/a.txt", "modify", "kept")]
    assert [hunk.decision for hunk in overlay.diff("/repo/a.txt").hunks] == ["kept", "pending"]
    assert listed(workspace) == [("/repo/a.txt", "modify", "pending")]


def test_a_mark_is_taken_away_from_a_hunk_and_then_from_its_file(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x", l30="y")})
    overlay = workspace.overlay
    first, _ = overlay.diff("/repo/a.txt").hunks
    overlay.keep("/repo/a.txt")
    decisions = [(listed(workspace), [each.decision for each in overlay.diff("/repo/a.txt").hunks])]

    for hunks in ([first.key], None):
        overlay.keep("/repo/a.txt", hunks, is_kept=False)
        hunks_now = overlay.diff("/repo/a.txt").hunks
        decisions.append((listed(workspace), [each.decision for each in hunks_now]))

    assert decisions == [
        ([("/repo/a.txt", "modify", "kept")], ["kept", "kept"]),
        ([("/repo/a.txt", "modify", "pending")], ["pending", "kept"]),
        ([("/repo/a.txt", "modify", "pending")], ["pending", "pending"]),
    ]


def test_the_last_thousand_notes_wait_for_a_host(make_tree: MakeTree) -> None:
    workspace = open_lines(make_tree)
    propose(workspace, {"/repo/a.txt": edited(l3="x"), "/repo/b.txt": "b"})
    overlay = workspace.overlay
    overlay.reject("/repo/b.txt")
    for _ in range(500):
        overlay.undo()
        overlay.redo()

    assert (
        overlay.take_notes()
        == (
            "The person took back changes of /repo/b.txt.",
            "The person brought back changes of /repo/b.txt.",
        )
        * 500
    )
