"""Recording refuses only archives that a browser does not mount, and answers as it does."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.browser.hostile.archives import (
    STORED,
    Entry,
    TarMember,
    ZipMember,
    bzip2_of,
    flipped,
    gzip_of,
    pax,
    tar_header,
    tar_of,
    xz_of,
    zip_of,
)
from tests.browser.package_page import PackagePage
from tests.support.served_directory import serve_directory
from treeglass.authoring import Demo, DemoInvalid, TreeAt, record_answer
from treeglass.authoring.demo import ArchiveNotRecorded

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 5, "limit": 100}),
    ("read_file", {"file_path": "/repo/a.txt"}),
    ("read_file", {"file_path": "/repo/sub/b.txt"}),
]
REFUSED, NOT_RECORDED, UNREADABLE = "refused", "not recorded", "unreadable"
PARTS = 16
"""So many places of each archive are damaged."""

_STORY = """
    const client = await sharedClient();
    const told = {};
    for (const [name, url, calls] of given) {
        try {
            await client.mount("/repo", { url }, { replace: true });
        } catch (error) {
            told[name] = error.name;
            continue;
        }
        told[name] = [];
        for (const [tool, args] of calls) {
            const { content, isError } = await client.callTool(tool, args);
            told[name].push([content, isError]);
        }
    }
    return told;
"""

_ENTRIES = (
    Entry("a.txt", b"one\ntwo\n"),
    Entry("sub/b.txt", b"three\n" * 50),
    Entry("link", b"sub/b.txt", "symlink"),
)
_TAR = tar_of(_ENTRIES)
_VERSION = b"PK\1\2\x14\x03\x14"
_PAX = pax(path=b"named.txt", size=b"8")
_SOUND: Mapping[str, bytes] = {
    "zip": zip_of(_ENTRIES),
    "stored zip": zip_of([ZipMember(entry, method=STORED) for entry in _ENTRIES]),
    "zip after a program": zip_of(_ENTRIES, prefix=b"#!/bin/sh\n", comment=b"a comment"),
    "tar": _TAR,
    "pax tar": _PAX + _TAR,
    "tar.gz": gzip_of(_TAR),
    "tar.bz2": bzip2_of(_TAR),
    "tar.xz": xz_of(_TAR),
}
_ODD: Mapping[str, bytes] = {
    "nothing": b"",
    "a pax tar with no entry": _PAX + bytes(1024),
    "a pax tar with no entry and no end": _PAX,
    "a global pax tar with no entry": pax(b"g", comment=b"x") + bytes(1024),
    "a tar with no entry": bytes(1024),
    "a tar of one zero block": bytes(512),
    "a tar without its end": tar_of(_ENTRIES, end_blocks=0),
    "a tar whose size is negative": tar_of([TarMember(_ENTRIES[0], size=b"\xff" * 12)]),
    "a tar whose checksum is wrong": tar_of([TarMember(_ENTRIES[0], checksum_off_by=1)]),
    "a pax header whose record is broken": tar_header(b"x", b"x", 4) + b"99 x" + bytes(508),
    "a pax size that lies": pax(size=b"99999") + _TAR,
    "a gzip of no tar": gzip_of(b"hello"),
    "a gzip of nothing": gzip_of(b""),
    "two gzips": gzip_of(_TAR[:700]) + gzip_of(_TAR[700:]),
    "a gzip with bytes after it": gzip_of(_TAR) + b"tail",
    "two bzip2s": bzip2_of(_TAR[:700]) + bzip2_of(_TAR[700:]),
    "two xzs": xz_of(_TAR[:700]) + xz_of(_TAR[700:]),
    "an xz with padding": xz_of(_TAR) + bytes(8),
    "an xz with half a padding": xz_of(_TAR) + bytes(3),
    "an xz with bytes after it": xz_of(_TAR) + b"tail",
    "a zip of a version to come": zip_of(_ENTRIES).replace(_VERSION, _VERSION[:-1] + b"\xff"),
    "a zip that counts one entry too many": zip_of(_ENTRIES, counted=len(_ENTRIES) + 1),
    "a zip that counts one entry too few": zip_of(_ENTRIES, counted=len(_ENTRIES) - 1),
    "a page": b"<!doctype html>",
}

_READ_OTHERWISE = {
    "a zip of a version to come": "`zipfile` refuses it, and a page mounts it",
    "zip changed at 169": "the table of contents is broken",
    "zip after a program changed at 179": "the table of contents is broken",
    "zip after a program changed at 202": "the table of contents is broken",
}
"""Zips that are not recorded, since `zipfile` may read them otherwise than a page."""


def _archives() -> Iterator[tuple[str, bytes]]:
    yield from _SOUND.items()
    yield from _ODD.items()
    for name, archive in _SOUND.items():
        for part in range(PARTS):
            at = (len(archive) - 1) * part // (PARTS - 1)
            yield f"{name} cut at {at}", archive[:at]
            yield f"{name} changed at {at}", flipped(archive, at)


def _recorded(tree: Path) -> Any:
    answers: list[Any] = []
    for tool, arguments in CALLS:
        demo = Demo(tool=tool, arguments=json.dumps(arguments), tree=TreeAt(tree.name))
        try:
            recording = record_answer(demo, tree)
        except ArchiveNotRecorded:
            return NOT_RECORDED
        except DemoInvalid as error:
            if " cannot be read: " not in str(error):
                return REFUSED
            answers.append(UNREADABLE)
        else:
            answers.append([recording.content, recording.is_error])
    return answers


def _answered(told: Any) -> Any:
    if told == "SourceUnreadable":
        return REFUSED
    unreadable = ["failed to read file: Input/output error (os error 5)", True]
    return [UNREADABLE if answer == unreadable else answer for answer in told]


@pytest.mark.slow
def test_a_damaged_archive_is_recorded_as_a_browser_answers(
    package_page: PackagePage, tmp_path: Path
) -> None:
    archives = dict(_archives())
    trees = {name: tmp_path / str(number) for number, name in enumerate(archives)}
    for name, tree in trees.items():
        tree.write_bytes(archives[name])
    with serve_directory(tmp_path, headers={"Access-Control-Allow-Origin": "*"}) as origin:
        told = package_page.run(
            _STORY, [[name, f"{origin}/{tree.name}", CALLS] for name, tree in trees.items()]
        )

    recorded = {name: _recorded(tree) for name, tree in trees.items()}
    answered = {name: _answered(answer) for name, answer in told.items()}
    mounted = {name for name, answer in answered.items() if answer != REFUSED}
    unrecorded = {name for name, answer in recorded.items() if answer == NOT_RECORDED}
    assert {name: recorded[name] for name in recorded if name not in unrecorded} == {
        name: answered[name] for name in answered if name not in unrecorded
    }
    zips = {name for name in unrecorded if b"PK\5\6" in archives[name]}
    assert zips == _READ_OTHERWISE.keys()
    # A tar archive that is mounted is not recorded, and says so.
    assert unrecorded - zips <= mounted
    assert set(_SOUND) <= mounted
