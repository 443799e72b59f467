"""What is recorded on CPython is what a browser answers, byte for byte.

Only the milliseconds that LS says it took are not: recorded they are the least there are.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import struct
import tarfile
import zipfile
from difflib import ndiff
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.cpython_answers import without_duration
from tests.browser.hostile_archives import (
    Entry,
    TarMember,
    ZipMember,
    pax,
    tar_of,
    tar_part,
    zip_of,
)
from tests.browser_support import serve_directory
from treeglass.__main__ import main
from treeglass.demos.demo import Demo, InlineTree, Tree, TreeAt
from treeglass.demos.recording import record_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.browser.package_page import PackagePage

pytestmark = pytest.mark.browser

_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 20, "limit": 2000}),
    ("list_dir", {"dir_path": "/repo", "offset": 3, "limit": 4, "depth": 2}),
    ("list_dir", {"dir_path": "/repo/missing"}),
    ("list_dir", {"dir_path": "/repo/README.md"}),
    ("LS", {"path": "."}),
    ("LS", {"path": "src", "offset": 1, "limit": 2}),
    ("LS", {"path": "up"}),
    ("list_directory", {"path": ".", "recursive": True, "max_depth": 20, "include_hidden": True}),
    ("list_directory", {"path": "src", "include_other": True}),
    ("list_directory", {"path": "missing"}),
    ("read_file", {"file_path": "/repo/README.md"}),
    ("read_file", {"file_path": "/repo/src/app.py", "mode": "indentation", "indentation": {}}),
    ("read_file", {"file_path": "/repo/up"}),
    ("read_file", {"file_path": "/repo/hard"}),
    ("read_file", {"file_path": "/repo/out"}),
    ("read_file", {"file_path": "/repo/round"}),
    ("read_file", {"file_path": "/repo/binary.bin"}),
    ("read_file", {"file_path": "/repo/README.md/x"}),
    ("read_file", {"file_path": "/repo/win/dows.txt"}),
    ("read_file", {"file_path": "/repo/empty.txt"}),
]
"""Each of them means something in each tree, if only an error."""

_SOURCE = "import os\n\n\ndef main():\n    if os:\n        return 1\n"
_BINARY = bytes(range(256))

_ENTRIES: dict[str, Any] = {
    "README.md": "# Hi <b> & co\n\n\n{{ not Vue }}\r\nlast",
    "10": "ten",
    "9": "nine",
    "src/app.py": {"content": _SOURCE, "modifiedMs": 1_700_000_000_123},
    "src/deep/er/x.txt": {"content": "x", "modifiedMs": -1500},
    "src/../other.txt": "resolved",
    "/absolute.txt": "put below",
    "C:/drive.txt": "an ordinary name",
    "win\\dows.txt": "an ordinary name too",
    "../out.txt": "left out",
    "src": "already a directory",
    "empty": None,
    "empty.txt": "",
    "dated": {"directory": True, "modifiedMs": 86_400_000},
    "nested": {
        "directory": {"a.txt": {"file": {"contents": "A"}}, "b": {"file": {"symlink": "a.txt"}}}
    },
    "up": {"symlink": "src/app.py"},
    "out": {"symlink": "/etc/passwd"},
    "back": {"symlink": "/repo/src", "modifiedMs": 5000},
    "round": {"symlink": "round"},
    "src/above": {"symlink": "../../repo/README.md"},
    "grüße/日本語 🌳.txt": "schön",
    ".hidden": "h",
    "lone \ud800": "surrogate",
    "lone content": "a\udc00b",
    "bidi\u202e": "x",
}


def _stdlib_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(
            name: str,
            content: bytes,
            mode: int = 0o100644,
            *,
            time: tuple[int, int, int, int, int, int] = (2021, 5, 6, 7, 8, 10),
        ) -> None:
            entry = zipfile.ZipInfo(name, time)
            entry.create_system = 3
            entry.external_attr = mode << 16
            archive.writestr(entry, content)

        add("src/", b"", 0o40700)
        add("src/app.py", _SOURCE.encode(), 0o100755)
        add("src/secret.txt", b"no bits at all\n", 0o100000)
        add("README.md", b"# Hi\n", time=(1980, 0, 0, 0, 0, 0))
        add("late.txt", b"late\n", time=(2107, 12, 31, 23, 59, 58))
        add("binary.bin", _BINARY)
        add("empty.txt", b"")
        add("up", b"src/app.py", 0o120777)
        add("out", b"../../etc/passwd", 0o120777)
        add("round", b"round", 0o120777)
        add("top", b"/repo", 0o120777)
        add("src/far", b"/repo/src/deep", 0o120777)
        add("pipe", b"", 0o010644)
        add("win\\dows.txt", b"w\n")
        add("C:/drive.txt", b"c\n")
        add("/absolute.txt", b"a\n")
        add("a/../b/./c//d.txt", b"d\n")
        add("../above.txt", b"x\n")
        add("README.md/x", b"below a file\n")
        add("src/deep/er/" + "n" * 255, b"n\n")
        add("src/deep/er/" + "n" * 256, b"n\n")
    return packed.getvalue()


def _odd_zip() -> bytes:
    stamped = struct.pack("<HHBi", 0x5455, 5, 1, 1_600_000_001)
    before_1970 = struct.pack("<HHBi", 0x5455, 5, 1, -5)
    return zip_of(
        [
            Entry("README.md", b"# Hi\n"),
            Entry("README.md", b"a second one, which never counts\n"),
            ZipMember(Entry("grüße.txt".encode(), b"g\n"), flags=0),
            ZipMember(Entry(b"caf\x82.txt", b"code page 437\n"), flags=0),
            ZipMember(Entry("src/app.py", _SOURCE.encode()), extra=stamped),
            ZipMember(Entry("src/old.txt", b"old\n"), extra=before_1970),
            ZipMember(Entry("locked.txt", b"x"), flags=0x801),
            ZipMember(Entry("packed.txt", b"x"), method=12, body=b"x"),
            ZipMember(Entry("lie.txt", b""), central={"crc": 5}),
            ZipMember(Entry("streamed.txt", b"s\n" * 50), has_descriptor=True),
            Entry("empty", kind="directory"),
            Entry("up", b"src/app.py", kind="symlink"),
            Entry("char", kind="char"),
            ZipMember(Entry("empty.txt", b""), method=0),
        ],
        prefix=b"#!/bin/sh\nexit\n" * 60,
    )


def _stdlib_tar(form: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=form) as archive:

        def add(name: str, content: bytes = b"", **fields: Any) -> None:
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), 1_600_000_000
            for field, value in fields.items():
                setattr(member, field, value)
            archive.addfile(member, io.BytesIO(content))

        add(".", type=tarfile.DIRTYPE)
        add("./src", type=tarfile.DIRTYPE, mode=0)
        add("./src/app.py", _SOURCE.encode(), mode=0o755)
        add("README.md", b"# Hi\n", mode=0, mtime=0)
        add("README.md", b"a second one\n")
        add("binary.bin", _BINARY)
        add("empty.txt")
        add("up", type=tarfile.SYMTYPE, linkname="src/app.py")
        add("out", type=tarfile.SYMTYPE, linkname="/etc/passwd")
        add("round", type=tarfile.SYMTYPE, linkname="round")
        add("src/top", type=tarfile.SYMTYPE, linkname="/repo")
        add("hard", type=tarfile.LNKTYPE, linkname="src/app.py")
        add("hard-to-nothing", type=tarfile.LNKTYPE, linkname="later.txt")
        add("later.txt", b"later\n")
        add("pipe", type=tarfile.FIFOTYPE)
        add("grüße/日本語 🌳.txt", b"g\n")
        add("d/" * 60 + "long.txt", b"long\n")
        add("win\\dows.txt", b"w\n")
        add("../above.txt", b"x\n")
    return packed.getvalue()


def _odd_tar() -> bytes:
    parts = [
        pax(mtime=b"1600000000.123999"),
        tar_part(TarMember(Entry("README.md", b"# Hi\n"))),
        pax(mtime=b"-1.5"),
        tar_part(TarMember(Entry("src/old.txt", b"old\n"))),
        pax(mtime=b"1600000000.4"),
        tar_part(TarMember(Entry("src/app.py", _SOURCE.encode()))),
        pax(path="src/by pax é".encode()),
        tar_part(TarMember(Entry("x", b"x\n"))),
    ]
    members: list[Entry | TarMember] = [
        TarMember(Entry("contiguous.txt", b"c\n"), type=b"7"),
        TarMember(Entry("dumped/", b""), type=b"D"),
        TarMember(Entry("label", b""), type=b"V"),
        TarMember(Entry("unknown.txt", b"u\n"), type=b"Q"),
        TarMember(Entry("oldest/", b""), type=b"\0"),
        Entry(b"not utf-8 \xff.txt", b"n\n"),
        Entry("up", b"src/app.py", kind="symlink"),
        Entry("empty.txt", b""),
        Entry("x" * 120, b"long\n"),
    ]
    return b"".join(parts) + tar_of(members)


_ARCHIVES: dict[str, Callable[[], bytes]] = {
    "stdlib.zip": _stdlib_zip,
    "odd.zip": _odd_zip,
    "pax.tar.gz": lambda: gzip.compress(_stdlib_tar(tarfile.PAX_FORMAT), mtime=0),
    "gnu.tar": lambda: _stdlib_tar(tarfile.GNU_FORMAT),
    "odd.tar.gz": lambda: gzip.compress(_odd_tar(), mtime=0),
}

_LINKED: dict[str, str | None] = {
    "README.md": "# Hi\n",
    "src/app.py": _SOURCE,
    "grüße/日本 & 100%.txt": "g\n",
    "empty": None,
    "empty.txt": "",
    "up": "-> src/app.py",
    "round": "-> round",
}

_STORY = """
    const client = await sharedClient();
    const told = {};
    for (const { name, source, path, calls } of given) {
        await client.mount(path, source, { replace: true });
        told[name] = [];
        for (const [tool, args, config, maxOutputBytes] of calls) {
            await client.configure(config === null ? {} : JSON.parse(config));
            const options = maxOutputBytes === null ? {} : { maxOutputBytes };
            const { content, isError } = await client.callTool(tool, JSON.parse(args), options);
            told[name].push([content, isError]);
        }
        await client.unmount(path);
    }
    return told;
"""


def _demos(tree: Tree, mount_path: str = "/repo") -> list[Demo]:
    return [
        Demo(
            tool=tool,
            arguments=json.dumps(arguments).replace("/repo", mount_path),
            tree=tree,
            mount_path=mount_path,
        )
        for tool, arguments in _CALLS
    ]


def _mounted(name: str, source: dict[str, Any], demos: list[Demo]) -> dict[str, Any]:
    calls = [[demo.tool, demo.arguments, demo.config, demo.max_output_bytes] for demo in demos]
    return {"name": name, "source": source, "path": demos[0].mount_path, "calls": calls}


def _recorded(demos: list[Demo], tree: Path | None, root: Path | None = None) -> list[list[object]]:
    recordings = [record_answer(demo, tree, root=root) for demo in demos]
    return [[without_duration(one.content), one.is_error] for one in recordings]


def _told(page: PackagePage, mounts: list[dict[str, Any]]) -> dict[str, list[list[object]]]:
    told = page.run(_STORY, mounts)
    return {
        name: [[without_duration(content), is_error] for content, is_error in answers]
        for name, answers in told.items()
    }


def _differing(recorded: dict[str, Any], told: dict[str, Any]) -> dict[str, list[list[str]]]:
    """Return for each tree how the answers differ that are not alike, as lines of a diff."""
    assert list(recorded) == list(told)
    return {
        name: [list(ndiff(str(mine).split("\\n"), str(other).split("\\n"))) for mine, other in odd]
        for name in told
        if (
            odd := [
                (mine, other)
                for mine, other in zip(recorded[name], told[name], strict=True)
                if mine != other
            ]
        )
    }


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives of every kind, and a directory with its manifest and its archive."""
    folder = tmp_path_factory.mktemp("recorded")
    for name, make in _ARCHIVES.items():
        (folder / name).write_bytes(make())
    linked = folder / "linked tree"
    for path, content in _LINKED.items():
        place = linked / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            place.mkdir()
        elif content.startswith("-> "):
            place.symlink_to(content.removeprefix("-> "))
        else:
            place.write_text(content, "utf-8", newline="")
    for name in ("tree.json", "tree.zip"):
        assert main(["pack", str(linked), "-o", str(folder / name)]) == 0
    return folder


@pytest.fixture(scope="module")
def published(trees: Path) -> Iterator[str]:
    """The origin of the trees."""
    with serve_directory(trees, headers={"Access-Control-Allow-Origin": "*"}) as origin:
        yield origin


def test_archives_are_recorded_as_browsers_answer(
    package_page: PackagePage, trees: Path, published: str
) -> None:
    demos = {name: _demos(TreeAt(name)) for name in _ARCHIVES}

    told = _told(
        package_page,
        [_mounted(name, {"url": f"{published}/{name}"}, demos[name]) for name in _ARCHIVES],
    )

    recorded = {name: _recorded(demos[name], trees / name) for name in _ARCHIVES}
    assert _differing(recorded, told) == {}


def test_a_directory_is_recorded_as_its_archive_and_a_manifest_as_its_files(
    package_page: PackagePage, trees: Path, published: str
) -> None:
    demos = _demos(TreeAt("tree"), "/deep/er")

    told = _told(
        package_page,
        [
            _mounted("archive", {"url": f"{published}/tree.zip"}, demos),
            _mounted("manifest", {"url": f"{published}/tree.json"}, demos),
        ],
    )

    recorded = {
        "archive": _recorded(demos, trees / "linked tree"),
        "manifest": _recorded(demos, trees / "tree.json"),
    }
    assert _differing(recorded, told) == {}
    assert _recorded(demos, trees / "tree.zip") == told["archive"]


def test_inline_entries_are_recorded_as_browsers_answer(package_page: PackagePage) -> None:
    text = json.dumps(_ENTRIES)
    demos = _demos(InlineTree(text))

    told = _told(package_page, [_mounted("entries", {"entries": json.loads(text)}, demos)])

    assert _differing({"entries": _recorded(demos, None)}, told) == {}


def test_arguments_configuration_and_budget_are_recorded_as_browsers_take_them(
    package_page: PackagePage,
) -> None:
    tree = InlineTree('{"a.txt": "one\\ntwo\\n", "b/c.txt": "three", ".env": "x"}')
    spelled = [
        ("LS", '{"path": ".", "limit": 2.0, "b": 1, "10": 2, "9": [1e3, -0, 1e-7], "x": 1e400}'),
        ("LS", '{"path": ".", "path": "b", "n": 12345678901234567890, "e": "\\ud83c\\udf33"}'),
        ("LS", '{"path": 5}'),
        ("list_dir", '{"dir_path": "relative"}'),
        ("list_directory", '{"path": ".", "max_entries": 1}'),
        ("read_file", "{}"),
        ("no_such_tool", "{}"),
    ]
    config = '{"tools": {"output": {"escape_names": false}, "list_directory": {"max_depth": 1.0}}}'
    read = '{"file_path": "/repo/a.txt"}'
    demos = [Demo(tool=tool, arguments=text, tree=tree) for tool, text in spelled]
    demos += [
        Demo(tool="list_directory", arguments='{"path": "."}', tree=tree, max_output_bytes=400),
        Demo(tool="read_file", arguments=read, tree=tree, max_output_bytes=1),
        Demo(tool="list_directory", arguments='{"path": "."}', tree=tree, config=config),
        Demo(tool="LS", arguments="{}", tree=tree, config='{"tools": {"offered": []}}'),
    ]

    told = _told(
        package_page,
        [_mounted("entries", {"entries": json.loads(tree.entries_json)}, demos)],
    )

    assert _differing({"entries": _recorded(demos, None)}, told) == {}


def test_an_archive_is_mounted_with_the_integrity_that_recording_asks_for(
    chromium_package_page: PackagePage, trees: Path, published: str
) -> None:
    digest = hashlib.sha384((trees / "odd.zip").read_bytes()).digest()
    integrity = f"sha256-AAAA sha384-{base64.b64encode(digest).decode()}"
    demos = _demos(TreeAt("odd.zip", integrity))

    told = _told(
        chromium_package_page,
        [_mounted("zip", {"url": f"{published}/odd.zip", "integrity": integrity}, demos)],
    )

    assert _differing({"zip": _recorded(demos, trees / "odd.zip")}, told) == {}
