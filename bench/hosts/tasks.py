"""The task of every host: a tree and a call for the first answer, then three repeated calls."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

LISTED_FILES = 1_000

_MODIFIED_MS = 1_700_000_000_000
_LINES = 400


class Work(NamedTuple):
    """One call, repeated in one session."""

    label: str
    tool: str
    arguments: dict[str, Any]
    repeats: int
    """Enough for a clock that counts milliseconds."""


FIRST_CALL = ("list_dir", {"dir_path": "/small"})

WORKS = (
    Work("`list_dir` of 20 files", "list_dir", {"dir_path": "/small"}, 200),
    Work(
        "`read_file`, 100 of 400 lines",
        "read_file",
        {"file_path": "/small/module_07.py", "offset": 200, "limit": 100},
        200,
    ),
    Work(
        f"`list_directory` of {LISTED_FILES:,} files",
        "list_directory",
        {"path": "flat"},
        10,
    ),
)

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
"""The mount path and the files of each tree."""


def as_json() -> dict[str, Any]:
    """Return the task for a session in JavaScript, without the paths of this machine."""
    return {
        "config": CONFIG,
        "trees": TREES,
        "modifiedMs": _MODIFIED_MS,
        "firstCall": FIRST_CALL,
        "works": [work._asdict() for work in WORKS],
        "maxOutputBytes": MAX_OUTPUT_BYTES,
    }


def write_trees(folder: Path) -> dict[str, str]:
    """Write every tree into an empty folder; return its folder by mount path."""
    places = {}
    for mounted_at, files in TREES.items():
        place = folder / mounted_at.strip("/")
        place.mkdir()
        for name, content in files.items():
            path = place / name
            path.write_text(content, "utf-8")
            os.utime(path, ns=(_MODIFIED_MS * 1_000_000,) * 2)
        places[mounted_at] = str(place)
    return places
