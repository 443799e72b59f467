from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.tools.envelope.edit_calls import Session, context_of, data_of, failure, text_of
from treeglass import Limits
from treeglass.tools.envelope.changes.arguments import WriteArgs
from treeglass.tools.envelope.changes.definitions import WRITE

MakeTree = Callable[..., Path]
OUTSIDE = ("ACCESS_DENIED", "Path must be within project root.")
TREE: dict[str, str | bytes | None] = {
    "a.txt": "one\n",
    "latin": b"caf\xe9\r\n",
    "d": None,
    ".git/config": "",
    "to_itself": "-> to_itself",
}


@pytest.fixture
def folder(make_tree: MakeTree) -> Path:
    return make_tree(TREE)


def test_a_file_and_its_directories_are_one_proposal(folder: Path) -> None:
    session = Session(folder)

    result = session.write("x/y/n.txt", "one\n")

    assert text_of(result) == "Created 'x/y/n.txt' (1 lines, 4 bytes).\n(Created directory: x/y/)"
    assert session.proposed() == ["/repo/x", "/repo/x/y", "/repo/x/y/n.txt"]
    assert len(session.workspace.overlay.record.steps) == 1
    assert result.warnings == ()


def test_a_file_that_was_not_read_is_replaced_with_a_warning(folder: Path) -> None:
    session = Session(folder)

    assert session.write("a.txt", "two\n", dry_run=True).warnings == ()
    assert session.write("a.txt", "two\n").warnings == (
        "'a.txt' was replaced, and was not read in this session.",
    )
    session.read("a.txt")
    assert session.write("a.txt", "three\n").warnings == ()


def test_a_file_that_is_no_utf_8_is_replaced(folder: Path) -> None:
    session = Session(folder)

    result = session.write("latin", "new\n")

    assert data_of(result)["diff_preview"] == (
        "--- a/latin\n\n+++ b/latin\n\n@@ -1 +1 @@\n\n-caf\ufffd\n\n+new\n"
    )
    assert session.content("/repo/latin") == b"new\n"


@pytest.mark.parametrize("path", ["to_itself", "to_itself/n.txt", "../n.txt", "a\0b", "d/../../n"])
def test_what_is_not_in_the_project_is_not_written(folder: Path, path: str) -> None:
    session = Session(folder)

    result = session.write(path, "x")

    assert failure(result) == OUTSIDE
    assert "path_resolved" not in context_of(result)
    assert session.proposed() == []


def test_above_the_mounts_nothing_is_written(folder: Path) -> None:
    session = Session(folder)

    assert failure(session.write("..", "x")) == OUTSIDE
    assert failure(session.write(".", "x")) == ("IS_DIRECTORY", "Target path is a directory.")


@pytest.mark.parametrize(
    ("path", "error", "shown"),
    [
        (
            "a.txt/n.txt",
            (
                "EXECUTION_ERROR",
                "Disk full or IO error: [Errno 20] Not a directory: '/repo/a.txt/n.txt'",
            ),
            "[Dry Run] Would create 'a.txt/n.txt' (+1 lines).",
        ),
        (
            "a.txt/b/n.txt",
            (
                "INTERNAL_ERROR",
                "Failed to create directory: [Errno 20] Not a directory: '/repo/a.txt/b'",
            ),
            "[Dry Run] Would create 'a.txt/b/n.txt' (+1 lines).\n(Created directory: a.txt/b/)",
        ),
    ],
)
def test_a_path_through_a_file_fails_unless_it_is_only_tried(
    folder: Path, path: str, error: tuple[str, str], shown: str
) -> None:
    session = Session(folder)

    result = session.write(path, "x")

    assert failure(result) == error
    assert context_of(result)["path_resolved"] == path
    assert text_of(session.write(path, "x", dry_run=True)) == shown
    assert session.proposed() == []


def test_a_path_that_the_configuration_refuses_is_said_to_be(folder: Path) -> None:
    session = Session(folder)

    for is_dry_run in (False, True):
        result = session.write(".git/config", "x", dry_run=is_dry_run)

        assert failure(result) == (
            "PERMISSION_DENIED",
            (
                "Permission denied writing to file. /repo/.git/config may not be changed: "
                "it matches '**/.git/**' of tools.edit.deny."
            ),
        )
        assert context_of(result)["path_resolved"] == ".git/config"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(max_patch_bytes=9), "max_patch_bytes is 9"),
        (Limits(max_changed_file_bytes=9), "max_changed_file_bytes is 9"),
        (Limits(max_proposal_bytes=9), "max_proposal_bytes is 9"),
        (Limits(max_held_lines=9), "max_held_lines is 9"),
    ],
)
def test_more_than_a_limit_is_refused_by_its_name(folder: Path, limits: Limits, said: str) -> None:
    session = Session(folder, limits=limits)

    result = session.write("n.txt", 10 * "\n")

    assert failure(result) == (
        "EXECUTION_ERROR",
        f"Disk full or IO error: {said}; write less at once.",
    )
    assert context_of(result)["path_resolved"] == "n.txt"
    assert session.proposed() == []


def test_an_answer_over_the_budget_repeats_no_arguments(folder: Path) -> None:
    session = Session(folder)
    content = 1000 * "0123456789\n"

    result = session.write("n.txt", content)
    arguments = {"path": "n.txt", "content": content}
    smaller = session.call("Write", arguments, max_output_bytes=9000)
    changed = {"path": "n.txt", "content": 1000 * "9876543210\n"}
    smallest = session.call("Write", changed, max_output_bytes=800)

    assert context_of(result)["params_input"] == arguments
    assert context_of(smaller)["params_input"] is None
    assert data_of(smaller)["diff_preview"] == ""
    assert smallest.truncated
    assert len(smallest.content) <= 800
    assert data_of(smallest)["diff_preview"].endswith("\n-0123456789\n\n... (truncated)")
    assert text_of(smallest).endswith("(Diff preview truncated. Use Read to verify full content.)")


def test_hostile_characters_of_a_name_are_spelled_out(folder: Path) -> None:
    session = Session(folder)

    result = session.write("a\u202eb\n.txt", "x\n")

    assert text_of(result) == r"Created 'a\u{202E}b\u{A}.txt' (1 lines, 2 bytes)."
    assert context_of(result)["path_resolved"] == "a\u202eb\n.txt"
    assert "\u202e" not in data_of(result)["diff_preview"]
    assert len(result.warnings) == 1


@pytest.mark.parametrize(
    ("args", "summary"),
    [
        (WriteArgs("./src//a.py", "x", dry_run=False), "Write the file 'src/a.py' with 1 byte"),
        (
            WriteArgs("a.py", 1200 * "é", dry_run=True),
            "Write the file 'a.py' with 2,400 bytes, as a dry run",
        ),
    ],
)
def test_a_person_who_approves_sees_the_path_and_the_size(
    folder: Path, args: WriteArgs, summary: str
) -> None:
    assert WRITE.approval_summary(args, Session(folder).config) == summary
