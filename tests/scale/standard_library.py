"""A real tree that every machine has: the sources of Python's standard library."""

import shutil
import sysconfig
from pathlib import Path

_NOT_THE_LIBRARY = {"site-packages", "dist-packages", "__pycache__"}


def copy_standard_library(folder: Path) -> Path:
    """Copy every `*.py` of the running Python's library into a new folder.

    A copy, so that nothing which a run leaves beside the sources is in the tree.

    Returns:
        The folder.
    """
    source = Path(sysconfig.get_path("stdlib"))
    for path in sorted(source.rglob("*.py")):
        inside = path.relative_to(source)
        if _NOT_THE_LIBRARY.isdisjoint(inside.parts) and path.is_file():
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return folder
