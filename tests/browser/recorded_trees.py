"""Trees with every oddity that a mount accepts, recorded on CPython and asked in browsers."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

from tests.browser.hostile.archives import (
    Entry,
    TarMember,
    ZipMember,
    pax,
    tar_of,
    tar_part,
    zip_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = "import os\n\n\ndef main():\n    if os:\n        return 1\n"
BINARY = bytes(range(256))

ENTRIES: dict[str, Any] = {
    "README.md": "# Hi <b> & co\n\n\n{{ not Vue }}\r\nlast",
    "10": "ten",
    "9": "nine",
    "src/app.py": {"content": SOURCE, "modifiedMs": 1_700_000_000_123},
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
        add("src/app.py", SOURCE.encode(), 0o100755)
        add("src/secret.txt", b"no bits at all\n", 0o100000)
        add("README.md", b"# Hi\n", time=(1980, 0, 0, 0, 0, 0))
        add("late.txt", b"late\n", time=(2107, 12, 31, 23, 59, 58))
        add("binary.bin", BINARY)
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
            ZipMember(Entry("src/app.py", SOURCE.encode()), extra=stamped),
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
        add("./src/app.py", SOURCE.encode(), mode=0o755)
        add("README.md", b"# Hi\n", mode=0, mtime=0)
        add("README.md", b"a second one\n")
        add("binary.bin", BINARY)
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
        tar_part(TarMember(Entry("src/app.py", SOURCE.encode()))),
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


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "stdlib.zip": _stdlib_zip,
    "odd.zip": _odd_zip,
    "pax.tar.gz": lambda: gzip.compress(_stdlib_tar(tarfile.PAX_FORMAT), mtime=0),
    "gnu.tar": lambda: _stdlib_tar(tarfile.GNU_FORMAT),
    "odd.tar.gz": lambda: gzip.compress(_odd_tar(), mtime=0),
}

LINKED: dict[str, str | None] = {
    "README.md": "# Hi\n",
    "src/app.py": SOURCE,
    "grüße/日本 & 100%.txt": "g\n",
    "empty": None,
    "empty.txt": "",
    "up": "-> src/app.py",
    "round": "-> round",
}
