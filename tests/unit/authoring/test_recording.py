"""Answers are recorded, or refused with a sentence for the author.

`tests/browser/client/test_recorded_answers.py` shows that browsers answer the same.
"""

import base64
import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass.authoring import (
    Demo,
    DemoInvalid,
    InlineTree,
    NotRecordable,
    Recording,
    TreeAt,
    TreeOfPackage,
    record_answer,
)
from treeglass.authoring.demo import ArchiveNotRecorded, Tree


def demo_of(tree: Tree, tool: str = "read_file", **arguments: Any) -> Demo:
    asked = arguments or {"file_path": "/repo/a.txt"}
    return Demo(tool=tool, tree=tree, arguments=json.dumps(asked))


def refusal(demo: Demo, tree: Path | None, **options: Any) -> tuple[type[Exception], str]:
    with pytest.raises((DemoInvalid, NotRecordable)) as refused:
        record_answer(demo, tree, **options)
    return refused.type, str(refused.value)


def test_entries_in_the_page_need_no_file() -> None:
    demo = demo_of(InlineTree('{"a.txt": "one\\n\\nthree"}'))

    assert record_answer(demo, None) == Recording(
        content="L1: one\nL2: \nL3: three", is_error=False
    )


def test_an_error_of_the_tool_is_an_answer() -> None:
    assert record_answer(demo_of(InlineTree("{}")), None) == Recording(
        content="failed to read file: No such file or directory (os error 2)", is_error=True
    )


def test_a_host_that_opens_an_entry_by_many_names_records_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("treeglass.workspace.host_names.LISTS_TRUE_NAMES_ONLY", True)

    assert record_answer(demo_of(InlineTree('{"a.txt": "x"}')), None).content == "L1: x"


def test_the_clock_stands_still() -> None:
    demo = demo_of(InlineTree('{"a.txt": "x"}'), "LS", path=".")

    assert json.loads(record_answer(demo, None).content)["stats"] == {
        "time_ms": 1,
        "total_entries": 1,
        "dirs": 0,
        "files": 1,
        "links": 0,
        "returned": 1,
    }


def test_a_directory_stands_for_the_archive_that_is_packed_of_it(
    make_tree: Callable[..., Path],
) -> None:
    tree = make_tree({"a.txt": "x\n", "b": "-> a.txt", "out": "-> ../else"})
    demo = demo_of(TreeAt("tree"), "list_directory", path=".")

    entries = json.loads(record_answer(demo, tree).content)["entries"]

    assert [(entry["name"], entry["modified_epoch_ms"]) for entry in entries] == [
        ("a.txt", 315_532_800_000),
        ("b", 315_532_800_000),
    ]


@pytest.mark.parametrize("kind", ["npm", "github"])
def test_a_package_is_not_fetched(kind: Any) -> None:
    assert refusal(demo_of(TreeOfPackage(kind, "x")), None) == (
        NotRecordable,
        f"{kind} packages are not fetched to record an answer",
    )


def test_an_address_of_another_host_is_not_fetched() -> None:
    assert refusal(demo_of(TreeAt("https://x.test/a.zip")), None) == (
        NotRecordable,
        (
            "'https://x.test/a.zip' is not a file of the site, and nothing is fetched to record "
            "an answer"
        ),
    )


UNSOUND = "the tree is not a sound zip archive or manifest; pack it again"


def _zip(*files: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return packed.getvalue()


def _tar(name: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(name))
    return packed.getvalue()


def _sparse_tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        entry = tarfile.TarInfo("a.bin")
        entry.size = 9
        entry.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
        archive.addfile(entry, io.BytesIO(b"no number"))
    return packed.getvalue()


def _filled_tar() -> bytes:
    """Return a tar of one file whose content bzip2 cuts into blocks."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("a.bin")
        entry.size = 999_999
        archive.addfile(entry, io.BytesIO(hashlib.shake_128(b"").digest(entry.size)))
    return packed.getvalue()[:1_001_984]


def _pax(size_bytes: int) -> bytes:
    """Return a header of records of so many bytes."""
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, size_bytes
    comment = f"{size_bytes} c=".encode()
    body = comment + b"x" * (size_bytes - len(comment) - 1) + b"\n"
    return header.tobuf(tarfile.USTAR_FORMAT) + body + bytes(-size_bytes % 512)


BROKEN_TAR = (
    "'tree' is a broken tar archive, or a compressed file without one that pages mount; make it "
    "again"
)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(_tar("a.txt"), id="a tar"),
        pytest.param(_tar("PK\x03\x04") + _zip(("a.txt", b"x")), id="a tar with a zip at its end"),
        pytest.param(_tar("{"), id="a tar whose first name is a brace"),
        pytest.param(gzip.compress(_tar("a.txt"), mtime=0), id="gzip"),
        pytest.param(bz2.compress(_tar("a.txt")), id="bzip2"),
        pytest.param(bz2.compress(_filled_tar()), id="bzip2 of several blocks"),
        pytest.param(
            bz2.compress(_filled_tar()[:999]) + bz2.compress(_filled_tar()[999:]), id="two bzip2s"
        ),
        pytest.param(_filled_tar()[:-1024], id="a tar without its end"),
        pytest.param(_filled_tar()[: 512 + 999_999], id="a tar without the zeros after a file"),
        pytest.param(_pax(9) + bytes(1024), id="a tar of no entry"),
        pytest.param(_sparse_tar(), id="a sparse file whose map is not one"),
        pytest.param(lzma.compress(_tar("a.txt")), id="xz"),
    ],
)
def test_an_archive_of_another_kind_than_zip_is_not_recorded(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "tree").write_bytes(content)

    assert refusal(demo_of(TreeAt("trees/shop")), tmp_path / "tree") == (
        ArchiveNotRecorded,
        (
            "'trees/shop' is a tar archive, and only directories, zip archives and manifests are "
            "recorded here; make a zip with `treeglass pack`, or run the demo in a browser and "
            "paste its answer as <pre data-recorded>"
        ),
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", UNSOUND, id="empty"),
        pytest.param(b"<!doctype html>", UNSOUND, id="a page"),
        pytest.param(b"PK\x03\x04 no more", UNSOUND, id="the start of a zip"),
        pytest.param(_zip(("a.txt", b"x" * 2000))[:1500], UNSOUND, id="a cut zip"),
        pytest.param(lzma.compress(_tar("a.txt"))[:60], BROKEN_TAR, id="a cut tar.xz"),
        pytest.param(lzma.compress(b"one file"), BROKEN_TAR, id="an xz of no tar"),
        pytest.param(gzip.compress(bytes(2**24), mtime=0), BROKEN_TAR, id="a bomb"),
        pytest.param(_tar("a.txt")[:511], BROKEN_TAR, id="less than a tar"),
        pytest.param(_pax(2**20 + 1), BROKEN_TAR, id="a record of more than a mebibyte"),
        pytest.param(_pax(9) * 2000 + _tar("a.txt"), BROKEN_TAR, id="records without end"),
        pytest.param(_pax(9) + _tar("a.txt")[:300], BROKEN_TAR, id="a tar cut in a header"),
    ],
)
def test_a_broken_tree_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    tree = tmp_path / "tree"
    tree.write_bytes(content)

    assert refusal(demo_of(TreeAt("tree")), tree) == (DemoInvalid, sentence)


@pytest.mark.parametrize(
    ("max_bytes", "kind"), [(2**20, ArchiveNotRecorded), (8 * 512, DemoInvalid)]
)
def test_the_records_of_one_entry_of_a_tar_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, max_bytes: int, kind: type[Exception]
) -> None:
    monkeypatch.setattr("treeglass.authoring.trees.tar_check._MAX_HEADER_BYTES", max_bytes)
    sparse = tarfile.TarInfo("a.bin")
    sparse.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(sparse.tobuf(tarfile.GNU_FORMAT))
    header[482] = 1  # its map goes on in the next block
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    goes_on, ends = bytes(504) + b"\1" + bytes(7), bytes(512)
    (tmp_path / "tree").write_bytes(header + goes_on * 20 + ends + bytes(1024))

    assert refusal(demo_of(TreeAt("tree")), tmp_path / "tree")[0] is kind


def test_a_missing_tree_is_refused(tmp_path: Path) -> None:
    assert refusal(demo_of(TreeAt("no.zip")), tmp_path / "no.zip") == (
        DemoInvalid,
        "the tree 'no.zip' does not exist; check the path",
    )


def test_a_file_of_an_archive_that_is_broken_is_refused_when_it_is_read(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "content that is stored")
    broken = packed.getvalue().replace(b"that", b"this")
    (tmp_path / "a.zip").write_bytes(broken)

    listed = record_answer(
        demo_of(TreeAt("a.zip"), "list_dir", dir_path="/repo"), tmp_path / "a.zip"
    )

    assert listed.content == "Absolute path: /repo\na.txt"
    assert refusal(demo_of(TreeAt("a.zip")), tmp_path / "a.zip") == (
        DemoInvalid,
        "a.txt cannot be read: the archive is broken there; pack it again",
    )


def test_no_archive_writes_a_file_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = zipfile.ZipInfo("link")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, str(outside))
        for name in ("link/through", f"{outside}/absolute", "../../above"):
            archive.writestr(name, "x")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = sorted(tmp_path.rglob("*"))

    demo = demo_of(TreeAt("a.zip"), "list_dir", dir_path="/repo", depth=20)
    names = [f"{'  ' * depth}{name}/" for depth, name in enumerate(outside.parts[1:])]
    listed = ["Absolute path: /repo", "link/", "  through", *names]

    assert sorted(record_answer(demo, tmp_path / "a.zip").content.split("\n")) == sorted(
        [*listed, f"{'  ' * len(names)}absolute"]
    )
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("size_bytes", "listed"), [(1024**2, "\nzeros"), (20_000_000, "")], ids=["small", "a bomb"]
)
def test_a_file_that_would_grow_a_thousand_times_is_left_out_as_a_mount_does(
    tmp_path: Path, size_bytes: int, listed: str
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(size_bytes))

    demo = demo_of(TreeAt("a.zip"), "list_dir", dir_path="/repo")

    assert record_answer(demo, tmp_path / "a.zip").content == f"Absolute path: /repo{listed}"


@pytest.mark.parametrize(
    "spelled",
    [
        pytest.param("sha384-{sha384}", id="one hash"),
        pytest.param("sha256-AAAA sha384-{sha384}?x", id="the strongest counts"),
        pytest.param("sha384-AAAA  sha384-{sha384}\nmd5-x", id="one of several"),
    ],
)
def test_an_integrity_that_fits_changes_nothing(tmp_path: Path, spelled: str) -> None:
    tree = tmp_path / "a.zip"
    tree.write_bytes(_zip(("a.txt", b"x")))
    digest = base64.b64encode(hashlib.sha384(tree.read_bytes()).digest()).decode()

    recorded = record_answer(demo_of(TreeAt("a.zip", spelled.format(sha384=digest))), tree)

    assert recorded == Recording(content="L1: x", is_error=False)


def test_an_integrity_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    tree = tmp_path / "a.zip"
    tree.write_bytes(b"anything")
    refusals = [refusal(demo_of(TreeAt("a.zip", text)), tree) for text in ("sha256-AAAA", "crc-1")]

    actual = base64.b64encode(hashlib.sha256(b"anything").digest()).decode()
    assert refusals == [
        (
            DemoInvalid,
            (
                f"the tree has the integrity sha256-{actual}, and not the given one; give the "
                "integrity of the tree that you trust"
            ),
        ),
        (DemoInvalid, "integrity 'crc-1' has no hash that HTML knows; write one such as sha384-…"),
    ]


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (5, "5"),
        ({}, "{}"),
        ({"mtime": "2020-01-01", "content": "x"}, "mtime"),
        ({"modifiedMs": True, "content": "x"}, "modifiedMs"),
        (["x"], "list"),
    ],
)
def test_an_entry_of_an_unknown_shape_is_refused(value: object, shape: str) -> None:
    demo = demo_of(InlineTree(json.dumps({"a/b": value})))

    assert refusal(demo, None) == (
        DemoInvalid,
        (
            'entries["a/b"] has an unknown shape; in a page an entry is a string, null for a '
            "directory, { content, modifiedMs? }, { symlink, modifiedMs? }, { directory: true }, "
            "{ directory: { name: entry } }, { file: { contents } } or { file: { symlink } }"
        ),
    ), shape


def test_a_recording_needs_no_time_zone_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.txt", (2021, 5, 6, 7, 8, 10)), "x")
    demo = demo_of(TreeAt("a.zip"), "list_directory", path=".")
    recorded = []
    for zone in ("UTC", "Asia/Tokyo"):
        monkeypatch.setitem(os.environ, "TZ", zone)
        recorded.append(record_answer(demo, tmp_path / "a.zip"))

    assert recorded[0] == recorded[1]
    assert json.loads(recorded[0].content)["entries"][0]["modified_epoch_ms"] == 1_620_284_890_000
