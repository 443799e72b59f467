"""Files that a build copies into a site."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from treeglass.authoring.addresses import is_directory

if TYPE_CHECKING:
    from pathlib import Path


def files_of(source: Path) -> list[Path]:
    """Return the files of a directory, sorted; for a file, the file itself."""
    if not is_directory(source):
        return [source]
    return sorted(path for path in source.rglob("*") if not path.is_dir() or path.is_symlink())


def copy_file(source: Path, target: Path) -> None:
    """Copy a file and its time, unless the target has its size and time already.

    The target is replaced as a whole, so that two builds may copy at once.

    Raises:
        OSError: It cannot be read or written.
    """
    status = source.stat()
    if target.is_file():
        there = target.stat()
        if (there.st_size, there.st_mtime_ns) == (status.st_size, status.st_mtime_ns):
            return
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    shutil.copyfile(source, unfinished)
    os.utime(unfinished, ns=(status.st_atime_ns, status.st_mtime_ns))
    unfinished.replace(target)
