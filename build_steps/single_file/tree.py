"""The tree that a single file opens with."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import SITE
from treeglass import Workspace
from treeglass.errors import TreeglassError
from treeglass.pack import pack_zip

if TYPE_CHECKING:
    from pathlib import Path

_PACKED = "/packed"
"""Where a directory appears in the workspace that it is packed from."""


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
    """Return a directory, packed, or an archive as it is.

    A directory is packed without `.git` and without what the `.gitignore` files in it leave out;
    what else cannot be packed is named.

    Args:
        chosen: The directory, or the archive.
        staging: A folder for what is packed.

    Raises:
        BuildFailed: There is neither, or it cannot be read.
    """
    name = chosen.resolve().name or "tree"
    if chosen.is_dir():
        archive = staging / f"{name}.zip"
        _pack(chosen, archive)
    elif chosen.is_file():
        archive = staging / name
        shutil.copyfile(chosen, archive)
    else:
        raise BuildFailed(f"{chosen} does not exist: name a directory or an archive by --tree.")
    return Tree(file=archive, name=name)


def _pack(directory: Path, archive: Path) -> None:
    try:
        with archive.open("wb") as output:
            workspace = Workspace({_PACKED: directory.resolve()})
            report = pack_zip(workspace, _PACKED, output, gitignore=True)
    except TreeglassError as error:
        raise BuildFailed(f"{directory} cannot be packed: {error}.") from error
    for left_out in report.left_out:
        print(f"  left out {left_out.path}: {left_out.reason}")
