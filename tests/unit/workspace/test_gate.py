from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass import Workspace, WorkspaceInvalid
from treeglass.errors import PathNotFound, WorkspaceError
from treeglass.workspace import ResolvedPath

TREE: dict[str, str | bytes | None] = {
    "src/a.txt": "a",
    "src/deep/b.txt": "b",
    "link": "-> src",
    "chain": "-> link/deep",
    "loop": "-> pool",
    "pool": "-> loop",
    "dangling": "-> nowhere",
    "out": "-> ../elsewhere",
    "out_absolute": "-> /etc",
    "back": "-> ../tree/src",
    "up": "-> ..",
    "file_slash": "-> src/a.txt/",
    "line\nfeed": "forged",
    r"real\u{A}": "literal",
}

_LONGEST = "x/" * 2047 + "x"


@pytest.fixture
def workspace(make_tree: Callable[..., Path]) -> Workspace:
    return Workspace({"/repo": make_tree(TREE)}, working_dir="/repo/src")


def outcome(workspace: Workspace, text: str, *, strict: bool, unescape: bool = True) -> str:
    try:
        return workspace.resolve(text, strict=strict, unescape=unescape).virtual
    except WorkspaceError as error:
        return type(error).__name__


@pytest.mark.parametrize(
    ("text", "strict", "lenient"),
    [
        pytest.param("/", "/", "/", id="the root lists the mounts"),
        pytest.param("/repo", "/repo", "/repo", id="a mount point"),
        pytest.param("//repo///src/", "/repo/src", "/repo/src", id="repeated slashes"),
        pytest.param("a.txt", "/repo/src/a.txt", "/repo/src/a.txt", id="relative"),
        pytest.param("", "/repo/src", "/repo/src", id="empty is the working directory"),
        pytest.param("../../..", "/", "/", id="up never leaves the virtual root"),
        pytest.param("/repo/link/deep", "/repo/src/deep", "/repo/src/deep", id="a link inside"),
        pytest.param("/repo/link/..", "/repo", "/repo", id="up counts after a link"),
        pytest.param("/repo/chain/..", "/repo/src", "/repo/src", id="a chain of links"),
        pytest.param("/repo/back", "/repo/src", "/repo/src", id="a link that leaves and returns"),
        pytest.param("/repo/loop", "SymlinkLoop", "/repo/loop", id="a loop"),
        pytest.param("/repo/loop/..", "SymlinkLoop", "/repo", id="up from a loop"),
        pytest.param("/repo/loop/x", "SymlinkLoop", "/repo/loop/x", id="below a loop"),
        pytest.param("/repo/dangling", "PathNotFound", "/repo/nowhere", id="a dangling link"),
        pytest.param("/repo/out", *["PathEscapesWorkspace"] * 2, id="a link out"),
        pytest.param("/repo/out/x/y", *["PathEscapesWorkspace"] * 2, id="a path through it"),
        pytest.param("/repo/out/../tree", "/repo", "/repo", id="and back in again"),
        pytest.param("/repo/up", *["PathEscapesWorkspace"] * 2, id="a link to the parent"),
        pytest.param("/repo/out_absolute", *["PathEscapesWorkspace"] * 2, id="an absolute link"),
        pytest.param("/etc", "PathNotFound", "/etc", id="not mounted"),
        pytest.param(
            "/etc/passwd", "PathNotFound", "/etc/passwd", id="below a path that is not mounted"
        ),
        pytest.param("/repo/../etc", "PathNotFound", "/etc", id="beside the mount"),
        pytest.param("/repository", "PathNotFound", "/repository", id="a name that only begins so"),
        pytest.param("nope/..", "PathNotFound", "/repo/src", id="up from a missing name"),
        pytest.param("a.txt/..", "NotADirectory", "/repo/src", id="up from a file"),
        pytest.param("a.txt/", "NotADirectory", "/repo/src/a.txt", id="a file with a slash"),
        pytest.param("a.txt/x", "NotADirectory", "/repo/src/a.txt/x", id="below a file"),
        pytest.param("/repo/file_slash", "NotADirectory", "/repo/src/a.txt", id="link with slash"),
        pytest.param("a\0b", "NulInPath", "NulInPath", id="NUL"),
        pytest.param("x" * 255, "PathNotFound", f"/repo/src/{'x' * 255}", id="a name of 255"),
        pytest.param(_LONGEST, "PathNotFound", f"/repo/src/{_LONGEST}", id="a path of 4,095 bytes"),
        pytest.param("x" * 256, "NameTooLong", "NameTooLong", id="a name of 256 bytes"),
        pytest.param("é" * 128, "NameTooLong", "NameTooLong", id="bytes count, not characters"),
        pytest.param("x/" * 2048, "NameTooLong", "NameTooLong", id="a path of 4,096 bytes"),
        pytest.param("nope/" + "x" * 256, "PathNotFound", "NameTooLong", id="missing comes first"),
        pytest.param("\ud800", "PathNotFound", "/repo/src/\ud800", id="a lone surrogate"),
        pytest.param(
            r"/repo/line\u{A}feed", "/repo/line\nfeed", "/repo/line\nfeed", id="our spelling"
        ),
        pytest.param(
            r"/repo/real\u{5C}u{A}", r"/repo/real\u{A}", r"/repo/real\u{A}", id="spelled backslash"
        ),
        pytest.param(
            r"/repo/real\u{A}", r"/repo/real\u{A}", r"/repo/real\u{A}", id="the real name opens too"
        ),
        pytest.param(
            r"/repo/src\u{2F}a.txt", "PathNotFound", r"/repo/src\u{2F}a.txt", id="no spelled slash"
        ),
    ],
)
def test_a_text_leads_to_the_path_that_linux_and_the_mounts_say(
    workspace: Workspace, text: str, strict: str, lenient: str
) -> None:
    assert outcome(workspace, text, strict=True) == strict
    assert outcome(workspace, text, strict=False) == lenient


@pytest.mark.parametrize("text", ["/repo/loop/../out/a.txt", "/repo/" + "here/" * 41 + "out/a.txt"])
def test_a_link_too_many_is_not_left_for_the_host_to_follow(tmp_path: Path, text: str) -> None:
    mounted, outside = tmp_path / "mounted", tmp_path / "outside"
    mounted.mkdir()
    outside.mkdir()
    (outside / "a.txt").write_text("secret")
    for name, target in {"loop": "loop", "here": ".", "out": str(outside)}.items():
        (mounted / name).symlink_to(target)
    workspace = Workspace({"/repo": mounted})

    path = workspace.resolve(text, strict=False)

    assert path.host is None
    with pytest.raises(PathNotFound):
        workspace.status(path)


def test_an_absolute_link_stays_inside_if_the_host_s_root_is_mounted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    (tmp_path / "top").symlink_to("/")
    workspace = Workspace({"/host": "/"})
    here = f"/host{tmp_path.resolve()}"

    assert workspace.resolve(f"{here}/link").virtual == f"{here}/a.txt"
    assert workspace.resolve(f"{here}/top").virtual == "/host"


def test_the_spelling_of_a_mount_s_name_opens_the_mount(tmp_path: Path) -> None:
    workspace = Workspace({"/a\nb/c\u200bd": tmp_path})

    path = workspace.resolve(r"/a\u{A}b/c\u{200B}d", unescape=True)

    assert path.virtual == "/a\nb/c\u200bd"


def test_spellings_are_plain_text_unless_they_are_asked_for(workspace: Workspace) -> None:
    assert outcome(workspace, r"/repo/line\u{A}feed", strict=True, unescape=False) == "PathNotFound"


def test_links_between_mounts_are_followed(make_tree: Callable[..., Path]) -> None:
    root = make_tree({"one/link": "-> ../two/b.txt", "two/b.txt": "b"})
    workspace = Workspace({"/1": root / "one", "/deep/2": root / "two"})

    assert workspace.resolve("/1/link").virtual == "/deep/2/b.txt"
    assert [entry.name for entry in workspace.scan(workspace.resolve("/"))] == ["1", "deep"]
    assert [entry.name for entry in workspace.scan(workspace.resolve("/deep"))] == ["2"]
    assert workspace.project_root == "/"


def test_a_walk_from_the_root_enters_the_mounts(make_tree: Callable[..., Path]) -> None:
    workspace = Workspace({"/deep/mount": make_tree({"a.txt": "a"})})
    names = []
    directory = workspace.resolve("/")
    for _ in range(3):
        (entry,) = workspace.scan(directory)
        names.append(entry.name)
        directory = workspace.enter(directory, entry)

    assert (names, directory.virtual) == (["deep", "mount", "a.txt"], "/deep/mount/a.txt")


def test_a_resolved_path_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError, match=r"^a ResolvedPath comes from Workspace\.resolve$"):
        ResolvedPath("/repo", "/etc", object())


@pytest.mark.parametrize(
    ("mounts", "options", "sentence"),
    [
        pytest.param(
            {"repo": "."},
            {},
            "mount point 'repo' must be an absolute virtual path without '.' and '..'",
            id="relative",
        ),
        pytest.param(
            {"/a/../b": "."},
            {},
            "mount point '/a/../b' must be an absolute virtual path without '.' and '..'",
            id="with ..",
        ),
        pytest.param(
            {"/": "."},
            {},
            "mount point '/' is refused: '/' lists the mounts; use a name such as '/repo'",
            id="the root",
        ),
        pytest.param(
            {"/a": ".", "/a/b": "."}, {}, "mount point '/a/b' lies in '/a'", id="one in another"
        ),
        pytest.param({"/a": ".", "/a/": "."}, {}, "mount point '/a' lies in '/a'", id="twice"),
        pytest.param(
            {"/a": "no/such"},
            {},
            "mount point '/a': No such file or directory (os error 2)",
            id="missing",
        ),
        pytest.param(
            {"/a": __file__}, {}, "mount point '/a': only a directory can be mounted", id="file"
        ),
        pytest.param(
            {"/a": "."},
            {"working_dir": "a"},
            "working_dir 'a' must be an absolute virtual path without '.' and '..'",
            id="relative working directory",
        ),
    ],
)
def test_an_impossible_workspace_is_refused_by_name(
    mounts: dict[str, str], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(WorkspaceInvalid) as refusal:
        Workspace(mounts, **options)

    assert str(refusal.value) == sentence
