"""Large Blobs that a page holds in memory can be read from any place."""

import base64
import io
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from tests.browser.package_page import PackagePage

pytestmark = pytest.mark.slow

# A browser that halts here does so in about every second mount.
_ROUNDS = 10
_LINE_COUNT = 30_000
_LARGE = "".join(f"{line:05} {'x' * 94}\n" for line in range(_LINE_COUNT))
# An archive's reader looks at its start, and then at what lies behind the large file.
_TREE = {"large.txt": _LARGE, "z-first.txt": "first\n", "z-last.txt": "last\n"}

_MOUNT_AND_READ = """
    const client = await sharedClient();
    const told = [];
    const mountAndRead = async (source) => {
        const { files } = await client.mount("/repo", source, { replace: true });
        const read = [];
        for (const [path, offset] of given.reads) {
            const args = { file_path: `/repo/${path}`, offset, limit: 1 };
            read.push((await client.callTool("read_file", args)).content);
        }
        told.push([files, read]);
    };
"""


def _tarred() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in _TREE.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content.encode()))
    return packed.getvalue()


def _zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in _TREE.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _lines(reads: list[tuple[str, int]]) -> list[str]:
    """Return what the tool shows of one line of a file each."""
    return [f"L{offset}: {_TREE[path].splitlines()[offset - 1]}" for path, offset in reads]


@pytest.mark.parametrize("pack", [_tarred, _zipped])
@pytest.mark.each_browser
def test_an_archive_is_read_from_its_end_to_its_start(
    package_page: PackagePage, pack: Callable[[], bytes]
) -> None:
    reads = [("z-last.txt", 1), ("z-first.txt", 1), ("large.txt", _LINE_COUNT), ("large.txt", 1)]
    told = package_page.run(
        _MOUNT_AND_READ
        + """
        const bytes = Uint8Array.from(atob(given.archive), (one) => one.charCodeAt(0));
        for (let round = 0; round < given.rounds; round += 1) {
            await mountAndRead({ archive: new Blob([bytes]) });
        }
        return told;
        """,
        {"archive": base64.b64encode(pack()).decode(), "reads": reads, "rounds": _ROUNDS},
    )

    assert told == [[len(_TREE), _lines(reads)]] * _ROUNDS


@pytest.mark.each_browser
def test_files_are_read_from_their_end_to_their_start(package_page: PackagePage) -> None:
    reads = [
        *(("z-last.txt", 1), ("z-first.txt", 1)),
        *(("large.txt", offset) for offset in (_LINE_COUNT, _LINE_COUNT // 2, 1)),
    ]
    told = package_page.run(
        _MOUNT_AND_READ
        + """
        for (let round = 0; round < given.rounds; round += 1) {
            const files = Object.entries(given.tree).map(([name, text]) => new File([text], name));
            await mountAndRead({ files });
        }
        return told;
        """,
        {"tree": _TREE, "reads": reads, "rounds": _ROUNDS},
    )

    assert told == [[len(_TREE), _lines(reads)]] * _ROUNDS
