"""False, broken and escaping archives: a report or a refusal, and a client that goes on."""

import io
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.package_page import PackagePage

_CENTRAL_ENTRY = b"PK\x01\x02"
_FLAGS_AT = 8
_SIZE_AT = 24


def _zip(*entries: tuple[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries:
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _patched(archive: bytes, number: int, offset: int, form: str, value: int) -> bytes:
    """Return the archive with another value in one entry of its table of contents."""
    at = -1
    for _ in range(number):
        at = archive.index(_CENTRAL_ENTRY, at + 1)
    changed = bytearray(archive)
    struct.pack_into(form, changed, at + offset, value)
    return bytes(changed)


_TWO_FILES = (("a.txt", "first\n"), ("b.txt", "second\n"))
_NOTHING_ODD: dict[str, Any] = {
    "origin": None,
    "symlinks": 0,
    "skipped": [],
    "renamed": [],
    "converted": [],
}
_BAD_READ = "failed to read file: Input/output error (os error 5)"

_MOUNT_AND_READ = """
    const client = await sharedClient();
    const { elapsedMs, ...report } = await client.mount("/repo", { archive: bytesOf(given) });
    const contents = [];
    for (const name of ["a.txt", "b.txt"]) {
        const { content } = await client.callTool("read_file", { file_path: `/repo/${name}` });
        contents.push(content);
    }
    return [report, contents];
"""


@pytest.mark.parametrize("declared", [2, 60], ids=["too small", "too large"])
@pytest.mark.each_browser
def test_an_entry_that_lies_about_its_size_cannot_be_read_and_the_others_can(
    package_page: PackagePage, declared: int
) -> None:
    lying = _patched(_zip(*_TWO_FILES), 1, _SIZE_AT, "<I", declared)

    report, contents = package_page.run(_MOUNT_AND_READ, list(lying))

    size = declared + len("second\n")
    counts = {"path": "/repo", "files": 2, "directories": 0, "bytes": size}
    assert report == _NOTHING_ODD | counts
    assert contents == [_BAD_READ, "L1: second"]


@pytest.mark.each_browser
def test_an_encrypted_entry_is_skipped_and_reported(package_page: PackagePage) -> None:
    encrypted = _patched(_zip(*_TWO_FILES), 1, _FLAGS_AT, "<H", 1)

    report, contents = package_page.run(_MOUNT_AND_READ, list(encrypted))

    skipped = [{"path": "a.txt", "reason": "is encrypted"}]
    counts = {"path": "/repo", "files": 1, "directories": 0, "bytes": len("second\n")}
    assert report == _NOTHING_ODD | counts | {"skipped": skipped}
    missing = "failed to read file: No such file or directory (os error 2)"
    assert contents == [missing, "L1: second"]


@pytest.mark.each_browser
def test_entries_that_lead_out_are_reported_and_stay_inside(package_page: PackagePage) -> None:
    leading_out = _zip(
        ("../out.txt", "out\n"),
        ("x/../a.txt", "first\n"),
        ("/b.txt", "second\n"),
        ("C:/Windows/c.txt", "third\n"),
        ("b.txt", "again\n"),
    )

    report, contents = package_page.run(_MOUNT_AND_READ, list(leading_out))

    assert report == {
        "path": "/repo",
        "origin": None,
        "files": 2,
        "directories": 0,
        "symlinks": 0,
        "bytes": len("first\nsecond\n"),
        "skipped": [
            {"path": "../out.txt", "reason": "leads out of the tree with '..'"},
            {"path": "C:/Windows/c.txt", "reason": "starts with a drive letter"},
            {"path": "b.txt", "reason": "is there already"},
        ],
        "renamed": [
            {"from": "x/../a.txt", "to": "a.txt", "reason": "'..' resolved"},
            {
                "from": "/b.txt",
                "to": "b.txt",
                "reason": "an absolute path, put below the mount point",
            },
        ],
        "converted": [],
    }
    assert contents == ["L1: first", "L1: second"]


_CUT_SHORT = "has no table of contents at its end; it may have been cut short"
_BROKEN = "has a broken table of contents"


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        pytest.param(lambda whole: whole[:-10], _CUT_SHORT, id="cut short"),
        pytest.param(lambda whole: whole[:40], _CUT_SHORT, id="cut in the first entry"),
        pytest.param(
            lambda whole: whole.replace(_CENTRAL_ENTRY, b"PK\x00\x00"), _BROKEN, id="no entries"
        ),
    ],
)
@pytest.mark.each_browser
def test_a_broken_archive_is_refused_whole_and_the_client_goes_on(
    package_page: PackagePage, damage: Callable[[bytes], bytes], what: str
) -> None:
    whole = _zip(*_TWO_FILES)
    told = package_page.run(
        """
        const client = await sharedClient();
        const broken = await outcome(client.mount("/repo", { archive: bytesOf(given[0]) }));
        const mounts = await client.mounts();
        await client.mount("/repo", { archive: new Blob([bytesOf(given[1])]) });
        const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
        return [broken, mounts, content];
        """,
        [list(damage(whole)), list(whole)],
    )

    message = f"The zip archive {what}; make it again and retry."
    refusal = {"name": "SourceUnreadable", "message": message}
    assert told == [refusal, [], "Absolute path: /repo\na.txt\nb.txt"]
