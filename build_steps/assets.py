"""What the worker loads: Pyodide, the wheels, and the lock that names them.

Made once into `build/assets/`; the npm package and the site each hold a copy.
A memory snapshot, which would make the start faster still, can be made here
too, as one more function between `_copy` and `put_in_place`.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from build_steps.bytecode import PYODIDE, make_bytecode
from build_steps.failure import BuildFailed
from build_steps.folders import BUILD
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.lock import write_lock
from build_steps.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

ASSETS = BUILD / "assets"

LOCK_NAME = "pyodide-lock.json"

UNCHANGED_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What Pyodide itself needs to start, as its npm package has it."""

STANDARD_LIBRARY = "python_stdlib.zip"
"""What Pyodide needs besides, as bytecode; the rest of its npm package stays behind."""


def make_assets(wheels: Sequence[Path]) -> None:
    """Leave the assets, and nothing else, in `build/assets/`.

    Args:
        wheels: Ours, and every other that is to be beside it.
    """
    names = (*UNCHANGED_FILES, STANDARD_LIBRARY, LOCK_NAME)
    for name in names:
        if not (PYODIDE / name).is_file():
            raise BuildFailed(
                f"{name} is missing in web/node_modules/pyodide: "
                "remove web/node_modules and run again."
            )
    ours = [wheel for wheel in wheels if wheel == wheel_path()]
    others = [wheel for wheel in wheels if wheel not in ours]
    library, *compiled = make_bytecode("bytecode", [PYODIDE / STANDARD_LIBRARY, *others])
    compiled += make_bytecode("our bytecode", ours)
    copied = [*(PYODIDE / name for name in UNCHANGED_FILES), library, *compiled]
    pyodide_lock = PYODIDE / LOCK_NAME

    def make() -> None:
        staging = empty_staging_folder("assets")
        _copy(copied, staging)
        write_lock(staging / LOCK_NAME, wheels=compiled, pyodide_lock=pyodide_lock)
        put_in_place(staging, ASSETS)

    remake_when_stale("assets", inputs=[*copied, pyodide_lock], outputs=[ASSETS], make=make)


def _copy(files: Iterable[Path], folder: Path) -> None:
    for file in files:
        shutil.copyfile(file, folder / file.name)
