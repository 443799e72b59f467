"""Patches over links, and hunks that meet what earlier ones have made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from treeglass import Config, ToolRegistry, Workspace
from treeglass.workspace.nodes import Directory, File

if TYPE_CHECKING:
    from pathlib import Path

    from treeglass.workspace.nodes import Node

SUCCESS = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n"
FAILURE = "Exit code: 1\nWall time: 0 seconds\nOutput:\n"
NEW = File(b"n\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "run.sh").write_text("go\n")
    (tmp_path / "run.sh").chmod(0o755)
    links = {"ln": "a", "run": "run.sh", "dead": "nope", "loop": "loop"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    return tmp_path


def registry_over(folder: Path) -> ToolRegistry:
    tools = {"experimental_supported_tools": ["apply_patch"], "approval": {"mode": "auto"}}
    return ToolRegistry(Workspace({"/repo": folder}), Config.from_object({"tools": tools}))


def apply(folder: Path, *lines: str) -> tuple[str, dict[str, Node | None]]:
    """Return the answer to a patch of these lines, and what it proposes."""
    registry = registry_over(folder)
    patch = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
    result = registry.call_tool("apply_patch", patch)
    proposals = registry.workspace.overlay.record.proposals
    return result.content, {path: each.after for path, each in proposals.items()}


def add(path: str) -> list[str]:
    return [f"*** Add File: {path}", "+n"]


def test_a_link_that_leads_nowhere_is_written_through(folder: Path) -> None:
    assert apply(folder, *add("dead")) == (f"{SUCCESS}A dead\n", {"/repo/nope": NEW})


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("dead/x", "Failed to create parent directories for /repo/dead/x"),
        ("dead/x/y", "Failed to create parent directories for /repo/dead/x/y"),
        ("loop", "Failed to write file /repo/loop"),
        ("loop/x", "Failed to write file /repo/loop/x"),
    ],
)
def test_no_directory_is_made_below_a_link_that_leads_nowhere(
    folder: Path, path: str, fault: str
) -> None:
    assert apply(folder, *add(path)) == (f"{FAILURE}{fault}\n", {})


def test_a_link_leads_nowhere_once_its_file_was_deleted(folder: Path) -> None:
    hunks = ["*** Delete File: a", "*** Delete File: ln"]

    assert apply(folder, *hunks) == (f"{FAILURE}Failed to delete file /repo/ln\n", {})


def test_a_link_that_is_moved_is_gone_and_its_file_stays(folder: Path) -> None:
    hunk = ["*** Update File: run", "*** Move to: new", "-go", "+stop"]

    assert apply(folder, *hunk) == (
        f"{SUCCESS}M new\n",
        {"/repo/new": File(b"stop\n", 0o755), "/repo/run": None},
    )


def test_a_move_of_a_link_onto_its_file_takes_the_link_away(folder: Path) -> None:
    hunk = ["*** Update File: ln", "*** Move to: a", "-1", "+2"]

    assert apply(folder, *hunk) == (
        f"{SUCCESS}M a\n",
        {"/repo/a": File(b"2\n"), "/repo/ln": None},
    )


@pytest.mark.parametrize(("path", "to"), [("a", "./a"), ("a", "ln"), ("ln", "ln")])
def test_a_move_onto_itself_is_an_update_in_place(folder: Path, path: str, to: str) -> None:
    hunk = [f"*** Update File: {path}", f"*** Move to: {to}", "-1", "+2"]

    assert apply(folder, *hunk) == (f"{SUCCESS}M {to}\n", {"/repo/a": File(b"2\n")})


def test_a_file_may_give_way_to_a_directory(folder: Path) -> None:
    assert apply(folder, "*** Delete File: a", *add("a/b")) == (
        f"{SUCCESS}A a/b\nD a\n",
        {"/repo/a": Directory(), "/repo/a/b": NEW},
    )


@pytest.mark.parametrize("paths", [("n", "n/x"), ("n/x", "n")])
def test_a_new_file_is_no_directory(folder: Path, paths: tuple[str, str]) -> None:
    hunks = [line for path in paths for line in add(path)]

    fault = f"{FAILURE}Failed to write file /repo/{paths[1]}\n"
    assert apply(folder, *hunks) == (fault, {})


TARGET_BECOMES_DIRECTORY = ["*** Delete File: a", *add("a/b")]


@pytest.mark.parametrize(
    ("gone", "written"), [("ln", "ln/n"), ("ln", "ln/d/n"), ("d/up", "d/up/n"), ("dl/up", "d/up/n")]
)
def test_nothing_is_written_by_way_of_a_link_that_the_same_patch_deletes(
    folder: Path, gone: str, written: str
) -> None:
    (folder / "d").mkdir()
    (folder / "d/up").symlink_to("../a")
    (folder / "dl").symlink_to("d")

    told = apply(folder, f"*** Delete File: {gone}", *TARGET_BECOMES_DIRECTORY, *add(written))

    assert told == (f"{FAILURE}Failed to write file /repo/{written}\n", {})


def test_a_deleted_link_stays_gone_if_its_file_is_added_by_another_name(folder: Path) -> None:
    (folder / "d").mkdir()
    (folder / "d/up").symlink_to("../a")
    (folder / "dl").symlink_to("d")

    told = apply(folder, "*** Delete File: d/up", *add("dl/up"))

    assert told == (f"{FAILURE}Failed to write file /repo/dl/up\n", {})


def test_a_link_that_an_earlier_call_deleted_makes_room_for_a_directory(folder: Path) -> None:
    registry = registry_over(folder)
    for lines in (["*** Delete File: ln"], TARGET_BECOMES_DIRECTORY, add("ln/n")):
        patch = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
        assert not registry.call_tool("apply_patch", patch).is_error

    proposals = registry.workspace.overlay.record.proposals
    assert {path: each.after for path, each in proposals.items()} == {
        "/repo/ln": Directory(),
        "/repo/a": Directory(),
        "/repo/a/b": NEW,
        "/repo/ln/n": NEW,
    }
