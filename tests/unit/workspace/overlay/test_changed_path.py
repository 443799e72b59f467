import pytest

from treeglass.workspace.nodes import Directory, File, Link
from treeglass.workspace.overlay.changed_path import (
    ChangedPath,
    Operation,
    decide,
    seen_by_person,
)

OLD, NEW = File(b"old\n"), File(b"new\n")


def test_each_path_is_created_modified_or_gone_in_the_order_of_its_bytes() -> None:
    changed = [
        ChangedPath("/b", None, NEW),
        ChangedPath("/\U0001f600", OLD, None),
        ChangedPath("/\uffee", OLD, NEW),
        ChangedPath("/a/x", None, Directory()),
        ChangedPath("/same", OLD, File(b"old\n")),
        ChangedPath("/never", None, None),
    ]

    assert decide(changed, strip="/") == (
        Operation("create", "a/x", None, Directory()),
        Operation("create", "b", None, NEW),
        Operation("modify", "\uffee", OLD, NEW),
        Operation("delete", "\U0001f600", OLD, None),
    )


def test_a_file_that_moved_is_one_operation() -> None:
    changed = [ChangedPath("/a", OLD, None), ChangedPath("/b", None, NEW, "/a")]

    assert decide(changed, strip="/") == (Operation("rename", "b", OLD, NEW, "a"),)


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        pytest.param(
            [ChangedPath("/a", OLD, NEW), ChangedPath("/b", None, OLD, "/a")],
            [("modify", "a"), ("create", "b")],
            id="the origin is still there",
        ),
        pytest.param([ChangedPath("/b", None, OLD, "/a")], [("create", "b")], id="left out"),
        pytest.param(
            [ChangedPath("/a", OLD, None), ChangedPath("/b", NEW, OLD, "/a")],
            [("delete", "a"), ("modify", "b")],
            id="the destination was there",
        ),
        pytest.param(
            [
                ChangedPath("/a", OLD, None),
                ChangedPath("/b", None, OLD, "/a"),
                ChangedPath("/c", None, OLD, "/a"),
            ],
            [("delete", "a"), ("create", "b"), ("create", "c")],
            id="two claim the origin",
        ),
        pytest.param(
            [
                ChangedPath("/a", OLD, None),
                ChangedPath("/b", None, OLD, "/a"),
                ChangedPath("/c", NEW, OLD, "/a"),
            ],
            [("rename", "b"), ("modify", "c")],
            id="the other path claims no origin",
        ),
        pytest.param(
            [ChangedPath("/a", Link("x"), None), ChangedPath("/b", None, OLD, "/a")],
            [("delete", "a"), ("create", "b")],
            id="a link's target was moved",
        ),
        pytest.param(
            [ChangedPath("/a", OLD, NEW, "/b"), ChangedPath("/b", NEW, OLD, "/a")],
            [("modify", "a"), ("modify", "b")],
            id="two changed places",
        ),
    ],
)
def test_anything_else_is_no_rename(
    changed: list[ChangedPath], names: list[tuple[str, str]]
) -> None:
    assert [(each.name, each.path) for each in decide(changed, strip="/")] == names


def test_another_kind_is_a_deletion_and_then_a_creation() -> None:
    changed = [ChangedPath("/a", Link("b"), OLD), ChangedPath("/d", OLD, Directory())]

    assert [(each.name, each.path, each.kind) for each in decide(changed, strip="/")] == [
        ("delete", "a", "symlink"),
        ("create", "a", "file"),
        ("delete", "d", "file"),
        ("create", "d", "directory"),
    ]


def test_paths_are_relative_to_the_directory_that_is_stripped() -> None:
    changed = [ChangedPath("/repo/a", OLD, None), ChangedPath("/repo/b", None, OLD, "/repo/a")]
    moved_in = [ChangedPath("/repo/b", None, OLD, "/other/a")]

    assert decide(changed, strip="/repo") == (Operation("rename", "b", OLD, OLD, "a"),)
    assert decide(changed, strip="/") == (Operation("rename", "repo/b", OLD, OLD, "repo/a"),)
    assert decide(changed) == (Operation("rename", "/repo/b", OLD, OLD, "/repo/a"),)
    assert decide(moved_in, strip="/repo") == (Operation("create", "b", None, OLD),)
    with pytest.raises(ValueError, match="'/repo/a' does not lie in '/rep'"):
        decide(changed, strip="/rep")


def test_a_new_directory_is_seen_only_while_it_is_empty() -> None:
    changed = [
        ChangedPath("/n", None, Directory()),
        ChangedPath("/n/empty", None, Directory()),
        ChangedPath("/n/m", None, Directory()),
        ChangedPath("/n/m/new", None, NEW),
        ChangedPath("/moved", None, Directory()),
        ChangedPath("/moved/to", None, OLD, "/from"),
        ChangedPath("/from", OLD, None),
        ChangedPath("/file", OLD, Directory()),
        ChangedPath("/file/below", None, NEW),
        ChangedPath("/nn", None, Directory()),
    ]

    assert [(each.name, each.path) for each in seen_by_person(decide(changed))] == [
        ("delete", "/file"),
        ("create", "/file/below"),
        ("rename", "/moved/to"),
        ("create", "/n/empty"),
        ("create", "/n/m/new"),
        ("create", "/nn"),
    ]
