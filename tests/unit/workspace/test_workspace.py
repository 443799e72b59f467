import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass import Limits, Workspace
from treeglass.errors import (
    HostFault,
    IsADirectory,
    LimitExceeded,
    NotADirectory,
    NotARegularFile,
    PathNotFound,
    WorkspaceError,
)
from treeglass.workspace import Entry, Status


def test_entries_have_their_own_kind_and_links_are_not_followed(
    make_tree: Callable[..., Path], make_pipe: Callable[[Path], None]
) -> None:
    root = make_tree({"f": "x", "d": None, "to_d": "-> d", "dangling": "-> nope"})
    make_pipe(root / "pipe")
    workspace = Workspace({"/repo": root})

    assert sorted(workspace.scan(workspace.resolve("/repo"))) == [
        Entry("d", "directory"),
        Entry("dangling", "symlink"),
        Entry("f", "file"),
        Entry("pipe", "other"),
        Entry("to_d", "symlink"),
    ]


def test_status_describes_the_entry_itself(make_tree: Callable[..., Path]) -> None:
    root = make_tree({"f": "four", "link": "-> f"})
    os.utime(root / "f", ns=(5, 1_234_567))
    workspace = Workspace({"/repo": root})
    directory = workspace.resolve("/repo")

    assert workspace.status(workspace.resolve("/repo/f")) == Status("file", 4, 1_234_567)
    assert workspace.status(workspace.enter(directory, Entry("link", "symlink"))).kind == "symlink"
    assert workspace.resolve_entry(directory, Entry("link", "symlink")).virtual == "/repo/f"
    assert workspace.status(workspace.resolve("/")) == Status("directory", 0, None)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        pytest.param("/repo/d", IsADirectory, id="a directory"),
        pytest.param("/", IsADirectory, id="the root of the mounts"),
        pytest.param("/repo/pipe", NotARegularFile, id="a pipe, without waiting for a writer"),
        pytest.param("/repo/nope", PathNotFound, id="missing"),
        pytest.param("/etc/passwd", PathNotFound, id="not mounted"),
    ],
)
def test_only_regular_files_open(
    make_tree: Callable[..., Path],
    path: str,
    error: type[WorkspaceError],
    make_pipe: Callable[[Path], None],
) -> None:
    root = make_tree({"d": None})
    make_pipe(root / "pipe")
    workspace = Workspace({"/repo": root})

    with pytest.raises(error):
        workspace.open(workspace.resolve(path, strict=False))


@pytest.mark.parametrize(
    ("mounts", "said"),
    [("notes", "'notes'"), (None, "None"), ([("/repo", "notes")], "[('/repo', 'notes')]")],
)
def test_mounts_that_are_no_mapping_are_refused_with_an_example(mounts: Any, said: str) -> None:
    with pytest.raises(TypeError) as refused:
        Workspace(mounts)

    assert str(refused.value) == (
        'the mounts are a mapping of virtual paths to folders, such as {"/repo": "notes"}, and '
        f"not {said}"
    )


def test_a_file_that_became_a_link_is_not_followed(make_tree: Callable[..., Path]) -> None:
    root = make_tree({"f": "x", "secret": "s"})
    workspace = Workspace({"/repo": root})
    path = workspace.resolve("/repo/f")
    (root / "f").unlink()
    (root / "f").symlink_to("secret")

    with pytest.raises(WorkspaceError) as refusal:
        workspace.open(path)

    assert refusal.value.linux_text == "Too many levels of symbolic links (os error 40)"


def test_a_directory_that_vanished_is_not_found(make_tree: Callable[..., Path]) -> None:
    root = make_tree({"d": None})
    workspace = Workspace({"/repo": root})
    path = workspace.resolve("/repo/d")
    (root / "d").rmdir()

    with pytest.raises(PathNotFound):
        workspace.scan(path)


def test_a_directory_over_the_ceiling_is_refused_with_the_limits_name(
    make_tree: Callable[..., Path],
) -> None:
    root = make_tree({"a": "", "b": "", "c": ""})
    workspace = Workspace({"/repo": root}, limits=Limits(max_directory_entries=2))

    with pytest.raises(LimitExceeded) as refusal:
        workspace.scan(workspace.resolve("/repo"))

    assert str(refusal.value) == (
        "max_directory_entries is 2; ask for less, for example one subdirectory"
    )


def test_a_limit_is_positive() -> None:
    with pytest.raises(ValueError, match=r"^max_line_bytes must be positive, not 0$"):
        Limits(max_line_bytes=0)


def test_require_directory_refuses_a_file(make_tree: Callable[..., Path]) -> None:
    workspace = Workspace({"/repo": make_tree({"f": ""})})

    with pytest.raises(NotADirectory):
        workspace.require_directory(workspace.resolve("/repo/f"))


@pytest.mark.parametrize("target", ["src", "no/such", "../outside", "/etc/hosts", "link"])
def test_a_link_is_read_as_it_is_written_wherever_it_leads(
    make_tree: Callable[..., Path], target: str
) -> None:
    workspace = Workspace({"/repo": make_tree({"src": None, "link": f"-> {target}"})})
    link = workspace.enter(workspace.resolve("/repo"), Entry("link", "symlink"))

    assert workspace.read_link(link) == target


@pytest.mark.parametrize(
    ("path", "error"),
    [
        pytest.param("/repo/file", HostFault, id="a file"),
        pytest.param("/repo/nope", PathNotFound, id="nothing"),
        pytest.param("/", HostFault, id="above the mounts"),
    ],
)
def test_an_entry_that_is_not_a_link_cannot_be_read_as_one(
    make_tree: Callable[..., Path], path: str, error: type[WorkspaceError]
) -> None:
    workspace = Workspace({"/repo": make_tree({"file": "x"})})

    with pytest.raises(WorkspaceError) as raised:
        workspace.read_link(workspace.resolve(path, strict=False))

    assert type(raised.value) is error
