"""What a page holds in memory, larger than a browser reads at once, is read from any place."""

from __future__ import annotations

import base64
import io
import tarfile
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.package_page import PackagePage

pytestmark = pytest.mark.browser

_ROUNDS = 4
_LINES_PER_FILE = 1000
# Firefox takes what it holds over a mebibyte in another way.
_CONTENTS = {
    f"file-{number:02}.txt": "".join(
        f"{number:02} {line:04} {'x' * 92}\n" for line in range(_LINES_PER_FILE)
    )
    for number in range(30)
}
_LARGE = "".join(_CONTENTS.values())

_READ_BACKWARDS = """
    const client = await sharedClient();
    const readBackwards = async (reads) => {
        const read = [];
        for (const [path, offset] of reads) {
            const args = { file_path: `/repo/${path}`, offset, limit: 1 };
            read.push((await client.callTool("read_file", args)).content);
        }
        return read;
    };
    const told = [];
"""


def _packed() -> str:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in _CONTENTS.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content.encode()))
    return base64.b64encode(packed.getvalue()).decode()


def _shown(content: str, offset: int) -> str:
    """Return what the tool shows of one line."""
    return f"L{offset}: {content.splitlines()[offset - 1]}"


def test_an_archive_is_read_from_its_end_to_its_start(package_page: PackagePage) -> None:
    reads = [
        (name, offset)
        for name in sorted(_CONTENTS, reverse=True)
        for offset in (_LINES_PER_FILE, 1)
    ]
    told = package_page.run(
        _READ_BACKWARDS
        + """
        const archive = Uint8Array.from(atob(given.archive), (one) => one.charCodeAt(0));
        for (let round = 0; round < given.rounds; round += 1) {
            const report = await client.mount("/repo", { archive: new Blob([archive]) }, {
                replace: true,
            });
            told.push([report.files, await readBackwards(given.reads)]);
        }
        return told;
        """,
        {"archive": _packed(), "reads": reads, "rounds": _ROUNDS},
    )

    lines = [_shown(_CONTENTS[name], offset) for name, offset in reads]
    assert told == [[len(_CONTENTS), lines]] * _ROUNDS


def test_files_are_read_from_their_end_to_their_start(package_page: PackagePage) -> None:
    line_count = _LINES_PER_FILE * len(_CONTENTS)
    reads = [
        (name, offset)
        for name in ("second.txt", "first.txt")
        for offset in (*range(line_count, 0, -3 * _LINES_PER_FILE), 1)
    ]
    told = package_page.run(
        _READ_BACKWARDS
        + """
        for (let round = 0; round < given.rounds; round += 1) {
            const files = ["first.txt", "second.txt"].map((name) => new File([given.text], name));
            const report = await client.mount("/repo", { files }, { replace: true });
            told.push([report.files, await readBackwards(given.reads)]);
        }
        return told;
        """,
        {"text": _LARGE, "reads": reads, "rounds": _ROUNDS},
    )

    lines = [_shown(_LARGE, offset) for _, offset in reads]
    assert told == [[2, lines]] * _ROUNDS
