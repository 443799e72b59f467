"""A zip becomes a tree by the names and kinds that a mount takes."""

from __future__ import annotations

import io
import zipfile

from treeglass.authoring.trees.tree_in_memory import MemoryDirectory, TreeBuilder
from treeglass.authoring.trees.zip_source import add_zip


def test_a_zip_may_come_from_windows() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("a\\b.txt", "C:\\c.txt", "C:", "..\\d.txt", "C:e.txt", "d\\"):
            archive.writestr(zipfile.ZipInfo(name), "x")
    builder = TreeBuilder("/repo")

    add_zip(packed, builder)

    children = builder.root.children
    assert list(children) == ["a", "C:e.txt", "d"]
    assert isinstance(children["a"], MemoryDirectory)
    assert list(children["a"].children) == ["b.txt"]
