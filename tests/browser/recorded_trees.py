"""Trees with every oddity that a mount accepts, recorded on CPython and asked in browsers."""

import io
import struct
import zipfile
from collections.abc import Callable
from typing import Any

from tests.browser.hostile.archives import Entry, ZipMember, zip_of

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


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "stdlib.zip": _stdlib_zip,
    "odd.zip": _odd_zip,
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
