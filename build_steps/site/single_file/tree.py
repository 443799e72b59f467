"""The tree that a single file opens with."""

from __future__ import annotations

import lzma
import shutil
import sys
import tarfile
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import SITE
from build_steps.programs import run

if TYPE_CHECKING:
    from pathlib import Path

_READ_BYTES = 1024 * 1024

_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """An archive, and where the page finds it."""

    file: Path
    name: str
    """The name that the page shows."""
    path: str = "sample-project.zip"
    """Relative to the page's folder."""


SAMPLE = Tree(file=SITE / "sample-project.zip", name="Sample project")
"""The first tree of the playground on the web."""


def require_archive(chosen: Path) -> None:
    """Read all entries of an archive, as the page will when it mounts it."""
    try:
        _read_entries(chosen)
    except PermissionError as refusal:
        raise BuildFailed(
            f"{chosen} cannot be read ({refusal.strerror}): name a directory or an archive by "
            "--tree."
        ) from refusal
    except _BROKEN as fault:
        raise BuildFailed(
            f"{chosen} is not a sound archive, so the page could not mount it: name by --tree "
            "a directory, a zip archive, or a tar archive, plain or in gzip, bzip2 or xz."
        ) from fault


def _read_entries(chosen: Path) -> None:
    try:
        with tarfile.open(chosen) as archive:
            archive.getmembers()
            # Up to the checksum at the end, which the library checks only then.
            while archive.fileobj.read(_READ_BYTES):
                pass
    except tarfile.ReadError:
        # The library rejects names and versions that it does not know; the page accepts them.
        with suppress(UnicodeDecodeError, NotImplementedError), zipfile.ZipFile(chosen):
            pass


def chosen_tree(chosen: Path, staging: Path) -> Tree:
    """Return an archive unchanged, or a directory packed by `treeglass pack`.

    A directory is packed without `.git` and without the files that its `.gitignore` files name.

    Args:
        chosen: The directory, or the archive.
        staging: A folder for the archive.
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
