"""Patches over links, and hunks that meet what earlier ones have made."""

from pathlib import Path

import pytest

from tests.unit.tools.codex.patch_calls import FAILURE, SUCCESS, Tree, delete
from tests.unit.tools.codex.patch_calls import add as add_lines
from treeglass.workspace.nodes import File


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "run.sh").write_text("go\n")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "d").mkdir()
    links = {"ln": "a", "run": "run.sh", "dead": "nope", "loop": "loop", "d/up": "../a", "dl": "d"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    return Tree(tmp_path)


def add(path: str) -> list[str]:
    return add_lines(path, "n")


def applied(tree: Tree, *hunks: list[str]) -> tuple[str, dict[str, bytes | str | None]]:
    """Return the answer to a patch of these hunks, and what it proposes."""
    return tree.apply(*hunks).content, tree.proposed


def test_a_link_that_leads_nowhere_is_written_through(tree: Tree) -> None:
    assert applied(tree, add("dead")) == (f"{SUCCESS}A dead\n", {"nope": b"n\n"})


@pytest.mark.parametrize(
    ("hunks", "fault"),
    [
        ([add("dead/x")], "Failed to create parent directories for /repo/dead/x"),
        ([add("dead/x/y")], "Failed to create parent directories for /repo/dead/x/y"),
        ([add("loop")], "Failed to write file /repo/loop"),
        ([add("loop/x")], "Failed to write file /repo/loop/x"),
        # A link leads nowhere once its file was deleted.
        ([delete("a"), delete("ln")], "Failed to delete file /repo/ln"),
        # A deleted link stays gone if its file is added by another name.
        ([delete("d/up"), add("dl/up")], "Failed to write file /repo/dl/up"),
    ],
)
def test_nothing_is_made_or_deleted_through_a_link_that_leads_nowhere(
    tree: Tree, hunks: list[list[str]], fault: str
) -> None:
    assert applied(tree, *hunks) == (f"{FAILURE}{fault}\n", {})


def test_a_link_that_is_moved_is_gone_and_its_file_stays(tree: Tree) -> None:
    hunk = ["*** Update File: run", "*** Move to: new", "-go", "+stop"]

    assert applied(tree, hunk) == (f"{SUCCESS}M new\n", {"new": b"stop\n", "run": None})
    moved = tree.workspace.overlay.record.proposals["/repo/new"]
    assert moved.after == File(b"stop\n", 0o755)


def test_a_move_of_a_link_onto_its_file_takes_the_link_away(tree: Tree) -> None:
    hunk = ["*** Update File: ln", "*** Move to: a", "-1", "+2"]

    assert applied(tree, hunk) == (f"{SUCCESS}M a\n", {"a": b"2\n", "ln": None})


def test_a_file_may_give_way_to_a_directory(tree: Tree) -> None:
    assert applied(tree, delete("a"), add("a/b")) == (
        f"{SUCCESS}A a/b\nD a\n",
        {"a": "directory", "a/b": b"n\n"},
    )


TARGET_BECOMES_DIRECTORY = [delete("a"), add("a/b")]


@pytest.mark.parametrize(
    ("gone", "written"), [("ln", "ln/n"), ("ln", "ln/d/n"), ("d/up", "d/up/n"), ("dl/up", "d/up/n")]
)
def test_nothing_is_written_by_way_of_a_link_that_the_same_patch_deletes(
    tree: Tree, gone: str, written: str
) -> None:
    told = applied(tree, delete(gone), *TARGET_BECOMES_DIRECTORY, add(written))

    assert told == (f"{FAILURE}Failed to write file /repo/{written}\n", {})


def test_a_link_that_an_earlier_call_deleted_makes_room_for_a_directory(tree: Tree) -> None:
    for hunks in ([delete("ln")], TARGET_BECOMES_DIRECTORY, [add("ln/n")]):
        assert not tree.apply(*hunks).is_error

    assert tree.proposed == {
        "ln": "directory",
        "a": "directory",
        "a/b": b"n\n",
        "ln/n": b"n\n",
    }
