"""The step `trim`: Pyodide's code without what neither our packages nor its own scripts name."""

from __future__ import annotations

import shutil
import zipfile
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, tree_files
from build_steps.freshness import choice_file, remake_folder
from build_steps.programs import find_program, run
from build_steps.runtime.bytecode import PYODIDE
from build_steps.web.scripts import minify_script, start_image_program

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

LOADER, GLUE, CODE = ENGINE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What Pyodide needs to start besides the standard library; only the loader is never changed."""

SIDE_MODULE = "pydantic_core.wasm"

_LOCK = "pyodide-lock.json"
_SIDE_MODULE_PACKAGE = "pydantic_core-"

ENGINE_FOLDER = BUILD / "engine"
"""The compiled parts of a start."""

TRIMMED = ENGINE_FOLDER / "pyodide"
"""Holds `ENGINE_FILES` and a lock, as Pyodide expects them."""

SIDE_MODULE_FILE = ENGINE_FOLDER / SIDE_MODULE
"""The compiled part of pydantic, unchanged from its wheel."""


def make_engine(wheels: Sequence[Path], without: Collection[str] = ()) -> None:
    """Bring `build/engine/` up to date; one of the wheels is that of pydantic_core."""
    script = start_image_program("code/trim")
    is_trimmed = "trim" not in without

    def write(staging: Path) -> None:
        folder = staging / TRIMMED.name
        folder.mkdir()
        for name in (*ENGINE_FILES, _LOCK):
            shutil.copyfile(PYODIDE / name, folder / name)
        side_module = staging / SIDE_MODULE
        side_module.write_bytes(_side_module_of(wheels))
        if is_trimmed:
            run(
                [find_program("node"), script, PYODIDE, side_module, folder],
                otherwise="Pyodide's code could not be trimmed: correct what is said above, "
                "or build with `--without trim`.",
            )
            minify_script(folder / GLUE)

    remake_folder(
        "engine",
        ENGINE_FOLDER,
        inputs=[script, choice_file("trim", is_taken=is_trimmed), *wheels, *tree_files(PYODIDE)],
        write=write,
    )


def _side_module_of(wheels: Sequence[Path]) -> bytes:
    (wheel,) = (path for path in wheels if path.name.startswith(_SIDE_MODULE_PACKAGE))
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".so"))
        return archive.read(name)
