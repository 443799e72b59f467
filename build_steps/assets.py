"""What the worker loads: Pyodide, the wheels, and the lock that names them.

Made once into `build/assets/`; the npm package and the site each hold a copy.
What makes the start faster (bytecode, a memory snapshot) is made here too, as
one more function between `_copy_pyodide` and `put_in_place`.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, NODE_MODULES
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.lock import write_lock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ASSETS = BUILD / "assets"

LOCK_NAME = "pyodide-lock.json"

PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""What Pyodide itself needs to start; the rest of its npm package stays behind."""

_PYODIDE = NODE_MODULES / "pyodide"


def make_assets(wheels: Sequence[Path]) -> None:
    """Leave the assets, and nothing else, in `build/assets/`."""
    from_pyodide = [_PYODIDE / name for name in (*PYODIDE_FILES, LOCK_NAME)]
    for path in from_pyodide:
        if not path.is_file():
            raise BuildFailed(
                f"{path.name} is missing in web/node_modules/pyodide: "
                "remove web/node_modules and run again."
            )

    def make() -> None:
        staging = empty_staging_folder("assets")
        _copy_pyodide(staging)
        for wheel in wheels:
            shutil.copyfile(wheel, staging / wheel.name)
        write_lock(staging / LOCK_NAME, wheels=wheels, pyodide_lock=_PYODIDE / LOCK_NAME)
        put_in_place(staging, ASSETS)

    remake_when_stale("assets", inputs=[*from_pyodide, *wheels], outputs=[ASSETS], make=make)


def _copy_pyodide(staging: Path) -> None:
    for name in PYODIDE_FILES:
        shutil.copyfile(_PYODIDE / name, staging / name)
