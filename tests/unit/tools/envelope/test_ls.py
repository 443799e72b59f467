from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.tools.envelope.tool_calls import LS_TREE as TREE
from tests.unit.tools.envelope.tool_calls import RAW
from tests.unit.tools.envelope.tool_calls import call_ls as call
from tests.unit.tools.envelope.tool_calls import ls_text as text_of
from treeglass import ToolFailure, Workspace

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


HOSTILE: dict[str, str | bytes | None] = {
    "bad\ndir/in.txt": "x",
    "bad\ndir/caf\udce9.txt": "x",
    "bad\ndir/real\\u{A}": "x",
    "bad\ndir/plain \\ é.txt": "x",
}


def test_hostile_names_are_spelled_out_in_text_only(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(HOSTILE)})

    result = call(workspace, {"path": "bad\\u{A}dir"})

    envelope = result.structured_content or {}
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


def test_hostile_names_are_raw_if_escaping_is_off(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(HOSTILE)})

    result = call(workspace, {"path": "bad\ndir", "ignore": ["*e\ufffd.txt", "real*"]}, RAW)

    assert (result.structured_content or {})["text"] == (
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


def test_a_pipe_is_a_file(tmp_path: Path, make_pipe: Callable[[Path], None]) -> None:
    make_pipe(tmp_path / "pipe")

    assert text_of(Workspace({"/repo": tmp_path})).split("\n")[3:] == ["pipe"]
