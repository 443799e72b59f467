"""`Edit` and `Write` where no recorded call goes: what was seen, and which paths are refused."""

import errno
import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.unit.tools.forge.changing_tools import Tools

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]
NOT_SEEN = "File was not read before editing, or has been modified since last read"


class _Damaged(io.RawIOBase):
    """A file of an archive, which tells only while it is read that its content is damaged."""

    def read(self, size: int = -1, /) -> bytes:
        raise OSError(errno.EIO, f"the checksum of {size} bytes differs")


def test_damaged_content_is_told_in_the_words_of_the_system(
    tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools("Read", path="ten.txt")
    monkeypatch.setattr(tools.workspace, "open", lambda _path: _Damaged())

    assert [
        tools("Read", path="ten.txt").content,
        tools.edit("F ten.txt", "E", "l3", ".").content,
    ] == [
        "Read failed: Input/output error (os error 5)",
        'Patch failed for "/project/ten.txt": Input/output error (os error 5)',
    ]


def test_a_range_that_was_seen_grows_over_the_gap(tools: Tools) -> None:
    tools("Read", path="ten.txt", start_line=2, end_line=3)
    tools("Read", path="ten.txt", start_line=7, end_line=8)

    assert tools.seen("ten.txt") == (2, 8)
    assert tools.edit("F ten.txt", "R", "l5", ".", "x", ".").content == (
        " 4  l4\n 5 -l5\n 5 +x\n 6  l6\n"
    )
    assert tools.seen("ten.txt") == (2, 8)


def test_lines_that_the_budget_cut_off_were_not_seen(tools: Tools) -> None:
    cut = tools("Read", 40, path="ten.txt")

    assert cut.content == " 1| l1\n 2| l2\n\n... [output truncated]"
    assert tools.seen("ten.txt") == (1, 2)
    assert tools.edit("F ten.txt", "E", "l3", ".").content == (
        'Stale file: "/project/ten.txt": Edit targets line 3 but only lines 1-2 were read'
    )


def test_an_answer_without_a_line_was_not_seen(tools: Tools) -> None:
    tools("Read", 29, path="ten.txt")

    assert tools.seen("ten.txt") is None


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        ({}, (1, 10)),
        ({"start_line": 9}, (9, 10)),
        ({"end_line": 3}, (1, 3)),
        ({"start_line": 4, "end_line": 99}, (4, 10)),
        ({"start_line": 30}, (30, 30)),
    ],
)
def test_read_notes_the_lines_that_it_shows(
    tools: Tools, arguments: dict[str, int], seen: tuple[int, int]
) -> None:
    tools("Read", path="ten.txt", **arguments)

    assert tools.seen("ten.txt") == seen


def test_a_binary_file_and_a_line_that_is_no_utf_8_are_not_noted(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"nul": "a\0\n", "latin": b"one\n\xe9\nthree\n"}))
    tools("Read", path="nul")
    tools("Read", path="latin", start_line=3)

    assert (tools.seen("nul"), tools.seen("latin")) == (None, None)

    tools("Read", path="latin", end_line=1)
    tools("Read", path="latin", start_line=2)

    assert tools.seen("latin") == (1, 1)
    assert tools.edit("F latin", "E", "one", ".").content == (
        'Patch failed for "/project/latin": Invalid UTF-8 in file'
    )


def test_a_range_of_a_file_over_ten_mib_is_not_noted(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"big": "x" * 79 + "\n" + "x" * (10 * 1024 * 1024)}))

    assert tools("Read", path="big", end_line=1).error is None
    assert tools.seen("big") is None


def test_read_notes_nothing_if_no_tool_that_changes_is_offered(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"a": "x\n"}), offered=["forge.Read"])
    tools("Read", path="a")

    assert tools.workspace.overlay.seen == {}


def test_the_second_edit_in_a_row_needs_no_read(tools: Tools) -> None:
    tools("Read", path="a.txt")
    tools.edit("F a.txt", "T", "three", ".")
    second = tools.edit("F a.txt", "R", "two", ".", "2", ".")

    assert second.content == "1  one\n2 -two\n2 +2\n3  three\n"
    assert tools.proposed == {"a.txt": b"one\n2\nthree\n"}


def test_a_new_file_counts_as_seen_as_a_whole(tools: Tools) -> None:
    tools.edit("F n.txt", "T", "x", "y", ".", "N +")
    tools("Write", path="new/w.txt", content="a\nb\nc")

    assert (tools.seen("n.txt"), tools.seen("new/w.txt")) == ((1, 2), (1, 3))
    assert tools.edit("F new/w.txt", "R", "c", ".", "d", ".").content == "2  b\n3 -c\n3 +d\n"


def test_a_link_and_its_target_are_one_file(tools: Tools, tmp_path: Path) -> None:
    root = next(path.parent for path in tmp_path.rglob("a.txt"))
    (root / "link").symlink_to("a.txt")
    tools("Read", path="link")
    result = tools.edit("F link", "T", "three", ".", "F a.txt", "E", "one", ".")

    assert result.content == (
        "modified: a.txt\nmodified: a.txt\n\n2  two\n3 +three\n\n\n1 -one\n2  two\n"
    )
    assert result.warnings == (
        "/project/a.txt has more than one section in the patch; only the last one is applied.",
    )
    assert tools.proposed == {"a.txt": b"two\n"}


def test_a_new_file_twice_in_one_patch_fails_as_a_whole(tools: Tools) -> None:
    result = tools.edit("F n", "T", "x", ".", "F n", "T", "y", ".")

    assert result.content == 'Patch failed for "/project/n": File exists (os error 17)'
    assert tools.proposed == {}


def test_no_file_is_made_where_a_link_leads_to_nothing(tools: Tools, tmp_path: Path) -> None:
    root = next(path.parent for path in tmp_path.rglob("a.txt"))
    (root / "link").symlink_to("nowhere")

    assert tools.edit("F link", "T", "x", ".").content == (
        'Patch failed for "/project/link": File exists (os error 17)'
    )
    for path in ("link", "link/below"):
        assert tools("Write", path=path, content="x").content == (
            "Tool execution failed: Write: file already exists: /project/link. "
            "Use Edit to modify existing files."
        )
    assert tools.proposed == {}


@pytest.mark.parametrize("path", ["beside.txt", "src/out/n.txt"])
def test_a_file_outside_of_the_allowed_roots_is_neither_seen_nor_changed(
    make_tree: MakeTree, path: str
) -> None:
    tree = {"src/out": "-> ../other", "other/n.txt": "n\n", "beside.txt": "b\n"}
    tools = Tools(make_tree(tree), sandbox={"allowed_roots": ["src"]})
    real = path.replace("src/out", "other")

    fault = f"Path outside sandbox (attempted: /project/{path}, resolved: /project/{real})"

    assert tools("Read", path=path).content == fault
    assert tools("Write", path=path, content="x").content == f"Sandbox violation: {fault}"
    assert tools.edit(f"F {path}", "T", "x", ".").content == f"Sandbox violation: {fault}"
    assert tools.proposed == {}


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("d", 'Patch failed for "/project/d": Path is a directory'),
        ("", 'Patch failed for "/project": Path is a directory'),
        ("a.txt/b", 'Patch failed for "/project/a.txt/b": Not a directory (os error 20)'),
        ("n" * 256, f'Patch failed for "/project/{"n" * 256}": File name too long (os error 36)'),
        ("a.txt", f'Stale file: "/project/a.txt": {NOT_SEEN}'),
        ("/project/a.txt", f'Stale file: "/project/a.txt": {NOT_SEEN}'),
        (
            "d/../a.txt",
            "Sandbox violation: Path outside sandbox (attempted: d/../a.txt, resolved: d/../a.txt)",
        ),
        (
            "no/n.txt",
            (
                "Sandbox violation: Path outside sandbox "
                "(attempted: /project/no/n.txt, resolved: /project/no/n.txt)"
            ),
        ),
        (
            "d/.env",
            "Sandbox violation: Path '/project/d/.env' matched denied pattern '**/.env'",
        ),
        ("a\u200bb", "Bad tool args: path contains invalid control characters"),
    ],
)
def test_a_path_that_cannot_be_edited_has_its_words(tools: Tools, path: str, error: str) -> None:
    result = tools.edit(f'F "{path}"', "T", "x", ".")

    assert (result.content, tools.proposed) == (error, {})


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("\u3000", "Bad tool args: path must not be empty"),
        (
            "a.txt/b",
            (
                "Tool execution failed: Write: failed to write /project/a.txt/b: "
                "Not a directory (os error 20)"
            ),
        ),
        (
            "a.txt/b/c",
            (
                "Tool execution failed: Write: failed to create parent directories for "
                "/project/a.txt/b/c: Not a directory (os error 20)"
            ),
        ),
        (
            "n" * 256,
            (
                f"Tool execution failed: Write: failed to write /project/{'n' * 256}: "
                "File name too long (os error 36)"
            ),
        ),
        (
            "a.txt",
            (
                "Tool execution failed: Write: file already exists: /project/a.txt. "
                "Use Edit to modify existing files."
            ),
        ),
        (
            ".git/x",
            "Sandbox violation: Path '/project/.git/x' matched denied pattern '**/.git/**'",
        ),
    ],
)
def test_a_path_that_cannot_be_written_has_its_words(tools: Tools, path: str, error: str) -> None:
    result = tools("Write", path=path, content="x")

    assert (result.content, tools.proposed) == (error, {})
