"""What is packed, in which bytes, and what is said of the rest."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import stat
import zipfile
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import pytest

from treeglass import Limits, Workspace
from treeglass.errors import NotADirectory, PackFailed, PathNotFound
from treeglass.pack import PackReport, pack_manifest, pack_zip
from treeglass.packing.tree import LeftOut
from treeglass.workspace.host import OsFileSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treeglass.workspace.host import HostEntry

NASTY: dict[str, str | bytes | None] = {
    "a b.md": "hello\n",
    "a.b": "dot sorts before slash",
    "a/z.txt": "below a",
    "a/deep/er/file": b"\x00\xff" * 5000,
    "empty": None,
    "a/empty too": None,
    "zero": "",
    "line\nfeed": "forged",
    "esc\x1b[31m": "red",
    "\u202etxt": "bidirectional",
    "e\u0301": "NFD",
    "\u00e9": "NFC",
    "\uff5e": "before the next in UTF-8, after it in UTF-16",
    "\U0001f600": "astral",
    "back\\slash": "one name",
    "C:": "a name like another",
    "latest": "-> a b.md",
    "a/up": "-> ../a b.md",
    "dangling": "-> no/such/place",
    "loop": "-> pool",
    "pool": "-> loop",
    "to-directory": "-> a/deep",
    "itself": "-> .",
    "through": "-> to-directory/../z.txt",
}
"""In the order of no host; what a link leads to is no matter."""

SORTED = sorted(
    [*(name for name, content in NASTY.items() if content is not None), "a/empty too", "empty"],
    key=str.encode,
)


def _mounted(tree: Path, **options: object) -> Workspace:
    return Workspace({"/tree": tree}, **options)  # type: ignore[arg-type]  # as given


def _zipped(workspace: Workspace, **options: bool | int) -> tuple[bytes, PackReport]:
    output = io.BytesIO()
    report = pack_zip(workspace, "/tree", output, **options)  # type: ignore[arg-type]  # as given
    return output.getvalue(), report


def _listed(workspace: Workspace, **options: str | bool) -> tuple[str, PackReport]:
    output = io.BytesIO()
    report = pack_manifest(workspace, "/tree", output, **options)  # type: ignore[arg-type]  # as given
    return output.getvalue().decode(), report


class Member(NamedTuple):
    """All that a zip says of one entry, but for where it lies."""

    name: str
    mode: str
    time: tuple[int, ...]
    method: int
    content: bytes


def _members(archive: bytes) -> list[Member]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return [
            Member(
                header.filename,
                stat.filemode(header.external_attr >> 16),
                header.date_time,
                header.compress_type,
                opened.read(header),
            )
            for header in opened.infolist()
        ]


def _member(name: str, *, method: int) -> Member:
    content = NASTY[name]
    if content is None:
        return Member(f"{name}/", "drwxr-xr-x", (1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED, b"")
    content = content.encode() if isinstance(content, str) else content
    if content.startswith(b"-> "):
        target = content.removeprefix(b"-> ")
        return Member(name, "lrwxrwxrwx", (1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED, target)
    method = method if content else zipfile.ZIP_STORED
    return Member(name, "-rw-r--r--", (1980, 1, 1, 0, 0, 0), method, content)


NASTY_REPORT = PackReport(
    file_count=14,
    directory_count=2,
    symlink_count=8,
    content_bytes=sum(
        len(content.encode() if isinstance(content, str) else content)
        for content in NASTY.values()
        if content is not None and not (isinstance(content, str) and content.startswith("-> "))
    ),
    left_out=(),
)


@pytest.mark.parametrize(
    ("store", "method"), [(False, zipfile.ZIP_DEFLATED), (True, zipfile.ZIP_STORED)]
)
def test_a_zip_gives_back_every_name_byte_and_link_in_the_order_of_utf8(
    make_tree: Callable[..., Path], store: bool, method: int
) -> None:
    archive, report = _zipped(_mounted(make_tree(NASTY)), store=store)

    assert _members(archive) == [_member(name, method=method) for name in SORTED]
    assert report == NASTY_REPORT


def test_a_manifest_lists_the_same_with_sizes_and_hashes(make_tree: Callable[..., Path]) -> None:
    text, report = _listed(_mounted(make_tree(NASTY)), base_url="https://docs.test/é/")

    expected: list[dict[str, str | int]] = []
    for name in SORTED:
        member = _member(name, method=zipfile.ZIP_STORED)
        match member.mode[0]:
            case "d":
                expected.append({"path": name, "kind": "directory"})
            case "l":
                target = member.content.decode()
                expected.append({"path": name, "kind": "symlink", "target": target})
            case _:
                digest = sha256(member.content).hexdigest()
                size_bytes = len(member.content)
                expected.append(
                    {"path": name, "kind": "file", "size_bytes": size_bytes, "sha256": digest}
                )
    assert json.loads(text) == {
        "manifest_version": 1,
        "base_url": "https://docs.test/é/",
        "entries": expected,
    }
    assert report == NASTY_REPORT


def test_a_manifest_has_one_entry_a_line(make_tree: Callable[..., Path]) -> None:
    tree = make_tree({"a b.md": "hello, world", "empty": None, "latest": "-> a b.md", "é": ""})

    text, _ = _listed(_mounted(tree))

    assert text == (
        '{"manifest_version": 1, "base_url": "./", "entries": [\n'
        '{"path": "a b.md", "kind": "file", "size_bytes": 12, "sha256": '
        '"09ca7e4eaa6e8ae9c7d261167129184883644d07dfba7cbfbc4c8a2e08360d5b"},\n'
        '{"path": "empty", "kind": "directory"},\n'
        '{"path": "latest", "kind": "symlink", "target": "a b.md"},\n'
        '{"path": "é", "kind": "file", "size_bytes": 0, "sha256": '
        '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}\n'
        "]}\n"
    )


def test_nothing_packs_to_an_empty_archive_and_an_empty_list(
    make_tree: Callable[..., Path],
) -> None:
    workspace = _mounted(make_tree({}))
    nothing = PackReport(
        file_count=0, directory_count=0, symlink_count=0, content_bytes=0, left_out=()
    )

    archive, zipped = _zipped(workspace)
    text, listed = _listed(workspace)

    assert (_members(archive), zipped, listed) == ([], nothing, nothing)
    assert text == '{"manifest_version": 1, "base_url": "./", "entries": []}\n'


def _write_in_some_order(root: Path, seed: int) -> Workspace:
    """Write the nasty tree with an order, times, modes and a umask of its own."""
    names = list(NASTY)
    chance = random.Random(seed)  # noqa: S311  # any order will do
    chance.shuffle(names)
    umask = os.umask(0o077 if seed % 2 else 0o002)
    try:
        for name in names:
            path, content = root / name, NASTY[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.mkdir()
            elif isinstance(content, str) and content.startswith("-> "):
                path.symlink_to(content.removeprefix("-> "))
            else:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
                path.chmod(0o755 if seed % 2 else 0o600)
                os.utime(path, (chance.randrange(2**31), chance.randrange(2**31)))
    finally:
        os.umask(umask)
    return _mounted(root)


def test_two_copies_made_in_different_ways_pack_to_the_same_bytes(tmp_path: Path) -> None:
    first, second = (_write_in_some_order(tmp_path / str(seed), seed) for seed in (1, 2))

    assert _zipped(first) == _zipped(second)
    assert _zipped(first, store=True) == _zipped(second, store=True)
    assert _listed(first) == _listed(second)


@pytest.mark.parametrize(
    ("modified_s", "time"),
    [
        pytest.param(None, (1980, 1, 1, 0, 0, 0), id="not said"),
        pytest.param(0, (1980, 1, 1, 0, 0, 0), id="before a zip's time begins"),
        pytest.param(1_600_000_000, (2020, 9, 13, 12, 26, 40), id="in UTC, whatever is local"),
        pytest.param(10**12, (2107, 12, 31, 23, 59, 58), id="after it ends"),
    ],
)
def test_every_entry_has_the_time_that_was_asked_for(
    make_tree: Callable[..., Path], modified_s: int | None, time: tuple[int, ...]
) -> None:
    workspace = _mounted(make_tree({"a": "a", "b": None, "c": "-> a"}))
    output = io.BytesIO()

    pack_zip(workspace, "/tree", output, modified_s=modified_s)

    assert [member.time for member in _members(output.getvalue())] == [time] * 3


def test_links_that_leave_the_directory_are_left_out_even_where_they_come_back(
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
        }
    )

    archive, report = _zipped(_mounted(tree))

    assert [member.name for member in _members(archive)] == ["a/b/c/file", "a/b/in", "top"]
    assert report.left_out == tuple(
        LeftOut(path, reason)
        for path in (
            *("a/b/c/by-top", "a/b/shallow", "absolute", "back", "out"),
            "via-absolute",
        )
    )


class Refusing(OsFileSystem):
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


def test_what_cannot_be_packed_is_left_out_and_told(make_tree: Callable[..., Path]) -> None:
    tree = make_tree({"ok": "ok", "secret": "s", "locked/x": "x", "broken": "-> ok", "e": None})
    os.mkfifo(tree / "pipe")
    (tree / os.fsdecode(b"caf\xe9")).mkdir()
    (tree / os.fsdecode(b"caf\xe9") / "in it").write_text("x")
    (tree / "to-raw").symlink_to(os.fsdecode(b"\xff"))

    archive, zipped = _zipped(_mounted(tree, file_system=Refusing()))
    text, listed = _listed(_mounted(tree, file_system=Refusing()))

    assert [member.name for member in _members(archive)] == ["e/", "ok"]
    assert [entry["path"] for entry in json.loads(text)["entries"]] == ["e", "ok"]
    assert (
        zipped
        == listed
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


class Changing(OsFileSystem):
    """A disk where somebody acts on a file just before or while it is read."""

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


@pytest.mark.parametrize("pack", [_zipped, _listed])
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
    workspace = _mounted(make_tree({"src/busy": "content", "src/ok": "ok"}), file_system=disk)

    with pytest.raises(PackFailed) as failed:
        pack(workspace)

    assert str(failed.value) == (
        "src/busy changed while it was packed: pack again when nothing writes to the directory"
    )


class _Failing(io.BytesIO):
    def read(self, _size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


class Broken(OsFileSystem):
    """A disk that fails in the middle of a file."""

    def open(self, path: str) -> BinaryIO:
        return _Failing() if path.endswith("bad\n") else super().open(path)


def test_a_disk_that_fails_in_the_middle_of_a_file_fails_the_whole(
    make_tree: Callable[..., Path],
) -> None:
    workspace = _mounted(make_tree({"bad\n": "x"}), file_system=Broken())

    with pytest.raises(PackFailed) as failed:
        _zipped(workspace)

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
    workspace = _mounted(make_tree({"a/1": "", "a/2": "", "a/3": ""}), limits=limits)

    with pytest.raises(PackFailed) as failed:
        _listed(workspace)

    assert str(failed.value) == sentence


def test_only_a_directory_that_exists_is_packed(make_tree: Callable[..., Path]) -> None:
    workspace = _mounted(make_tree({"file": "x"}))

    with pytest.raises(NotADirectory):
        pack_zip(workspace, "/tree/file", io.BytesIO())
    with pytest.raises(PathNotFound):
        pack_manifest(workspace, "/tree/nope", io.BytesIO())


def test_a_directory_below_a_mount_is_a_tree_of_its_own(make_tree: Callable[..., Path]) -> None:
    output = io.BytesIO()
    workspace = _mounted(make_tree({"src/a": "a", "src/up": "-> ../README", "README": "x"}))

    report = pack_zip(workspace, "/tree/src", output, exclude=lambda path: path == "excluded")

    assert [member.name for member in _members(output.getvalue())] == ["a"]
    assert report.left_out == (LeftOut("up", "it leads out of the packed directory"),)


def test_excluded_paths_are_left_out_without_a_word(make_tree: Callable[..., Path]) -> None:
    output = io.BytesIO()
    workspace = _mounted(make_tree({"a/x": "x", "b": "b", "only/excluded": "x"}))

    report = pack_zip(
        workspace, "/tree", output, exclude=lambda path: path in {"a", "only/excluded"}
    )

    assert [member.name for member in _members(output.getvalue())] == ["b", "only/"]
    assert report.left_out == ()


class _EmptyFile(NamedTuple):
    name: str

    def is_symlink(self) -> bool:
        return False

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        assert not follow_symlinks
        return False

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        assert not follow_symlinks
        return True


MANY = 70_000


class Crowded:
    """A disk with more empty files than the short form of a zip can count."""

    def scandir(self, path: str) -> AbstractContextManager[Iterator[HostEntry]]:
        assert not path.endswith(".empty")
        return nullcontext(iter([_EmptyFile(f"{number:05}.empty") for number in range(MANY)]))

    def lstat(self, path: str) -> os.stat_result:
        kind = stat.S_IFREG if path.endswith(".empty") else stat.S_IFDIR
        return os.stat_result((kind, 0, 0, 1, 0, 0, 0, 0, 0, 0))

    def readlink(self, path: str) -> str:
        raise OSError(errno.EINVAL, path)

    def open(self, path: str) -> BinaryIO:
        assert path.endswith(".empty")
        return io.BytesIO()


def test_more_entries_than_a_short_zip_can_count_take_zip64(tmp_path: Path) -> None:
    archive, report = _zipped(_mounted(tmp_path, file_system=Crowded()))

    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.namelist() == [f"{number:05}.empty" for number in range(MANY)]
    assert b"PK\x06\x06" in archive[-200:]
    assert report.file_count == MANY


GITIGNORE_TREE: dict[str, str | bytes | None] = {
    ".git/config": "never",
    ".gitignore": "\ufeff# built\n*.log\r\n!keep.log\nbuild/\n/root-only\ndeep/**\n!deep/kept\n\\",
    "app.log": "",
    "keep.log": "",
    "build/out": "",
    "root-only": "",
    "src/root-only": "",
    "src/build": "a file is no directory",
    "src/.gitignore": "!*.log\nlocal  \nspaced\\ \nna\u00efv\u00e0\n[z-a]\n",
    "src/app.log": "",
    "src/local": "",
    "src/spaced ": "",
    "src/naïvà": "",
    "src/link.log": "-> app.log",
    "sub/.git": "gitdir: elsewhere",
    "sub/x": "",
    "deep/er/x": "",
    "deep/kept": "",
    "hollow": None,
    "logs/one.log": "",
}


def test_gitignore_leaves_out_what_nested_files_say_and_git_itself(
    make_tree: Callable[..., Path],
) -> None:
    text, report = _listed(_mounted(make_tree(GITIGNORE_TREE)), gitignore=True)

    assert [entry["path"] for entry in json.loads(text)["entries"]] == [
        ".gitignore",
        "deep/kept",
        "hollow",
        "keep.log",
        "src/.gitignore",
        "src/app.log",
        "src/build",
        "src/link.log",
        "src/root-only",
        "sub/x",
    ]
    assert report.left_out == ()


def test_an_ignore_file_that_cannot_be_read_fails_rather_than_pack_what_it_hides(
    make_tree: Callable[..., Path],
) -> None:
    class Locked(OsFileSystem):
        def open(self, path: str) -> BinaryIO:
            raise PermissionError(13, path)

    tree = make_tree({"a\n/.gitignore": "*"})

    with pytest.raises(PackFailed) as failed:
        _listed(_mounted(tree, file_system=Locked()), gitignore=True)

    assert str(failed.value) == "cannot read a\\u{A}/.gitignore: Permission denied (os error 13)"


def test_an_ignore_file_that_is_too_large_fails(make_tree: Callable[..., Path]) -> None:
    workspace = _mounted(make_tree({".gitignore": "#" * (1024 * 1024 + 1)}))

    with pytest.raises(PackFailed) as failed:
        _zipped(workspace, gitignore=True)

    assert str(failed.value) == (
        ".gitignore is larger than 1,048,576 bytes (max_ignore_file_bytes)"
    )


def test_a_link_in_the_place_of_an_ignore_file_says_nothing(
    make_tree: Callable[..., Path],
) -> None:
    workspace = _mounted(make_tree({"rules": "*", ".gitignore": "-> rules", "x": "x"}))

    archive, _ = _zipped(workspace, gitignore=True)

    assert [member.name for member in _members(archive)] == [".gitignore", "rules", "x"]
