"""The tree that a single file opens with."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from build_steps.folders import SITE
from build_steps.programs import run

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """An archive, and where the page looks for it."""

    file: Path
    path: str = "sample.zip"
    """Below the page's own folder."""
    name: str | None = None
    """What the page calls it; None for the page's own words."""


SAMPLE = Tree(file=SITE / "sample.zip")
"""The one that the playground on the web opens with."""


def chosen_tree(chosen: Path, staging: Path) -> Tree:
    """Return a directory, packed by `treeglass pack`, or an archive as it is.

    A directory is packed without `.git` and without what the `.gitignore` files in it leave out.

    Args:
        chosen: The directory, or the archive.
        staging: A folder for what is packed.

    Raises:
        BuildFailed: It cannot be packed.
    """
    name = chosen.resolve().name or "tree"
    if chosen.is_dir():
        archive = staging / f"{name}.zip"
        _pack(chosen.resolve(), archive)
    else:
        archive = staging / name
        shutil.copyfile(chosen, archive)
    return Tree(file=archive, name=name)


def _pack(directory: Path, archive: Path) -> None:
    run(
        [sys.executable, "-m", "treeglass", "pack", directory, "-o", archive, "--gitignore"],
        otherwise=f"{directory} could not be packed: correct what stands above and run again.",
    )
