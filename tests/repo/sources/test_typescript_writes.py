"""No module of `web/src` can write to a mount: what it takes of a filesystem only reads.

Two modules of the command write the file or the folder that a person names.
"""

import re

from build_steps.folders import WEB

_FS_IMPORT = re.compile(r'import\s*\{([^}]*)\}\s*from\s*"(?:node:)?fs(?:/promises)?"')
_OTHER_FS = re.compile(
    r"""import\s+(?:\*|\w)[^;]*from\s*"(?:node:)?fs|(?:import|require)\(\s*"(?:node:)?fs"""
    r"|getBuiltinModule|\b(?:Deno|Bun)\.\w+"
)
_HANDLE_WRITE = re.compile(
    r"\b(?:createWritable|createSyncAccessHandle|removeEntry|showSaveFilePicker)\b"
    r"|\bcreate: true\b|\breadwrite\b"
)
_OPEN_FLAG = re.compile(r"\bO_(?:WRONLY|RDWR|APPEND|CREAT|TRUNC)\b|\bopenSync\([^;]*?, *[\"'][^r]")

_READING = {
    *("BigIntStats", "constants", "closeSync", "fstatSync", "lstatSync", "openSync"),
    *("readSync", "readFile", "readFileSync", "readdirSync", "readlinkSync", "realpathSync"),
    "statSync",
}

EXCEPTIONS = {
    "command/patch-file.ts": {"renameSync", "rmSync", "writeFileSync"},
    "command/assets.ts": {"copyFileSync", "mkdirSync", "writeFileSync"},
}
"""By module: what it writes by, in the file of `--patch` and in the folder of `assets`."""


def _writes(text: str) -> set[str]:
    """Return what a module names by which a file or a folder could be changed."""
    named = {
        name.strip().removeprefix("type ").partition(" as ")[0]
        for imported in _FS_IMPORT.findall(text)
        for name in imported.split(",")
        if name.strip()
    }
    ways = (_OTHER_FS, _HANDLE_WRITE, _OPEN_FLAG)
    return (named - _READING) | {each.group() for way in ways for each in way.finditer(text)}


def test_only_the_command_writes_and_only_what_a_person_names() -> None:
    source = WEB / "src"
    found = {
        path.relative_to(source).as_posix(): writes
        for path in source.rglob("*.ts")
        if (writes := _writes(path.read_text("utf-8")))
    }

    assert found == EXCEPTIONS


def test_every_way_to_write_is_seen() -> None:
    ways = {
        'import { writeFileSync } from "node:fs";': {"writeFileSync"},
        'import { type Stats, rmSync as gone } from "fs";': {"Stats", "rmSync"},
        'import {\n  readFile,\n  unlink,\n} from "node:fs/promises";': {"unlink"},
        'import * as fs from "node:fs";': {'import * as fs from "node:fs'},
        'import fs from "node:fs";': {'import fs from "node:fs'},
        'const fs = await import("node:fs");': {'import("node:fs'},
        'process.getBuiltinModule("fs")': {"getBuiltinModule"},
        "Deno.writeFile(path, bytes)": {"Deno.writeFile"},
        "await file.createWritable()": {"createWritable"},
        "await directory.removeEntry(name)": {"removeEntry"},
        "directory.getFileHandle(name, { create: true })": {"create: true"},
        'showDirectoryPicker({ mode: "readwrite" })': {"readwrite"},
        "openSync(path, constants.O_RDWR)": {"O_RDWR"},
        'openSync(path, "w")': {'openSync(path, "w'},
        'import { openSync } from "node:fs";\nopenSync(path, constants.O_RDONLY);': set(),
    }

    assert {way: _writes(way) for way in ways} == ways
