from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.unit.tools.envelope.edit_calls import Session, context_of, data_of, failure
from treeglass import Limits
from treeglass.tools.envelope.changes.arguments import EditArgs, MultiEditArgs, Replacement
from treeglass.tools.envelope.changes.definitions import EDIT, MULTI_EDIT

MakeTree = Callable[..., Path]
TREE: dict[str, str | bytes | None] = {
    "a.txt": "one\ntwo\nthree\n",
    "mixed.txt": b"one\r\ntwo\nthree\r\nfour\n\n",
    "crlf.txt": b"one\r\ntwo\r\nthree\n",
    "latin": b"caf\xe9\none\n",
    "nul": b"one\n\0",
    ".git/config": "one\n",
    "d": None,
    "to_itself": "-> to_itself",
}
EDITORS = ("Edit", "MultiEdit")


@pytest.fixture
def folder(make_tree: MakeTree) -> Path:
    return make_tree(TREE)


def edit_by(session: Session, tool: str, path: str, old: str, new: str, **more: Any) -> Any:
    if tool == "Edit":
        return session.edit(path, old, new, **more)
    return session.multi_edit(path, (old, new), **more)


@pytest.mark.parametrize("tool", EDITORS)
def test_a_mixed_file_is_made_one_kind_with_a_warning(folder: Path, tool: str) -> None:
    session = Session(folder)
    session.read("mixed.txt")
    session.read("crlf.txt")

    assert edit_by(session, tool, "mixed.txt", "four", "4").warnings == (
        "'mixed.txt' has mixed line ends; 2 line ends CRLF become LF.",
    )
    assert edit_by(session, tool, "crlf.txt", "two\nthree", "2\r\n3").warnings == (
        "'crlf.txt' has mixed line ends; 1 line end LF become CRLF.",
    )
    assert session.content("/repo/mixed.txt") == b"one\ntwo\nthree\n4\n\n"
    assert session.content("/repo/crlf.txt") == b"one\r\n2\r\n3\r\n"


@pytest.mark.parametrize("tool", EDITORS)
@pytest.mark.parametrize("path", ["latin", "nul"])
def test_a_file_that_is_no_text_is_not_edited(folder: Path, tool: str, path: str) -> None:
    session = Session(folder)
    status = session.workspace.status(session.workspace.resolve(f"/repo/{path}"))
    lock = {
        "expected_mtime_ms": (status.modified_ns or 0) // 1_000_000,
        "expected_size_bytes": status.size_bytes,
    }

    assert failure(edit_by(session, tool, path, "one", "1", **lock)) == (
        "BINARY_FILE",
        f"File '{path}' appears to be binary. Cannot edit binary files.",
    )


@pytest.mark.parametrize(
    ("tool", "what_next"),
    [
        ("Edit", "Use Write to create new files."),
        ("MultiEdit", "MultiEdit cannot create files, use Write instead."),
    ],
)
@pytest.mark.parametrize("path", ["none.txt", "to_itself", "to_itself/x", "a.txt/x", "d/"])
def test_what_is_no_file_is_not_edited(folder: Path, tool: str, what_next: str, path: str) -> None:
    result = edit_by(Session(folder), tool, path, "one", "1")

    assert failure(result) == (
        ("IS_DIRECTORY", f"Path '{path}' is a directory, not a file.")
        if path == "d/"
        else ("NOT_FOUND", f"File '{path}' does not exist. {what_next}")
    )
    assert context_of(result)["path_resolved"] == path.rstrip("/")


@pytest.mark.parametrize("tool", EDITORS)
def test_what_is_not_in_the_project_is_not_edited(folder: Path, tool: str) -> None:
    session = Session(folder)

    for path in ("../x", "a\0b"):
        result = edit_by(session, tool, path, "one", "1")

        assert failure(result) == ("ACCESS_DENIED", "Path must be within project root.")
        assert "path_resolved" not in context_of(result)


@pytest.mark.parametrize("tool", EDITORS)
def test_a_name_that_is_too_long_is_a_fault_of_writing(folder: Path, tool: str) -> None:
    name = 256 * "n"

    result = edit_by(Session(folder), tool, name, "one", "1")

    assert failure(result) == (
        "EXECUTION_ERROR",
        f"Disk full or IO error: [Errno 36] File name too long: '/repo/{name}'",
    )
    assert "path_resolved" not in context_of(result)


@pytest.mark.parametrize("tool", EDITORS)
def test_a_boolean_is_no_integer(folder: Path, tool: str) -> None:
    lock = {"expected_mtime_ms": 1, "expected_size_bytes": True}

    assert failure(edit_by(Session(folder), tool, "a.txt", "one", "1", **lock)) == (
        "INVALID_PARAM",
        "Parameter 'expected_size_bytes' must be an integer.",
    )


@pytest.mark.parametrize("tool", EDITORS)
def test_a_path_that_the_configuration_refuses_is_said_to_be(folder: Path, tool: str) -> None:
    session = Session(folder)
    session.read(".git/config")

    assert failure(edit_by(session, tool, ".git/config", "one", "1")) == (
        "PERMISSION_DENIED",
        (
            "Permission denied writing to file. /repo/.git/config may not be changed: "
            "it matches '**/.git/**' of tools.edit.deny."
        ),
    )


@pytest.mark.parametrize("tool", EDITORS)
@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(max_patch_bytes=19), "max_patch_bytes is 19"),
        (Limits(max_changed_file_bytes=30), "max_changed_file_bytes is 30"),
        (Limits(max_changed_file_bytes=13), "max_changed_file_bytes is 13"),
        (Limits(max_proposal_bytes=40), "max_proposal_bytes is 40"),
    ],
)
def test_more_than_a_limit_is_refused_by_its_name(
    folder: Path, tool: str, limits: Limits, said: str
) -> None:
    session = Session(folder, limits=limits)
    session.read("a.txt")

    result = edit_by(session, tool, "a.txt", "one", 20 * "x")

    assert failure(result) == (
        "EXECUTION_ERROR",
        f"Disk full or IO error: {said}; write less at once.",
    )
    assert context_of(result)["path_resolved"] == "a.txt"
    assert session.proposed() == []


@pytest.mark.parametrize("size", [21, 20])
def test_a_result_of_the_largest_size_is_written(folder: Path, size: int) -> None:
    session = Session(folder, limits=Limits(max_changed_file_bytes=size))
    session.read("crlf.txt")

    # 16 bytes, of which an LF becomes CRLF, and two letters become six bytes with two LF.
    result = session.edit("crlf.txt", "ne", "é\n\n")

    assert (failure(result) is None) == (size == 21)
    if size == 21:
        assert session.content("/repo/crlf.txt") == "oé\r\n\r\n\r\ntwo\r\nthree\r\n".encode()


def test_too_many_edits_are_refused_before_the_file_is_looked_at(folder: Path) -> None:
    session = Session(folder, limits=Limits(max_edits=2))

    assert failure(session.multi_edit("none.txt", *(3 * [("one", "1")]))) == (
        "INVALID_PARAM",
        (
            "Parameter 'edits' holds 3 edits, and one call may have at most 2 (max_edits). "
            "Split them over several calls."
        ),
    )


def test_a_preview_ends_with_the_time_of_the_call(make_tree: MakeTree) -> None:
    lines = [f"{number % 150}\n" for number in range(30_000)]
    ticks = count()
    session = Session(
        make_tree({"a.txt": "".join(lines)}),
        clock=lambda: next(ticks) / 100,
        timeouts={"file_operations_seconds": 3.0},
    )

    result = session.write("a.txt", "".join(lines[::7]))

    assert failure(result) == (
        "TIMEOUT",
        "Changing 'a.txt' timed out after 3s; nothing was changed. Try a smaller file.",
    )
    assert session.proposed() == []


@pytest.mark.parametrize("tool", EDITORS)
def test_a_file_that_changes_before_it_is_written_is_a_conflict(
    folder: Path, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(folder)
    session.read("a.txt")
    workspace = session.workspace
    opened = workspace.open

    def change_then_open(path: Any) -> Any:
        (folder / "a.txt").write_text("one\n")
        return opened(path)

    monkeypatch.setattr(workspace, "open", change_then_open)

    code, message = failure(edit_by(session, tool, "a.txt", "one", "1")) or ("", "")

    assert code == "CONFLICT"
    assert message.startswith("File has been modified since you read it (detected before write).")
    assert message.endswith(", size=4. Please Read the file again to get the latest content.")
    assert session.proposed() == []


def test_edit_loses_indentation_in_its_preview_and_multi_edit_keeps_it(folder: Path) -> None:
    session = Session(folder)
    session.read("a.txt")

    first = session.edit("a.txt", "two", "  2\n \n ++x")
    second = session.multi_edit("a.txt", ("  2", "\t2"), ("three", "3"))

    assert data_of(first)["diff_preview"] == (
        "--- a/a.txt\n\n+++ b/a.txt\n\n@@ -1,3 +1,5 @@\n\n one\n\n-two\n\n+2\n\n+\n+++x\n\n three\n"
    )
    assert (first.structured_content or {})["stats"]["lines_added"] == 3
    assert data_of(second)["diff_preview"] == (
        "--- a/a.txt\n\n+++ b/a.txt\n\n@@ -1,5 +1,5 @@\n\n one\n\n-  2\n\n+\t2\n\n  \n\n  ++x\n\n"
        "-three\n\n+3\n"
    )


def test_a_person_who_approves_sees_the_path_and_the_place(folder: Path) -> None:
    config = Session(folder).config
    replacement = Replacement("return 1\n", "return 2\n")

    assert EDIT.approval_summary(EditArgs("a.py", replacement, dry_run=False), config) == (
        "Edit the file 'a.py' at 'return 1\\u{A}'"
    )
    assert MULTI_EDIT.approval_summary(
        MultiEditArgs("a.py", (replacement, replacement), dry_run=True), config
    ) == ("Edit the file 'a.py' at 2 places, as a dry run")
    long = EditArgs("d/" * 300 + "a.py", Replacement("x" * 500, ""), dry_run=True)
    assert len(EDIT.approval_summary(long, config)) == 200
