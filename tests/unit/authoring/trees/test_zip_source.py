"""A zip becomes a tree as a mount takes it, or is not recorded."""

import io
import zipfile

import pytest

from tests.browser.hostile.archives import Entry, ZipMember, zip64_end, zip_end, zip_of
from treeglass.authoring.demo import ArchiveNotRecorded, DemoInvalid
from treeglass.authoring.trees import tree_in_memory
from treeglass.authoring.trees.tree_in_memory import MemoryDirectory, TreeBuilder
from treeglass.authoring.trees.zip_source import add_zip

ENTRIES = (Entry("a.txt", b"a"), Entry("b.txt", b"bb"))
PLAIN = zip_of(ENTRIES)
TABLE_START = PLAIN.index(b"PK\1\2")
TABLE_END = PLAIN.index(b"PK\5\6")
END = zip_end(2, TABLE_END - TABLE_START, TABLE_START)
WIDE_END = zip64_end(2, TABLE_END - TABLE_START, TABLE_START, TABLE_END)
STAMP = b"UT\5\0\1\0\0\0\0"


def names_in(archive: bytes) -> list[str]:
    builder = TreeBuilder("/repo")
    add_zip(io.BytesIO(archive), builder)
    return list(builder.root.children)


def test_a_zip_may_come_from_windows() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("a\\b.txt", "C:\\c.txt", "C:", "..\\d.txt", "C:e.txt", "d\\"):
            archive.writestr(zipfile.ZipInfo(name), "x")
    builder = TreeBuilder("/repo")

    add_zip(packed, builder)

    children = builder.root.children
    assert list(children) == ["a", "C:e.txt", "d"]
    assert isinstance(children["a"], MemoryDirectory)
    assert list(children["a"].children) == ["b.txt"]


@pytest.mark.parametrize(
    "archive",
    [
        pytest.param(PLAIN, id="as an archiver writes it"),
        pytest.param(zip_of(ENTRIES, prefix=b"#!/bin/sh\n", comment=b"hi"), id="after a program"),
        pytest.param(PLAIN + b"tail", id="before other bytes"),
        pytest.param(zip_of(ENTRIES, counted=1), id="more entries than it counts"),
        pytest.param(PLAIN[:TABLE_END] + WIDE_END, id="numbers of 64 bits"),
    ],
)
def test_a_zip_that_is_read_alike_everywhere_is_recorded(archive: bytes) -> None:
    assert names_in(archive) == ["a.txt", "b.txt"]


@pytest.mark.parametrize(
    "archive",
    [
        pytest.param(PLAIN + END, id="two ends"),
        pytest.param(zip_of(ENTRIES, comment=b"PK\5\6"), id="an end in its comment"),
        pytest.param(b"#!" + PLAIN[:TABLE_END] + WIDE_END, id="numbers of 64 bits elsewhere"),
        pytest.param(
            PLAIN[:TABLE_END] + WIDE_END[:-22] + END, id="numbers of 64 bits that nothing needs"
        ),
        pytest.param(
            PLAIN.replace(b"PK\1\2\x14\x03\x14", b"PK\1\2\x14\x03\xff"), id="a new version"
        ),
        pytest.param(PLAIN.replace(b"PK\1\2", b"PK\1\3", 1), id="a broken table"),
        pytest.param(zip_of([ZipMember(ENTRIES[0], extra=b"UT\5\0\1")]), id="a cut extra field"),
        pytest.param(zip_of([ZipMember(ENTRIES[0], extra=STAMP * 2)]), id="two times of one entry"),
        pytest.param(zip_of([ZipMember(Entry(b"\xff", b"a"))]), id="a name that is not UTF-8"),
    ],
)
def test_a_zip_that_a_page_may_read_otherwise_is_not_recorded(archive: bytes) -> None:
    with pytest.raises(ArchiveNotRecorded) as refused:
        names_in(archive)

    assert str(refused.value) == (
        "the tree is a zip archive that pages may read otherwise than Python does; pack it again "
        "with `treeglass pack`, or run the demo in a browser and paste its answer as "
        "<pre data-recorded>"
    )


@pytest.mark.parametrize(
    "archive",
    [
        pytest.param(PLAIN[:-1], id="cut in its end"),
        pytest.param(PLAIN[:-2] + b"\1\0", id="a comment that is missing"),
        pytest.param(PLAIN.replace(b"PK\5\6\0", b"PK\5\6\1"), id="another disk"),
        pytest.param(zip_of(ENTRIES, counted=3), id="fewer entries than it counts"),
        pytest.param(PLAIN[TABLE_START:], id="an end that starts before the file"),
        pytest.param(
            PLAIN[: TABLE_END - 18] + b"\1" + PLAIN[TABLE_END - 17 :], id="an entry over its table"
        ),
    ],
)
def test_a_zip_that_no_page_mounts_is_broken(archive: bytes) -> None:
    with pytest.raises(DemoInvalid) as refused:
        names_in(archive)

    assert str(refused.value) == "the tree is not a sound zip archive or manifest; pack it again"


def test_entries_are_counted_before_any_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_in_memory, "MAX_ENTRIES", 1)
    monkeypatch.setattr(zipfile, "ZipFile", None)

    with pytest.raises(DemoInvalid) as refused:
        names_in(PLAIN)

    assert str(refused.value) == "the tree has more than 1 entries; use a part of it"


def test_content_that_is_longer_than_declared_is_broken() -> None:
    size = {"size": 1, "crc": 0xE8B7BE43}  # of "a"
    archive = zip_of([ZipMember(Entry("a.txt", b"aa"), local=size, central=size)])
    builder = TreeBuilder("/repo")
    add_zip(io.BytesIO(archive), builder)
    file = builder.root.children["a.txt"]
    assert isinstance(file, tree_in_memory.MemoryFile)

    with pytest.raises(DemoInvalid) as refused:
        file.read()

    assert str(refused.value) == "the archive is broken there; pack it again"
    with zipfile.ZipFile(io.BytesIO(archive)) as lenient:
        assert lenient.read("a.txt") == b"a"
