"""The task of every host: a tree and a call for the first answer, then repeated calls."""

from __future__ import annotations

import os
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.trees import write_folder, write_zip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LISTED_FILES = 1_000
DEEP_FILES = 50_000
WIDE_FILES = 20_000
BIG_LINES = 1_250_000

_MODIFIED_MS = 1_700_000_000_000
_LINES = 400
_BRANCHES = "abc"
_DIRECTORY_LEVELS = 7
"""Directories above the deepest files, which are then at depth 8."""


class Work(NamedTuple):
    """One call, repeated in one session."""

    label: str
    tool: str
    arguments: dict[str, Any]
    repeats: int
    """Enough for a clock that counts milliseconds."""


FIRST_CALL = ("list_dir", {"dir_path": "/small"})

WORKS = (
    Work("`list_dir` of 20 files", *FIRST_CALL, 200),
    Work(
        "`read_file`, 100 of 400 lines",
        "read_file",
        {"file_path": "/small/module_07.py", "offset": 200, "limit": 100},
        200,
    ),
    Work(f"`list_directory` of {LISTED_FILES:,} files", "list_directory", {"path": "flat"}, 10),
)
"""The calls of every host."""

LARGE_WORKS = (
    Work(
        f"`list_dir`, depth 8, {DEEP_FILES:,} files",
        "list_dir",
        {"dir_path": "/deep", "depth": 8, "offset": DEEP_FILES // 2, "limit": 200},
        5,
    ),
    Work(
        "`read_file`, 100 lines near the end of 100 MB",
        "read_file",
        {"file_path": "/big/big.txt", "offset": BIG_LINES - 1_000, "limit": 100},
        5,
    ),
    Work(
        f"`LS`, 200 of {WIDE_FILES:,} entries, from the middle",
        "LS",
        {"path": "wide", "offset": WIDE_FILES // 2, "limit": 200},
        15,
    ),
)
"""The calls of hosts that take files of the machine, or fetch them."""

MAX_OUTPUT_BYTES = 1_000_000
"""More than any answer has, so that no answer is cut."""

CONFIG = {"tools": {"list_directory": {"max_entries": 2 * LISTED_FILES}}}

TREES = {
    "/small": {
        f"module_{number:02}.py": "".join(f"line {line:06}\n" for line in range(_LINES))
        for number in range(20)
    },
    "/flat": {f"entry_{number:05}.txt": f"{number}\n" for number in range(LISTED_FILES)},
}
"""The mount path and the files of each tree that every host has."""


LARGE_SOURCES: dict[str, dict[str, list[str] | str]] = {
    "/deep": {"archive": "deep.zip"},
    "/wide": {"archive": "wide.zip"},
    "/big": {"files": ["big/big.txt"]},
}
"""The large trees as sources of a page, by their mount paths."""


def as_json(large: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the task of a session.

    Args:
        large: The sources of the large trees by mount path, for a host that takes them.
    """
    works = WORKS if large is None else (*WORKS, *LARGE_WORKS)
    return {
        "config": CONFIG,
        "trees": TREES,
        "modifiedMs": _MODIFIED_MS,
        "firstCall": FIRST_CALL,
        "large": large or {},
        "works": [work._asdict() for work in works],
        "maxOutputBytes": MAX_OUTPUT_BYTES,
    }


def write_trees(top: Path) -> dict[str, str]:
    """Write every small tree into a folder; return the folder of each by its mount path."""
    for mounted_at, files in TREES.items():
        write_folder(top / mounted_at.strip("/"), files)
    for file in top.rglob("*.*"):
        os.utime(file, ns=(_MODIFIED_MS * 1_000_000,) * 2)
    return {mounted_at: f"{top}{mounted_at}" for mounted_at in TREES}


def write_large_trees(top: Path) -> dict[str, str]:
    """Write the large trees into a folder: about 70,000 files, 110 MB; return their folders."""
    names = {
        "deep": _deep_names(),
        "wide": (f"entry_{number:05}.txt" for number in range(WIDE_FILES)),
    }
    for tree, paths in names.items():
        files = {path: f"name = {path!r}\n" for path in paths}
        write_folder(top / tree, files)
        write_zip(top / f"{tree}.zip", files)
    (top / "big").mkdir()
    with (top / "big" / "big.txt").open("wb") as big:
        for start in range(0, BIG_LINES, 10_000):
            numbers = range(start, start + 10_000)
            big.write(b"".join(f"line {n} ".encode().ljust(79, b".") + b"\n" for n in numbers))
    return {mounted_at: f"{top}{mounted_at}" for mounted_at in LARGE_SOURCES}


def _deep_names() -> Iterator[str]:
    """Yield names of files at depth 1 to 8, as many in each directory as in any other."""
    directories = [
        "".join(f"{branch}/" for branch in branches)
        for level in range(_DIRECTORY_LEVELS + 1)
        for branches in product(_BRANCHES, repeat=level)
    ]
    for number in range(DEEP_FILES):
        yield f"{directories[number % len(directories)]}module_{number:05}.py"
