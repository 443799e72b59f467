from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.tools.envelope.tool_calls import LS_TREE as TREE
from tests.unit.tools.envelope.tool_calls import call_ls as call
from tests.unit.tools.envelope.tool_calls import ls_text as text_of
from treeglass import ToolFailure, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeTree = Callable[..., Path]


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
    assert (second.structured_content or {})["text"] == (
        "Listed 3 entries in '.'\n"
        "(Total: 7 items - 1 dirs, 1 files, 5 links)\n"
        "[Truncated: Showing 3-6 of 7. 1 more items available.]\n"
        "Use offset=6 to view next page.\n"
        "\n"
        "to_file@\n"
        "to_itself@\n"
        "to_nothing@"
    )
    assert (third.structured_content or {})["text"] == (
        "Listed 1 entries in '.'\n(Total: 7 items - 1 dirs, 1 files, 5 links)\n\nto_outside@"
    )


def test_a_page_past_the_end_is_an_empty_success(workspace: Workspace) -> None:
    result = call(workspace, {"offset": 10**20})

    assert (result.structured_content or {})["status"] == "success"
    assert (result.structured_content or {})["text"] == (
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
    assert result.structured_content == {
        "status": "error",
        "data": {},
        "text": message,
        "error": {"code": code, "message": message},
        "stats": {"time_ms": 0},
        "context": context if resolved is None else {**context, "path_resolved": resolved},
    }


def test_text_that_is_not_json_is_echoed_as_it_came(workspace: Workspace) -> None:
    result = call(workspace, '{"path": ')

    assert result.error == ToolFailure(
        "INVALID_PARAM",
        "the arguments are not valid JSON: Expecting value: line 1 column 10 (char 9)",
    )
    assert (result.structured_content or {})["context"] == {"cwd": ".", "params_input": '{"path": '}


def test_a_working_directory_may_be_given_for_one_call(workspace: Workspace) -> None:
    result = call(workspace, {"path": "util"}, working_dir="/repo/to_src")

    assert (result.structured_content or {})["context"] == {
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
    assert (outside.structured_content or {})["context"] == {"cwd": ".", "params_input": {}}
    assert (inside.structured_content or {})["context"] == {
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
