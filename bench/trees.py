"""Write the trees that are measured, as folders and as zips."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their paths below a folder."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def write_zip(archive: Path, files: Mapping[str, str]) -> None:
    """Write texts by their paths into a zip."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path, text in files.items():
            zipped.writestr(path, text)
