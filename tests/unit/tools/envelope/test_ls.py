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


def test_text_that_is_not_json_is_echoed_as_it_came(workspace: Workspace) -> None:
    result = call(workspace, '{"path": ')

    assert result.error == ToolFailure(
        "INVALID_PARAM",
        "the arguments are not valid JSON: Expecting value: line 1 column 10 (char 9)",
    )
    assert (result.structured_content or {})["context"] == {"cwd": ".", "params_input": '{"path": '}


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
