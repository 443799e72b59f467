from __future__ import annotations

import itertools
import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config, Limits, ToolFailure, ToolRegistry, ToolResult, Workspace
from treeglass.tools.envelope.envelope_review import check_data
from treeglass.tools.envelope.envelope_schema import LS_OUTPUT_SCHEMA, published_schema
from treeglass.tools.envelope.ls import LS
from treeglass.tools.envelope.standard_envelope import validate_envelope
from treeglass.workspace.host import OsFileSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    MakeTree = Callable[..., Path]

RAW = Config.from_object({"tools": {"output": {"escape_names": False}}})
IS_LS_ENVELOPE = Draft202012Validator(LS_OUTPUT_SCHEMA)


def call(
    workspace: Workspace, arguments: Any = (), config: Config | None = None, **options: Any
) -> ToolResult:
    """Answer one call at a standstill of time, and hold the answer against the protocol."""
    registry = ToolRegistry(workspace, config, tools=[LS], clock=lambda: 0.0)
    sent = arguments if isinstance(arguments, str) else dict(arguments)
    result = registry.call_tool("LS", sent, **options)
    assert result.structured is not None
    assert result.content == json.dumps(result.structured, ensure_ascii=False, indent=2)
    assert list(IS_LS_ENVELOPE.iter_errors(result.structured)) == []
    assert validate_envelope(result.structured) == []
    assert check_data(result.structured, "listing") == []
    error = result.structured.get("error")
    assert result.error == (error and ToolFailure(error["code"], error["message"]))
    assert result.truncated == (result.structured["status"] == "partial")
    return result


def text_of(workspace: Workspace, config: Config | None = None, **arguments: Any) -> str:
    text = (call(workspace, arguments, config).structured or {})["text"]
    assert isinstance(text, str)
    return text


TREE: dict[str, str | bytes | None] = {
    "src/main.py": "x",
    "src/util/a.py": "x",
    "src/.cache": "x",
    "README.md": "x",
    "build/out": "x",
    ".git/config": "x",
    "to_src": "-> src",
    "to_file": "-> README.md",
    "to_nothing": "-> nothing",
    "to_itself": "-> to_itself",
    "to_outside": "-> ../..",
}


@pytest.fixture
def workspace(make_tree: MakeTree) -> Workspace:
    return Workspace({"/repo": make_tree(TREE)})


def test_a_directory_is_one_envelope(workspace: Workspace) -> None:
    result = call(workspace, {"path": "src", "note": "kept"})

    assert result.content == (
        "{\n"
        '  "status": "success",\n'
        '  "data": {\n'
        '    "entries": [\n'
        "      {\n"
        '        "path": "src/util",\n'
        '        "type": "dir"\n'
        "      },\n"
        "      {\n"
        '        "path": "src/main.py",\n'
        '        "type": "file"\n'
        "      }\n"
        "    ],\n"
        '    "truncated": false\n'
        "  },\n"
        """  "text": "Listed 2 entries in 'src'\\n(Total: 2 items - 1 dirs, 1 files, 0 links)"""
        '\\n\\nsrc/util/\\nsrc/main.py",\n'
        '  "stats": {\n'
        '    "time_ms": 1,\n'
        '    "total_entries": 2,\n'
        '    "dirs": 1,\n'
        '    "files": 1,\n'
        '    "links": 0,\n'
        '    "returned": 2\n'
        "  },\n"
        '  "context": {\n'
        '    "cwd": ".",\n'
        '    "params_input": {\n'
        '      "path": "src",\n'
        '      "note": "kept"\n'
        "    },\n"
        '    "path_resolved": "src"\n'
        "  }\n"
        "}"
    )
    assert (result.truncated, result.next_arguments, result.warnings) == (False, None, ())


def test_links_sort_with_what_they_lead_to_and_stay_links(workspace: Workspace) -> None:
    assert text_of(workspace) == (
        "Listed 7 entries in '.'\n"
        "(Total: 7 items - 1 dirs, 1 files, 5 links)\n"
        "\n"
        "src/\n"
        "to_src@\n"
        "README.md\n"
        "to_file@\n"
        "to_itself@\n"
        "to_nothing@\n"
        "to_outside@"
    )


def test_a_link_to_a_directory_of_another_mount_sorts_with_files(tmp_path: Path) -> None:
    for name in ("project", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "project" / "a_link").symlink_to("../elsewhere")
    (tmp_path / "project" / "b_file").write_text("x")
    (tmp_path / "project" / "c_directory").mkdir()
    workspace = Workspace(
        {"/project": tmp_path / "project", "/elsewhere": tmp_path / "elsewhere"},
        project_root="/project",
    )

    assert text_of(workspace).split("\n")[3:] == ["c_directory/", "a_link@", "b_file"]


def test_hidden_and_default_ignored_entries_are_shown_when_asked_for(
    workspace: Workspace,
) -> None:
    assert text_of(workspace, include_hidden=True, ignore=["to_*"]) == (
        "Listed 4 entries in '.'\n"
        "(Total: 4 items - 3 dirs, 1 files, 0 links)\n"
        "\n"
        ".git/\n"
        "build/\n"
        "src/\n"
        "README.md"
    )


def test_pages_join_up_to_the_whole(workspace: Workspace) -> None:
    first = call(workspace, {"limit": 3, "note": 1})
    second = call(workspace, first.next_arguments)
    third = call(workspace, second.next_arguments)

    assert [page.next_arguments for page in (first, second, third)] == [
        {"limit": 3, "note": 1, "offset": 3},
        {"limit": 3, "note": 1, "offset": 6},
        None,
    ]
    assert (second.structured or {})["text"] == (
        "Listed 3 entries in '.'\n"
        "(Total: 7 items - 1 dirs, 1 files, 5 links)\n"
        "[Truncated: Showing 3-6 of 7. 1 more items available.]\n"
        "Use offset=6 to view next page.\n"
        "\n"
        "to_file@\n"
        "to_itself@\n"
        "to_nothing@"
    )
    assert (third.structured or {})["text"] == (
        "Listed 1 entries in '.'\n(Total: 7 items - 1 dirs, 1 files, 5 links)\n\nto_outside@"
    )


def test_a_page_past_the_end_is_an_empty_success(workspace: Workspace) -> None:
    result = call(workspace, {"offset": 10**20})

    assert (result.structured or {})["status"] == "success"
    assert (result.structured or {})["text"] == (
        "Listed 0 entries in '.'\n(Total: 7 items - 1 dirs, 1 files, 5 links)\n"
    )


@pytest.mark.parametrize(
    ("path", "code", "message", "resolved"),
    [
        pytest.param("no", "NOT_FOUND", "Path 'no' does not exist.", "no", id="missing"),
        pytest.param(
            "README.md/x",
            "NOT_FOUND",
            "Path 'README.md/x' does not exist.",
            "README.md/x",
            id="below a file",
        ),
        pytest.param(
            "to_nothing", "NOT_FOUND", "Path 'to_nothing' does not exist.", "nothing", id="dangling"
        ),
        pytest.param(
            "to_itself",
            "NOT_FOUND",
            "Path 'to_itself' does not exist.",
            "to_itself",
            id="a link to itself",
        ),
        pytest.param(
            "to_file",
            "INVALID_PARAM",
            "'to_file' is a file, not a directory. Use 'Read' tool to view its content.",
            "README.md",
            id="a file",
        ),
        *[
            pytest.param(
                path,
                "ACCESS_DENIED",
                "Access denied. Path must be within the project root.",
                None,
                id=path,
            )
            for path in ("..", "/", "/repository", "../repo2", "to_outside", "to_outside/no")
        ],
        pytest.param(
            "a\0b", "INVALID_PARAM", "path must not hold a NUL character.", None, id="a NUL"
        ),
        pytest.param(
            "x" * 256,
            "INTERNAL_ERROR",
            "Failed to list directory - File name too long (os error 36)",
            None,
            id="a long name",
        ),
    ],
)
def test_a_path_that_cannot_be_listed(
    workspace: Workspace, path: str, code: str, message: str, resolved: str | None
) -> None:
    result = call(workspace, {"path": path})

    context = {"cwd": ".", "params_input": {"path": path}}
    assert result.structured == {
        "status": "error",
        "data": {},
        "text": message,
        "error": {"code": code, "message": message},
        "stats": {"time_ms": 0},
        "context": context if resolved is None else {**context, "path_resolved": resolved},
    }


def test_text_that_is_no_json_is_echoed_as_it_came(workspace: Workspace) -> None:
    result = call(workspace, '{"path": ')

    assert result.error == ToolFailure(
        "INVALID_PARAM",
        "the arguments are not valid JSON: Expecting value: line 1 column 10 (char 9)",
    )
    assert (result.structured or {})["context"] == {"cwd": ".", "params_input": '{"path": '}


def test_a_working_directory_may_be_given_for_one_call(workspace: Workspace) -> None:
    result = call(workspace, {"path": "util"}, working_dir="/repo/to_src")

    assert (result.structured or {})["context"] == {
        "cwd": "src",
        "params_input": {"path": "util"},
        "path_resolved": "src/util",
    }


def test_a_working_directory_outside_the_root_sees_absolute_paths_only(
    workspace: Workspace,
) -> None:
    outside = call(workspace, working_dir="/elsewhere")
    inside = call(workspace, {"path": "/repo/src"}, working_dir="/elsewhere")

    assert (outside.error or ToolFailure("", "")).kind == "ACCESS_DENIED"
    assert (outside.structured or {})["context"] == {"cwd": ".", "params_input": {}}
    assert (inside.structured or {})["context"] == {
        "cwd": ".",
        "params_input": {"path": "/repo/src"},
        "path_resolved": "src",
    }


def test_a_project_root_may_be_a_link(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, project_root="/repo/to_src")

    assert text_of(workspace) == (
        "Listed 2 entries in '.'\n(Total: 2 items - 1 dirs, 1 files, 0 links)\n\nutil/\nmain.py"
    )


def test_a_project_root_outside_of_every_mount_holds_nothing(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, project_root="/repo/to_outside")

    result = call(workspace, {"path": "/repo/src"})

    assert result.error == ToolFailure(
        "ACCESS_DENIED", "Access denied. Path must be within the project root."
    )


def test_several_mounts_are_one_project(make_tree: MakeTree) -> None:
    root = make_tree(TREE)
    workspace = Workspace({"/b/code": root, "/a": root / "src"})

    assert text_of(workspace) == (
        "Listed 2 entries in '.'\n(Total: 2 items - 2 dirs, 0 files, 0 links)\n\na/\nb/"
    )
    assert text_of(workspace, path="a") == (
        "Listed 2 entries in 'a'\n(Total: 2 items - 1 dirs, 1 files, 0 links)\n\na/util/\na/main.py"
    )


HOSTILE: dict[str, str | bytes | None] = {
    "bad\ndir/in.txt": "x",
    "bad\ndir/caf\udce9.txt": "x",
    "bad\ndir/real\\u{A}": "x",
    "bad\ndir/plain \\ é.txt": "x",
}


def test_hostile_names_are_spelled_out_in_text_only(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(HOSTILE)})

    result = call(workspace, {"path": "bad\\u{A}dir"})

    envelope = result.structured or {}
    assert envelope["text"] == (
        "Listed 4 entries in 'bad\\u{A}dir'\n"
        "(Total: 4 items - 0 dirs, 4 files, 0 links)\n"
        "\n"
        "bad\\u{A}dir/caf\\x{E9}.txt\n"
        "bad\\u{A}dir/in.txt\n"
        "bad\\u{A}dir/plain \\ é.txt\n"
        "bad\\u{A}dir/real\\u{5C}u{A}"
    )
    assert [entry["path"] for entry in envelope["data"]["entries"]] == [
        "bad\ndir/caf\ufffd.txt",
        "bad\ndir/in.txt",
        "bad\ndir/plain \\ é.txt",
        "bad\ndir/real\\u{A}",
    ]
    assert envelope["context"]["path_resolved"] == "bad\ndir"
    assert result.warnings == (
        (
            "names with hostile characters: 2; "
            "text spells these out, data.entries has the real names"
        ),
        ("names that are not valid UTF-8: 1; data.entries has U+FFFD for the invalid bytes"),
    )


def test_hostile_names_are_raw_where_escaping_is_off(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(HOSTILE)})

    result = call(workspace, {"path": "bad\ndir", "ignore": ["*e\ufffd.txt", "real*"]}, RAW)

    assert (result.structured or {})["text"] == (
        "Listed 3 entries in 'bad\ndir'\n"
        "(Total: 3 items - 0 dirs, 3 files, 0 links)\n"
        "\n"
        "bad\ndir/caf\ufffd.txt\n"
        "bad\ndir/in.txt\n"
        "bad\ndir/plain \\ é.txt"
    )
    assert result.warnings == (
        "names that are not valid UTF-8: 1; data.entries has U+FFFD for the invalid bytes",
    )


def test_patterns_match_invalid_names_as_they_are_shown(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"caf\udce9": "x", "cafe": "x"})})

    assert text_of(workspace, ignore=["caf\ufffd"]).split("\n")[3:] == ["cafe"]


def test_a_pipe_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert text_of(Workspace({"/repo": tmp_path})).split("\n")[3:] == ["pipe"]


@pytest.fixture
def wide(make_tree: MakeTree) -> Workspace:
    return Workspace({"/repo": make_tree({f"{'é' * 30}{n:03}.txt": "x" for n in range(120)})})


def test_a_page_over_the_budget_becomes_the_largest_that_fits(wide: Workspace) -> None:
    result = call(wide, {"limit": 30})
    returned = []
    while result.error is None:
        returned.append((result.structured or {})["stats"]["returned"])
        # One byte less than this page takes costs one entry, never two.
        budget_bytes = len(result.content.encode()) - 1
        result = call(wide, {"limit": 30}, max_output_bytes=budget_bytes)
        assert result.is_error or len(result.content.encode()) <= budget_bytes

    assert returned == list(range(30, 0, -1))


def test_a_page_cut_by_the_budget_says_how_to_go_on(wide: Workspace) -> None:
    result = call(wide, {"offset": 100, "limit": 50}, available_capacity_bytes=1000)

    envelope = result.structured or {}
    assert envelope["status"] == "partial"
    assert envelope["text"] == (
        "Listed 2 entries in '.'\n"
        "(Total: 120 items - 0 dirs, 120 files, 0 links)\n"
        "[Truncated: Showing 100-102 of 120. 18 more items available.]\n"
        "Use offset=102 to view next page.\n"
        "\n"
        f"{'é' * 30}100.txt\n"
        f"{'é' * 30}101.txt"
    )
    assert result.next_arguments == {"offset": 102, "limit": 50}


@pytest.mark.parametrize("arguments", [{}, {"offset": 500}], ids=["a page", "an empty page"])
def test_a_budget_without_room_for_one_entry_is_an_error(
    wide: Workspace, arguments: dict[str, int]
) -> None:
    sent = {**arguments, "limit": 1}
    smallest = len(call(wide, sent).content.encode())

    fits = call(wide, sent, max_output_bytes=smallest)
    result = call(wide, sent, max_output_bytes=smallest - 1)

    assert fits.error is None
    assert result.error == ToolFailure(
        "INTERNAL_ERROR",
        f"output budget too small: the smallest answer takes {smallest} bytes, "
        f"{smallest - 1} are left; call again with more room",
    )
    assert (result.structured or {})["context"]["path_resolved"] == "."


class FailingScan(OsFileSystem):
    """A disk on which directories can be seen but not read."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:  # noqa: ARG002  # whatever is asked
        raise self.error


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        pytest.param(
            PermissionError(13, "host words", "/host/path"),
            ToolFailure("ACCESS_DENIED", "Permission denied accessing 'src'."),
            id="no permission",
        ),
        pytest.param(
            OSError(5, "host words", "/host/path"),
            ToolFailure(
                "INTERNAL_ERROR", "Failed to list directory - Input/output error (os error 5)"
            ),
            id="a broken disk",
        ),
        pytest.param(
            FileNotFoundError(2, "host words", "/host/path"),
            ToolFailure("NOT_FOUND", "Path 'src' does not exist."),
            id="gone in the meantime",
        ),
    ],
)
def test_a_directory_that_the_host_will_not_read(
    make_tree: MakeTree, error: OSError, failure: ToolFailure
) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, file_system=FailingScan(error))

    result = call(workspace, {"path": "src"})

    assert result.error == failure
    assert (result.structured or {})["context"]["path_resolved"] == "src"


def test_a_directory_over_the_workspaces_ceiling_is_an_error(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, limits=Limits(max_directory_entries=3))

    assert call(workspace).error == ToolFailure(
        "INTERNAL_ERROR",
        "Failed to list directory - max_directory_entries is 3; "
        "ask for less, for example one subdirectory",
    )


def test_a_call_ends_when_its_time_is_over(workspace: Workspace) -> None:
    config = Config.from_object({"tools": {"timeouts": {"file_operations_seconds": 2}}})
    seconds = itertools.count(step=3)
    registry = ToolRegistry(workspace, config, tools=[LS], clock=lambda: next(seconds))

    result = registry.call_tool("LS", {"path": "src"})

    assert result.error == ToolFailure(
        "TIMEOUT", "Listing 'src' timed out after 6s. Try one of its subdirectories."
    )
    assert (result.structured or {})["context"]["path_resolved"] == "src"


def test_a_call_ends_when_the_host_gives_it_up(workspace: Workspace) -> None:
    result = call(workspace, is_cancelled=lambda: True)

    assert result.error == ToolFailure("INTERNAL_ERROR", "Cancelled by user")


def test_time_is_told_in_whole_milliseconds(workspace: Workspace) -> None:
    seconds = itertools.count(step=0.0119)
    registry = ToolRegistry(workspace, tools=[LS], clock=lambda: next(seconds))

    result = registry.call_tool("LS", {"path": "src/util"})

    # Started, one checkpoint, then the reading that is told.
    assert (result.structured or {})["stats"]["time_ms"] == 23


def test_what_a_host_is_told_about_the_tool(workspace: Workspace) -> None:
    (definition,) = ToolRegistry(workspace, tools=[LS]).list_tools()

    assert (definition.name, definition.title, definition.family) == (
        "LS",
        "List files",
        "envelope",
    )
    assert definition.description == (
        "List files and directories in a given path with pagination and filters."
    )
    assert definition.output_schema == published_schema()["$defs"]["ls_envelope"]
    assert definition.annotations.read_only_hint
    assert not definition.is_side_effecting
