"""The searches that are measured, in each candidate's form, and the trees that they search."""

from __future__ import annotations

import shlex
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.peers.tasks import PeerTree, growing_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

RG, GREP, FIND = "rg -l", "grep -rl", "find -name"

_MOST_FILES = 1_100
_MOST_BYTES = 20_000_000
_SMALL_FILES = 10_000

_HOSTILE_LETTERS = 1_000_000


class Search(NamedTuple):
    """One search."""

    label: str
    tool: str
    arguments: dict[str, Any]
    commands: dict[str, str]
    """For just-bash, by their names; each finds the same files."""
    mark: str
    """A regular expression for the files in an answer; empty if nothing is found."""


def sources_tree() -> PeerTree:
    """Return Python sources of this machine's library: 1,100 files, or as many as 20 MB hold."""
    library = Path(sysconfig.get_paths()["stdlib"])
    entries: dict[str, str] = {}
    total_bytes = 0
    for file in sorted(_sources_in(library)):
        content = file.read_bytes()
        if len(entries) == _MOST_FILES or total_bytes + len(content) > _MOST_BYTES:
            break
        try:
            entries[file.relative_to(library).as_posix()] = content.decode("utf-8")
        except UnicodeDecodeError:
            # A fixture of a test; the peers would read it as something else.
            continue
        total_bytes += len(content)
    return PeerTree("sources", entries)


def _sources_in(library: Path) -> Iterator[Path]:
    return (file for file in library.rglob("*.py") if "site-packages" not in file.parts)


SMALL_TREE = growing_tree(_SMALL_FILES)._replace(name="small_files")

HOSTILE_TREE = PeerTree("hostile", {"x.txt": "x" * _HOSTILE_LETTERS})

_PATTERNS = (
    r"class\s+\w+Error",
    "(?i)todo",
    r"\bself\.\w+\s*=\s*None\b",
    "[A-Za-z_]+_handler",
    r"def\s+test_\w+\(self\)",
    r"^\s*(import|from)\s+asyncio",
    r"(error|warning|critical|fatal)\b",
    r"\w+\s+\w+\s+\w{12,}",
)


def _grep(pattern: str) -> Search:
    quoted = shlex.quote(pattern.removeprefix("(?i)"))
    case = "i" if pattern.startswith("(?i)") else ""
    return Search(
        f"`{pattern}`".replace("|", r"\|"),
        "grep_files",
        {"pattern": pattern, "path": "/sources", "limit": 2_000},
        {
            RG: f"rg -l{case} {quoted} /sources",
            GREP: f"grep -rl{case}E {quoted} /sources",
        },
        r"/sources/\S+",
    )


SEARCHES = (
    Search(
        "a plain literal, `DeprecationWarning`",
        "grep_files",
        {"pattern": "DeprecationWarning", "path": "/sources", "limit": 2_000},
        {GREP: "grep -rlF DeprecationWarning /sources"},
        r"/sources/\S+",
    ),
    *map(_grep, _PATTERNS),
    Search(
        "10,000 small files: `x = 77$`",
        "grep_files",
        {"pattern": "x = 77$", "path": "/small_files", "limit": 2_000},
        {RG: "rg -l 'x = 77$' /small_files", GREP: "grep -rlE 'x = 77$' /small_files"},
        r"module_\d+",
    ),
    Search(
        "10,000 names: `Glob` of `**/module_00001*.py`",
        "Glob",
        {"pattern": "**/module_00001*.py", "path": "/small_files"},
        {FIND: "find /small_files -name 'module_00001*.py'"},
        r"module_\d+",
    ),
    Search(
        "`(x+x+)+y` in a million letters x",
        "grep_files",
        {"pattern": "(x+x+)+y", "path": "/hostile"},
        {},
        "",
    ),
)
