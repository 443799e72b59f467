import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.tools.envelope.tool_calls import call, data_of, text_of
from treeglass import Limits, ToolFailure, Workspace

MakeTree = Callable[..., Path]
TREE: dict[str, str | bytes | None] = {
    "src/app.py": "one\ntwo\r\nthree\rfour",
    "empty": "",
    "latin": b"caf\xe9\nau lait\n",
    "hidden.txt": "a\u202eb\u200b\n",
    "c\nd": "x\n",
    "to_itself": "-> to_itself",
    "to_outside": "-> ../..",
}


@pytest.fixture
def workspace(make_tree: MakeTree) -> Workspace:
    return Workspace({"/repo": make_tree(TREE)})


def test_a_relative_path_starts_at_the_project_root_also_in_a_working_directory(
    workspace: Workspace,
) -> None:
    result = call("Read", workspace, {"path": "empty"}, working_dir="/repo/src")

    assert text_of(result) == "Read 0 lines from 'empty' (file is empty).\n(Took 0ms)"
    assert (result.structured_content or {})["context"]["cwd"] == "src"


def test_a_budget_shows_fewer_lines_as_a_smaller_limit_would(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"many": "".join(f"row {n}\n" for n in range(900))})})
    small = call("Read", workspace, {"path": "many"}, max_output_bytes=2_000)
    shown = (small.structured_content or {})["stats"]["lines_read"]

    same = call("Read", workspace, {"path": "many", "limit": shown})

    assert len(small.content.encode()) <= 2_000
    assert (data_of(small), text_of(small)) == (data_of(same), text_of(same))
    assert small.next_arguments == {"path": "many", "start_line": shown + 1}


@pytest.mark.parametrize("budget_bytes", [0, 600, 9_000])
def test_a_first_line_over_the_budget_is_an_error_that_says_its_size(
    make_tree: MakeTree, budget_bytes: int
) -> None:
    workspace = Workspace({"/repo": make_tree({"long": "x" * 10_000 + "\nshort\n"})})
    whole = call("Read", workspace, {"path": "long", "limit": 1})

    result = call("Read", workspace, {"path": "long"}, max_output_bytes=budget_bytes)

    size = len(whole.content) - len('"limit": 1,\n      ')
    assert result.error is not None
    assert result.error.message == (
        f"output budget too small: the smallest answer takes {size} bytes, "
        f"{budget_bytes} are left; call again with more room"
    )


def test_a_first_line_over_the_workspaces_ceiling_is_an_error(make_tree: MakeTree) -> None:
    root = make_tree({"long": "x" * 2_000_000 + "\n"})
    workspace = Workspace({"/repo": root}, limits=Limits(max_line_bytes=1_000_000))

    assert call("Read", workspace, {"path": "long"}).error == ToolFailure(
        "INTERNAL_ERROR",
        "Failed to read file: max_line_bytes is 1,000,000; "
        "ask for less, for example one subdirectory",
    )


def test_invisible_characters_are_counted_and_never_changed(workspace: Workspace) -> None:
    result = call("Read", workspace, {"path": "hidden.txt"})

    assert data_of(result)["content"] == "   1 | a\u202eb\u200b\n"
    assert result.warnings == ("The shown text holds 2 invisible or bidirectional characters.",)


@pytest.mark.parametrize("block_bytes", [1, 2, 7, 1024])
@pytest.mark.parametrize(
    "content", [b"a\r\nbb\r\rccc\n\nd", b"\n", b"x\r", b"\xe9\r\n\xc3", b"one"]
)
def test_pages_have_the_lines_that_python_reads_wherever_a_block_ends(
    make_tree: MakeTree, content: bytes, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeglass.workspace.lines._BLOCK_BYTES", block_bytes)
    workspace = Workspace({"/repo": make_tree({"f": content})})
    lines = io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace").readlines()
    lines = [line.rstrip("\n") for line in lines]
    numbered = [f"{number:4d} | {line}\n" for number, line in enumerate(lines, 1)]

    pages = [
        data_of(call("Read", workspace, {"path": "f", "start_line": start, "limit": limit}))
        for start in range(1, len(lines) + 1)
        for limit in (1, 2, 9)
    ]

    assert [page["content"] for page in pages] == [
        "".join(numbered[start : start + limit])
        for start in range(len(lines))
        for limit in (1, 2, 9)
    ]


REFUSALS: list[tuple[dict[str, Any], str, str]] = [
    ({"path": "", "limit": 0}, "INVALID_PARAM", "Parameter 'path' is required."),
    (
        {"path": 7, "start_line": 0},
        "INVALID_PARAM",
        "start_line must be a positive integer (>= 1).",
    ),
    ({"path": 7, "limit": True}, "INVALID_PARAM", "limit must be an integer between 1 and 2000."),
    ({"path": ["a"]}, "INVALID_PARAM", "path must be a string."),
    ({"path": "to_itself"}, "NOT_FOUND", "File 'to_itself' does not exist."),
    ({"path": "x" * 300}, "NOT_FOUND", f"File '{'x' * 300}' does not exist."),
    (
        {"path": "to_outside"},
        "ACCESS_DENIED",
        "Access denied. Path 'to_outside' is outside project root.",
    ),
    ({"path": "a\0"}, "ACCESS_DENIED", "Access denied. Path 'a\\u{0}' is outside project root."),
    ({"path": "src"}, "IS_DIRECTORY", "Path 'src' is a directory. Use LS to explore it."),
]


@pytest.mark.parametrize(("arguments", "code", "message"), REFUSALS)
def test_a_refusal_names_the_first_fault(
    workspace: Workspace, arguments: dict[str, Any], code: str, message: str
) -> None:
    assert call("Read", workspace, arguments).error == ToolFailure(code, message)
