"""Which entries are packed, which are left out, and which faults end the packing."""

import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.unit.pack.packed import listed, members, mounted, zipped
from treeglass import Limits, Workspace
from treeglass.errors import NotADirectory, PackFailed, PathNotFound
from treeglass.pack import PackReport, pack_manifest, pack_zip
from treeglass.pack.tree import LeftOut
from treeglass.workspace.host import HostFileSystem


def test_links_that_leave_the_directory_are_left_out_even_if_they_come_back(
    make_tree: Callable[..., Path],
) -> None:
    reason = "it leads out of the packed directory"
    tree = make_tree(
        {
            "a/b/c/file": "x",
            "top": "-> a/b/c/../../..",
            "a/b/in": "-> ../../a",
            "out": "-> ../elsewhere",
            "absolute": "-> /etc/hosts",
            "back": "-> ../tree/a",
            "a/b/c/by-top": "-> ../../../top/../tree/a",
            "a/b/shallow": "-> ../../a/../../tree",
            "via-absolute": "-> absolute/x",
            "round-and-up": "-> round-and-up/../..",
        }
    )

    archive, report = zipped(mounted(tree))

    assert [member.name for member in members(archive)] == ["a/b/c/file", "a/b/in", "top"]
    assert report.left_out == tuple(
        LeftOut(path, reason)
        for path in (
            *("a/b/c/by-top", "a/b/shallow", "absolute", "back", "out"),
            *("round-and-up", "via-absolute"),
        )
    )


class Refusing(HostFileSystem):
    """A disk that refuses to list, read or follow some of its entries."""

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if path.endswith("locked"):
            raise PermissionError(13, "whatever the host says")
        return super().scandir(path)

    def open(self, path: str) -> BinaryIO:
        if path.endswith("secret"):
            raise PermissionError(13, "whatever the host says")
        return super().open(path)

    def readlink(self, path: str) -> str:
        if path.endswith("broken"):
            raise OSError(5, "whatever the host says")
        return super().readlink(path)


def test_an_entry_that_cannot_be_packed_is_left_out_and_told(
    make_tree: Callable[..., Path], make_pipe: Callable[[Path], None]
) -> None:
    tree = make_tree({"ok": "ok", "secret": "s", "locked/x": "x", "broken": "-> ok", "e": None})
    make_pipe(tree / "pipe")
    (tree / os.fsdecode(b"caf\xe9")).mkdir()
    (tree / os.fsdecode(b"caf\xe9") / "in it").write_text("x")
    (tree / "to-raw").symlink_to(os.fsdecode(b"\xff"))

    archive, of_zip = zipped(mounted(tree, file_system=Refusing()))
    text, of_manifest = listed(mounted(tree, file_system=Refusing()))

    assert [member.name for member in members(archive)] == ["e/", "ok"]
    assert [entry["path"] for entry in json.loads(text)["entries"]] == ["e", "ok"]
    assert (
        of_zip
        == of_manifest
        == PackReport(
            file_count=1,
            directory_count=1,
            symlink_count=0,
            content_bytes=2,
            left_out=(
                LeftOut("broken", "Input/output error (os error 5)"),
                LeftOut("caf\udce9", "its name is not UTF-8"),
                LeftOut("locked", "Permission denied (os error 13)"),
                LeftOut("pipe", "neither a file nor a directory nor a symbolic link"),
                LeftOut("secret", "Permission denied (os error 13)"),
                LeftOut("to-raw", "its target is not UTF-8"),
            ),
        )
    )


class Changing(HostFileSystem):
    """A disk whose files change just before or while they are read."""

    def __init__(
        self,
        *,
        before: Callable[[Path], object] = bool,
        after: Callable[[Path], object] = bool,
    ) -> None:
        self._before, self._after = before, after

    def open(self, path: str) -> BinaryIO:
        if path.endswith("busy"):
            self._before(Path(path))
            stream = super().open(path)
            self._after(Path(path))
            return stream
        return super().open(path)


def _grow(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(b"more")


def _replace_by_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("ok")


@pytest.mark.parametrize("pack", [zipped, listed])
@pytest.mark.parametrize(
    "disk",
    [
        pytest.param(Changing(after=_grow), id="grows"),
        pytest.param(Changing(after=lambda path: os.truncate(path, 1)), id="shrinks"),
        pytest.param(Changing(after=lambda path: os.utime(path, (1, 1))), id="is touched"),
        pytest.param(Changing(after=Path.unlink), id="vanishes while it is read"),
        pytest.param(Changing(before=Path.unlink), id="vanishes before it is opened"),
        pytest.param(Changing(before=_replace_by_link), id="becomes a link"),
    ],
)
def test_a_file_that_changes_while_it_is_packed_fails_the_whole(
    make_tree: Callable[..., Path],
    disk: Changing,
    pack: Callable[[Workspace], object],
) -> None:
    workspace = mounted(make_tree({"src/busy": "content", "src/ok": "ok"}), file_system=disk)

    with pytest.raises(PackFailed) as failed:
        pack(workspace)

    assert str(failed.value) == (
        "src/busy changed while it was packed: pack again when nothing writes to the directory"
    )


class _Failing(io.BytesIO):
    def read(self, _size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


class Broken(HostFileSystem):
    """A disk that fails in the middle of a file."""

    def open(self, path: str) -> BinaryIO:
        return _Failing() if path.endswith("bad\n") else super().open(path)


def test_a_disk_that_fails_in_the_middle_of_a_file_fails_the_whole(
    make_tree: Callable[..., Path],
) -> None:
    workspace = mounted(make_tree({"bad\n": "x"}), file_system=Broken())

    with pytest.raises(PackFailed) as failed:
        zipped(workspace)

    assert str(failed.value) == "cannot read bad\\u{A}: Input/output error"


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        pytest.param(
            Limits(max_directory_entries=2),
            "a/: max_directory_entries is 2; ask for less, for example one subdirectory",
            id="in one directory",
        ),
        pytest.param(
            Limits(max_walk_entries=3),
            "max_walk_entries is 3; ask for less, for example one subdirectory",
            id="in all",
        ),
    ],
)
def test_more_entries_than_a_limit_fail_the_whole(
    make_tree: Callable[..., Path], limits: Limits, sentence: str
) -> None:
    workspace = mounted(make_tree({"a/1": "", "a/2": "", "a/3": ""}), limits=limits)

    with pytest.raises(PackFailed) as failed:
        listed(workspace)

    assert str(failed.value) == sentence


def test_only_a_directory_that_exists_is_packed(make_tree: Callable[..., Path]) -> None:
    workspace = mounted(make_tree({"file": "x"}))

    with pytest.raises(NotADirectory):
        pack_zip(workspace, "/tree/file", io.BytesIO())
    with pytest.raises(PathNotFound):
        pack_manifest(workspace, "/tree/nope", io.BytesIO())


def test_a_directory_below_a_mount_is_a_tree_of_its_own(make_tree: Callable[..., Path]) -> None:
    output = io.BytesIO()
    workspace = mounted(make_tree({"src/a": "a", "src/up": "-> ../README", "README": "x"}))

    report = pack_zip(workspace, "/tree/src", output, exclude=lambda path: path == "excluded")

    assert [member.name for member in members(output.getvalue())] == ["a"]
    assert report.left_out == (LeftOut("up", "it leads out of the packed directory"),)


def test_excluded_paths_are_left_out_without_a_word(make_tree: Callable[..., Path]) -> None:
    output = io.BytesIO()
    workspace = mounted(make_tree({"a/x": "x", "b": "b", "only/excluded": "x"}))

    report = pack_zip(
        workspace, "/tree", output, exclude=lambda path: path in {"a", "only/excluded"}
    )

    assert [member.name for member in members(output.getvalue())] == ["b", "only/"]
    assert report.left_out == ()
