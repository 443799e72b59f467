"""Trees far larger than a page's memory are mounted, and read in part."""

import struct
import zlib
from pathlib import Path

import pytest

from tests.browser.package_page import PackagePage

pytestmark = pytest.mark.slow

_GIB = 1024**3
_NOTES = b"first\nlast\n"


def _write_sparse(path: Path, size_bytes: int, head: bytes) -> None:
    """Write a head, and a hole behind it that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size_bytes)


def _write_zip_of_a_huge_member(path: Path, huge_bytes: int) -> None:
    """Write a zip of `huge.bin`, a hole, and `notes.txt` behind it, both stored."""
    with path.open("wb") as file:
        entries = []
        for name, size, content in (
            (b"huge.bin", huge_bytes, b""),
            (b"notes.txt", len(_NOTES), _NOTES),
        ):
            start = file.tell()
            fields = struct.pack(
                "<HHHHHIIIH", 20, 0, 0, 0, 0x21, zlib.crc32(content), size, size, len(name)
            )
            file.write(b"PK\3\4" + fields + b"\0\0" + name + content)
            file.seek(size - len(content), 1)
            entries.append(
                b"PK\1\2\x14\0" + fields + struct.pack("<HHHHII", 0, 0, 0, 0, 0, start) + name
            )
        start = file.tell()
        directory = b"".join(entries)
        sizes = struct.pack("<HHII", len(entries), len(entries), len(directory), start)
        file.write(directory + b"PK\5\6\0\0\0\0" + sizes + b"\0\0")


def _choose(page: PackagePage, path: Path) -> None:
    page.run("document.body.innerHTML = '<input type=file>';")
    page.page.locator("input").set_input_files(path)


@pytest.mark.each_browser
def test_an_upload_of_two_gigabytes_is_mounted_and_its_first_line_is_read(
    package_page: PackagePage, tmp_path: Path
) -> None:
    large = tmp_path / "large.log"
    size_bytes = 2 * _GIB
    _write_sparse(large, size_bytes, b"first\n")
    _choose(package_page, large)

    told = package_page.run("""
        const client = await sharedClient();
        const { files } = document.querySelector("input");
        const { bytes, files: count, skipped } = await client.mount("/repo", { files });
        const read = { file_path: "/repo/large.log", limit: 1 };
        const { content } = await client.callTool("read_file", read);
        const { structuredContent } = await client.callTool("list_directory", { path: "." });
        const [entry] = structuredContent.entries;
        return [bytes, count, skipped, structuredContent.entries.length, entry.size_bytes, content];
    """)

    # Its size is known when a tool looks, and not before.
    assert told == [None, 1, [], 1, size_bytes, "L1: first"]


@pytest.mark.each_browser
def test_a_zip_of_a_gigabyte_is_mounted_and_a_small_file_behind_it_is_read(
    package_page: PackagePage, tmp_path: Path
) -> None:
    archive = tmp_path / "large.zip"
    _write_zip_of_a_huge_member(archive, _GIB)
    _choose(package_page, archive)

    told = package_page.run("""
        const client = await sharedClient();
        const [archive] = document.querySelector("input").files;
        const { bytes, files, skipped } = await client.mount("/repo", { archive });
        const read = { file_path: "/repo/notes.txt" };
        const { content } = await client.callTool("read_file", read);
        return [bytes, files, skipped, content];
    """)

    assert told == [_GIB + len(_NOTES), 2, [], "L1: first\nL2: last"]


@pytest.mark.each_browser
def test_a_tree_over_the_limit_of_bytes_is_refused_with_the_limits_name(
    package_page: PackagePage, tmp_path: Path
) -> None:
    archive = tmp_path / "large.zip"
    _write_zip_of_a_huge_member(archive, _GIB)
    _choose(package_page, archive)

    told = package_page.run("""
        const client = await sharedClient();
        const [archive] = document.querySelector("input").files;
        const limits = { maxTotalBytes: 1024 ** 3 };
        const refused = await outcome(client.mount("/repo", { archive }, { limits }));
        return [refused, await client.mounts()];
    """)

    message = (
        f"The tree has more than {_GIB} bytes of files (maxTotalBytes); mount a part of it, "
        "leave out what is not needed with skip, or raise limits.maxTotalBytes"
    )
    assert told == [{"name": "LimitExceeded", "message": message}, []]
