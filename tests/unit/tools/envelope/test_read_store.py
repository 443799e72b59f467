import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.tools.envelope.edit_calls import Session, context_of, failure, text_of

MakeTree = Callable[..., Path]
UNREAD = (
    "INVALID_PARAM",
    (
        "You must Read the file before editing it. expected_mtime_ms and expected_size_bytes are "
        "auto-injected by framework after Read."
    ),
)
TREE = {"a.txt": "one\ntwo\n", "src/b.txt": "one\n", "ln": "-> src/b.txt"}


@pytest.fixture
def folder(make_tree: MakeTree) -> Path:
    folder = make_tree(TREE)
    for name in ("a.txt", "src/b.txt"):
        os.utime(folder / name, ns=(0, 1_700_000_000_000_999_999))
    return folder


@pytest.mark.parametrize(
    ("read", "edited"),
    [
        ("a.txt", "a.txt"),
        ("./a.txt", "a.txt"),
        ("a.txt", "./a.txt"),
        ("/repo/a.txt", "a.txt"),
        ("src/b.txt", "src/b.txt"),
        ("src//b.txt", "src//b.txt"),
        ("ln", "ln"),
        ("ln", "src/b.txt"),
    ],
)
def test_a_read_file_may_be_edited_by_the_texts_that_the_design_names(
    folder: Path, read: str, edited: str
) -> None:
    session = Session(folder)
    session.read(read)

    result = session.edit(edited, "one", "1")

    assert failure(result) is None
    assert context_of(result)["params_input"]["expected_mtime_ms"] == 1_700_000_000_000


@pytest.mark.parametrize(
    ("read", "edited"), [("src/b.txt", "ln"), ("a.txt", "src/../a.txt"), ("a.txt", ".//a.txt")]
)
def test_other_texts_of_the_same_path_ask_for_a_read(folder: Path, read: str, edited: str) -> None:
    session = Session(folder)
    session.read(read)

    assert failure(session.edit(edited, "one", "1")) == UNREAD


def test_the_values_stand_behind_the_arguments_of_every_answer(folder: Path) -> None:
    session = Session(folder)
    session.read("a.txt")
    injected = {"expected_mtime_ms": 1_700_000_000_000, "expected_size_bytes": 8}
    given = {"path": "a.txt", "old_string": "zzz", "new_string": ""}

    for arguments in (given, {**given, "old_string": ""}, {**given, "dry_run": 1}):
        repeated = context_of(session.call("Edit", arguments))["params_input"]

        assert list(repeated.items()) == [*arguments.items(), *injected.items()]


def test_a_value_that_the_call_has_is_not_replaced(folder: Path) -> None:
    session = Session(folder)
    session.read("a.txt")

    assert failure(session.edit("a.txt", "one", "1", expected_size_bytes=None)) == (
        "INVALID_PARAM",
        "Both expected_mtime_ms and expected_size_bytes must be provided together.",
    )
    assert failure(session.edit("a.txt", "one", "1", expected_size_bytes=7)) == (
        "CONFLICT",
        (
            "File has been modified since you read it. Expected mtime=1700000000000, size=7; "
            "Current mtime=1700000000000, size=8. Please Read the file again to get the latest "
            "content."
        ),
    )


def test_a_changed_file_counts_as_read_by_every_text_that_it_was_read_by(folder: Path) -> None:
    session = Session(folder)
    session.read("ln")

    assert failure(session.edit("ln", "one", "two")) is None
    assert failure(session.multi_edit("src/b.txt", ("two", "three"))) is None
    assert failure(session.write("src/b.txt", "four\n")) is None
    assert failure(session.edit("ln", "four", "five")) is None
    assert session.content("/repo/src/b.txt") == b"five\n"


def test_a_switch_has_the_next_change_conflict_as_in_the_original(folder: Path) -> None:
    session = Session(folder, edit={"refresh_reads": False})
    session.read("a.txt")
    session.edit("a.txt", "one", "1")

    result = session.edit("a.txt", "two", "2")

    assert failure(result) is not None
    assert str(text_of(result)).startswith("File has been modified since you read it. Expected ")
    session.read("a.txt")
    assert failure(session.edit("a.txt", "two", "2")) is None


def test_a_dry_run_leaves_the_store_as_it_is(folder: Path) -> None:
    session = Session(folder)
    session.read("a.txt")
    before = dict(session.workspace.overlay.seen["envelope"])

    session.edit("a.txt", "one", "1", dry_run=True)

    assert session.workspace.overlay.seen["envelope"] == before
    assert session.proposed() == []


def test_a_file_that_was_written_and_not_read_asks_for_a_read(folder: Path) -> None:
    session = Session(folder)
    session.write("new.txt", "one\n")

    assert failure(session.edit("new.txt", "one", "1")) == UNREAD


def test_a_file_that_changes_in_its_folder_is_a_conflict(folder: Path) -> None:
    session = Session(folder)
    session.read("a.txt")
    os.utime(folder / "a.txt", ns=(0, 1_700_000_000_001_000_000))

    assert failure(session.edit("a.txt", "one", "1")) == (
        "CONFLICT",
        (
            "File has been modified since you read it. Expected mtime=1700000000000, size=8; "
            "Current mtime=1700000000001, size=8. Please Read the file again to get the latest "
            "content."
        ),
    )


def test_read_leaves_nothing_where_no_tool_that_changes_is_offered(folder: Path) -> None:
    session = Session(folder, offered=["Read"])

    session.read("a.txt")

    assert session.workspace.overlay.seen == {}
