"""The measured calls, and the trees that they read, the same on both sides."""

from __future__ import annotations

import zipfile
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TREE_FILES = 50_000
FLAT_FILES = 20_000
BIG_LINES = 1_250_000
BIG_LINE_BYTES = 80

_BRANCHES = "abc"
_DIRECTORY_LEVELS = 7
"""Directories above the deepest files, which are then at depth 8."""


class Work(NamedTuple):
    """One call, measured again and again in one session."""

    label: str
    tool: str
    arguments: dict[str, Any]
    repeats: int


WALK = Work(
    f"`list_dir`, depth 8, {TREE_FILES:,} files",
    "list_dir",
    {"dir_path": "/tree", "depth": 8, "offset": TREE_FILES // 2, "limit": 200},
    5,
)
READ = Work(
    "`read_file`, 100 lines near the end of 100 MB",
    "read_file",
    {"file_path": "/big/big.txt", "offset": BIG_LINES - 1_000, "limit": 100},
    5,
)
PAGE = Work(
    f"`LS`, 200 of {FLAT_FILES:,} entries, from the middle",
    "LS",
    {"path": "flat", "offset": FLAT_FILES // 2, "limit": 200},
    15,
)
TRIVIAL = Work("trivial call, median", "list_dir", {"dir_path": "/big", "depth": 1}, 500)
WORKS = (WALK, READ, PAGE, TRIVIAL)

FIRST_CALL = ("list_dir", {"dir_path": "/repo"})
FIRST_TREE = {f"package/module_{number:02}.py": f"x = {number}\n" for number in range(20)}
"""The mounted tree of the first call: 20 files."""


class Trees(NamedTuple):
    """The trees, as folders for CPython and as uploads for a browser."""

    tree: Path
    tree_zip: Path
    flat: Path
    flat_zip: Path
    big: Path
    """A folder with the one file `big.txt`."""


def write_trees(top: Path) -> Trees:
    """Write every tree into an empty folder: about 75,000 files, 110 MB."""
    trees = Trees(top / "tree", top / "tree.zip", top / "flat", top / "flat.zip", top / "big")
    _write_tree(trees.tree, trees.tree_zip, _tree_names())
    flat_names = (f"entry_{number:05}.txt" for number in range(FLAT_FILES))
    _write_tree(trees.flat, trees.flat_zip, flat_names)
    trees.big.mkdir()
    with (trees.big / "big.txt").open("wb") as big:
        for start in range(0, BIG_LINES, 10_000):
            numbers = range(start, start + 10_000)
            big.write(b"".join(f"line {n} ".encode().ljust(79, b".") + b"\n" for n in numbers))
    return trees


def _tree_names() -> Iterator[str]:
    """Yield names of files at depth 1 to 8, as many in each directory as in any other."""
    levels = range(_DIRECTORY_LEVELS + 1)
    directories = [
        "".join(f"{branch}/" for branch in branches)
        for level in levels
        for branches in product(_BRANCHES, repeat=level)
    ]
    for number in range(TREE_FILES):
        yield f"{directories[number % len(directories)]}module_{number:05}.py"


def _write_tree(folder: Path, archive: Path, names: Iterator[str]) -> None:
    made: set[Path] = set()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in names:
            path = folder / name
            if path.parent not in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                made.add(path.parent)
            content = f"name = {name!r}\n"
            path.write_text(content, "utf-8")
            zipped.writestr(name, content)
