"""The trees that are mounted, each in every form that a source takes."""

from __future__ import annotations

import json
from hashlib import shake_256
from typing import TYPE_CHECKING, NamedTuple

from bench.runner import say
from bench.trees import write_folder, write_zip
from tests.browser.packed_trees import tar_of

if TYPE_CHECKING:
    from pathlib import Path

SIZES = (1_000, 10_000, 50_000)
"""The numbers of files of the trees, by default."""

_PART_COUNT = 20
_SECTIONS_PER_PART = 10
_LINE_COUNT = 16


class Source(NamedTuple):
    """One way of handing a tree over."""

    label: str
    kind: str
    """Its name in the page."""
    form: str
    """The field of `MountTree` that is put into the page's file input."""


SOURCES = (
    Source("zip", "zip", "zip_file"),
    Source("tar", "tar", "tar_file"),
    Source("files", "files", "folder"),
    Source("files, read on demand", "lazyFiles", "folder"),
    Source("entries", "entries", "json_file"),
)
"""Every source that is measured."""


class MountTree(NamedTuple):
    """One tree in every form."""

    file_count: int
    folder: Path
    zip_file: Path
    tar_file: Path
    json_file: Path
    """An object of path to content, which becomes an `entries` source in the page."""
    samples: dict[str, str]
    """Path to content of the first file, the one in the middle and the last."""
    listing: str
    """The answer of `list_dir` with depth 1, if the tree is mounted at `/repo`."""


def write_tree(top: Path, file_count: int) -> MountTree:
    """Write a tree of files of about 1 KB in up to 200 directories into a new folder."""
    say(f"writing the tree of {file_count:,} files")
    contents = {_path(number): _content(number) for number in range(file_count)}
    tree = MountTree(
        file_count,
        top / "tree",
        top / "tree.zip",
        top / "tree.tar",
        top / "tree.json",
        {path: contents[path] for path in map(_path, (0, file_count // 2, file_count - 1))},
        _listing(file_count),
    )
    write_folder(tree.folder, contents)
    write_zip(tree.zip_file, contents)
    tree.tar_file.write_bytes(tar_of(contents, ""))
    tree.json_file.write_text(json.dumps(contents), "utf-8")
    return tree


def _path(number: int) -> str:
    part, section = number % _PART_COUNT, number // _PART_COUNT % _SECTIONS_PER_PART
    return f"part_{part:02}/section_{section:02}/module_{number:05}.py"


def _content(number: int) -> str:
    # Half of a hash in hexadecimal is redundant, so a zip has something to inflate.
    digits = shake_256(str(number).encode()).hexdigest(28 * _LINE_COUNT)
    lines = (digits[start : start + 56] for start in range(0, len(digits), 56))
    return "".join(f'x = "{line}"\n' for line in lines)


def _listing(file_count: int) -> str:
    parts = "".join(f"\npart_{part:02}/" for part in range(min(file_count, _PART_COUNT)))
    return f"Absolute path: /repo{parts}"
