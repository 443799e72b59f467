"""Requests about changes: what they take, and how a mistake of the page is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass.bridge import Bridge

MARK = "a whole number that is not negative"
FROM = f"'base' or {MARK}"
FORMATS = "'patch', 'archive' or 'manifest'"
PATCH = "*** Begin Patch\n*** Update File: /repo/a.txt\n-one\n+ONE\n*** End Patch"


def ask(bridge: Bridge, method: str, **params: Any) -> Any:
    return json.loads(bridge.handle(json.dumps({"method": method, "params": params})))


@pytest.fixture
def edited(make_tree: Callable[..., Path]) -> Bridge:
    """A bridge whose agent has proposed one change."""
    bridge = Bridge()
    tools = {"experimental_supported_tools": ["apply_patch"]}
    ask(bridge, "configure", config={"tools": tools})
    ask(bridge, "mount", path="/repo", host=str(make_tree({"a.txt": "one\ntwo\n"})))
    called = ask(bridge, "callTool", name="apply_patch", arguments={"input": PATCH})
    assert called["result"]["version"] == 1
    return bridge


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("changes", {"since": -1}, f"The option since of changes is {MARK}."),
        ("changes", {"since": True}, f"The option since of changes is {MARK}."),
        ("changes", {"till": 1}, "changes has no option till; the known ones are since."),
        ("undoChange", {"steps": 2}, "undo has no option steps; it has none."),
        ("diffChange", {}, "diff takes a path that begins with a slash."),
        ("keepChange", {"path": "x"}, "keep takes a path that begins with a slash."),
        ("diffChange", {"path": "/a", "from": "now"}, f"The option from of diff is {FROM}."),
        ("diffChange", {"path": "/a", "to": []}, f"The option to of diff is 'now' or {MARK}."),
        (
            "keepChange",
            {"path": "/a", "hunks": [1]},
            "The option hunks of keep is a list of at most 100000 strings.",
        ),
        (
            "keepChange",
            {"path": "/a", "isKept": 1},
            "The option isKept of keep is true or false.",
        ),
        ("rejectChange", {"path": "/a", "reason": 1}, "The option reason of reject is a string."),
        ("rejectChange", {"path": "/a", "of": -1}, f"The option of of reject is {MARK}."),
        (
            "rejectChange",
            {"path": "/a", "of": 1, "hunks": []},
            "The option of of reject takes nothing back: leave out hunks.",
        ),
        (
            "exportChanges",
            {"formt": "patch"},
            "exportChanges has no option formt; the known ones are format, leaveOut.",
        ),
        ("exportChanges", {}, f"The option format of exportChanges is {FORMATS}."),
        (
            "exportChanges",
            {"format": ["patch"]},
            f"The option format of exportChanges is {FORMATS}.",
        ),
        (
            "restoreState",
            {"state": "\u00e9"},
            "The option state of restoreState is a string in base64.",
        ),
        (
            "restoreState",
            {"state": None},
            "The option state of restoreState is a string in base64.",
        ),
    ],
)
def test_a_wrong_parameter_is_named(method: str, params: dict[str, Any], message: str) -> None:
    assert ask(Bridge(), method, **params) == {"error": {"name": "BadRequest", "message": message}}


@pytest.mark.parametrize(
    ("method", "known"),
    [("saveState", "it has none"), ("exportChanges", "the known ones are format, leaveOut")],
)
def test_parameters_have_to_be_an_object(method: str, known: str) -> None:
    answer = json.loads(Bridge().handle(json.dumps({"method": method, "params": None})))

    assert answer == {
        "error": {
            "name": "BadRequest",
            "message": f"{method} takes its options as an object; {known}.",
        }
    }


def test_optional_parameters_may_be_absent_or_null(edited: Bridge) -> None:
    assert [
        ask(edited, "changes")["result"]["version"],
        ask(edited, "keepChange", path="/repo/a.txt", hunks=None),
        ask(edited, "rejectChange", path="/repo/a.txt", reason=None),
        ask(edited, "undoChange")["result"]["version"],
    ] == [1, {"result": {"version": 1}}, {"result": {"version": 2}}, 3]


def test_a_mark_is_taken_away_again(edited: Bridge) -> None:
    decisions = []
    for is_kept in (True, False):
        ask(edited, "keepChange", path="/repo/a.txt", isKept=is_kept)
        decisions.append(ask(edited, "diffChange", path="/repo/a.txt")["result"]["decision"])

    assert decisions == ["kept", "pending"]


def test_a_reason_follows_the_rejection_that_it_is_of(edited: Bridge) -> None:
    assert [
        ask(edited, "rejectChange", path="/repo/a.txt"),
        ask(edited, "rejectChange", path="/repo/a.txt", of=2, reason="keep it"),
        ask(edited, "takeNotes"),
    ] == [
        {"result": {"version": 2}},
        {"result": {"version": 2}},
        {"result": {"notes": ["/repo/a.txt: the person rejected the change: keep it"]}},
    ]


def test_each_export_has_its_form(edited: Bridge) -> None:
    exported = {
        form: ask(edited, "exportChanges", format=form, leaveOut=[])["result"]
        for form in ("patch", "archive", "manifest")
    }

    assert {form: list(result) for form, result in exported.items()} == {
        "patch": ["base64"],
        "archive": ["base64"],
        "manifest": ["manifest"],
    }


def test_what_was_saved_is_restored_after_all_was_discarded(edited: Bridge) -> None:
    state = ask(edited, "saveState")["result"]["state"]
    before = ask(edited, "diffChange", path="/repo/a.txt")
    ask(edited, "discardChanges")
    none = ask(edited, "changes")["result"]["entries"]
    ask(edited, "restoreState", state=state)

    assert none == []
    assert ask(edited, "diffChange", path="/repo/a.txt") == before
    assert ask(edited, "takeNotes") == {"result": {"notes": []}}


def test_a_mount_with_changes_stays_until_they_are_discarded(
    edited: Bridge, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    ask(edited, "mount", path="/other", host=str(other))

    refused = ask(edited, "unmount", path="/repo")
    free = ask(edited, "unmount", path="/other")
    ask(edited, "discardChanges")

    assert refused == {
        "error": {
            "name": "WorkspaceInvalid",
            "message": (
                "/repo cannot be unmounted while /repo/a.txt has proposed changes; export the "
                "changes, and discard or reject them"
            ),
        }
    }
    assert free == {"result": {"mounts": ["/repo"]}}
    assert ask(edited, "unmount", path="/repo") == {"result": {"mounts": []}}
