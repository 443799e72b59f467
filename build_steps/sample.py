"""The tree that the playground opens with: this project's own sources, as a zip."""

from __future__ import annotations

import subprocess
import zipfile
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.programs import find_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Long, made by a program, and nothing that a reader of the sample would open.
_LEFT_OUT = frozenset({"web/package-lock.json"})

# The earliest time that a zip can hold, in each entry: the bytes follow the content alone.
_ENTRY_TIME = (1980, 1, 1, 0, 0, 0)

_REGULAR_FILE_MODE = 0o100644


def sample_files() -> list[Path]:
    """Return the tracked files, as they stand now, sorted by their name in the zip.

    Raises:
        BuildFailed: Git is missing, or this folder is no clone.
    """
    listed = subprocess.run(
        [find_program("git"), "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode != 0:
        raise BuildFailed(
            "Git does not know this folder, and the sample is made of the tracked files: "
            "build in a clone of the repository."
        )
    names = listed.stdout.decode("utf-8").split("\0")
    wanted = sorted(name for name in names if name and name not in _LEFT_OUT)
    return [ROOT / name for name in wanted if (ROOT / name).is_file()]


def write_sample(archive: Path, files: Sequence[Path]) -> None:
    """Write the files into a zip whose bytes depend on their names and contents only.

    Among machines with the same zlib, that is: versions of it pack differently.
    """
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as sample:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(ROOT).as_posix(), _ENTRY_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever this machine is
            entry.external_attr = _REGULAR_FILE_MODE << 16
            sample.writestr(entry, path.read_bytes())
