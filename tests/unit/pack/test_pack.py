"""The bytes of an archive and of a manifest, and the report of either."""

import doctest
import io
import json
import os
import random
import stat
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import pytest

import treeglass.pack
from tests.unit.pack.packed import Member, listed, members, mounted, zipped
from treeglass import Workspace
from treeglass.pack import PackReport, pack_zip
from treeglass.workspace import Entry
from treeglass.workspace.host import (
    HostFileSystem,
)

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
"""In an order that no host has; the targets of links do not matter."""

SORTED = sorted(
    [*(name for name, content in NASTY.items() if content is not None), "a/empty too", "empty"],
    key=str.encode,
)


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
    archive, report = zipped(mounted(make_tree(NASTY)), store=store)

    assert members(archive) == [_member(name, method=method) for name in SORTED]
    assert report == NASTY_REPORT


def test_a_manifest_lists_the_same_with_sizes_and_hashes(make_tree: Callable[..., Path]) -> None:
    text, report = listed(mounted(make_tree(NASTY)), base_url="https://docs.test/é/")

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

    text, _ = listed(mounted(tree))

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
    workspace = mounted(make_tree({}))
    nothing = PackReport(
        file_count=0, directory_count=0, symlink_count=0, content_bytes=0, left_out=()
    )

    archive, of_zip = zipped(workspace)
    text, of_manifest = listed(workspace)

    assert (members(archive), of_zip, of_manifest) == ([], nothing, nothing)
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
    return mounted(root)


def test_two_copies_made_in_different_ways_pack_to_the_same_bytes(tmp_path: Path) -> None:
    first, second = (_write_in_some_order(tmp_path / str(seed), seed) for seed in (1, 2))

    assert zipped(first) == zipped(second)
    assert zipped(first, store=True) == zipped(second, store=True)
    assert listed(first) == listed(second)


@pytest.mark.parametrize(
    ("modified_s", "time"),
    [
        pytest.param(None, (1980, 1, 1, 0, 0, 0), id="not said"),
        pytest.param(0, (1980, 1, 1, 0, 0, 0), id="before a zip's time begins"),
        pytest.param(1_600_000_000, (2020, 9, 13, 12, 26, 40), id="in UTC"),
        pytest.param(10**12, (2107, 12, 31, 23, 59, 58), id="after it ends"),
    ],
)
def test_every_entry_has_the_time_that_was_asked_for(
    make_tree: Callable[..., Path], modified_s: int | None, time: tuple[int, ...]
) -> None:
    workspace = mounted(make_tree({"a": "a", "b": None, "c": "-> a"}))
    output = io.BytesIO()

    pack_zip(workspace, "/tree", output, modified_s=modified_s)

    assert [member.time for member in members(output.getvalue())] == [time] * 3


MANY = 70_000


class Crowded(HostFileSystem):
    """A disk with more empty files than the short form of a zip can count."""

    def realpath(self, path: str) -> str:
        return path

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        assert not path.endswith(".empty")
        return [Entry(f"{number:05}.empty", "file") for number in range(min(MANY, max_entries))]

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:  # noqa: ARG002
        kind = stat.S_IFREG if path.endswith(".empty") else stat.S_IFDIR
        return os.stat_result((kind, 0, 0, 1, 0, 0, 0, 0, 0, 0))

    def open(self, path: str) -> BinaryIO:
        assert path.endswith(".empty")
        return io.BytesIO()


def test_more_entries_than_a_short_zip_can_count_take_zip64(tmp_path: Path) -> None:
    archive, report = zipped(mounted(tmp_path, file_system=Crowded()))

    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.namelist() == [f"{number:05}.empty" for number in range(MANY)]
    assert b"PK\x06\x06" in archive[-200:]
    assert report.file_count == MANY


def test_the_examples_of_the_docstrings_give_what_they_show() -> None:
    assert tuple(doctest.testmod(treeglass.pack)) == (0, 14)
