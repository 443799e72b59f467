"""The start-up image: the interpreter's memory after it has used each tool once.

Pyodide makes it, under Node, by the code in `web/image-maker/`; the worker's code that restores it
shares modules with that.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from build_steps.folders import BUILD, ROOT, WEB, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.programs import find_program, run
from build_steps.runtime.bytecode import PYODIDE
from build_steps.web.scripts import bundle_script

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MAKER = WEB / "image-maker" / "make-image.ts"
_WARM_UP = ROOT / "build_steps" / "runtime" / "warm_up.py"
_MADE = BUILD / "start-image"


class StartImage(NamedTuple):
    """The files that a start from the image needs besides Pyodide's own."""

    memory: Path
    side_module: Path
    """The compiled part of pydantic, unchanged from its wheel."""
    about: Path

    def read_about(self) -> tuple[str, int]:
        """Return the version of Pyodide, and the fingerprint of how its functions are numbered."""
        about = json.loads(self.about.read_text(encoding="utf-8"))
        return about["pyodideVersion"], about["fingerprint"]


def make_start_image(wheels: Sequence[Path]) -> StartImage:
    """Return the image of these wheels, in `build/start-image/`.

    Args:
        wheels: Our wheel and all that it needs. Wheels with sources are compiled without their
            docstrings, which would be a third of the memory and are never read. Ours must hold
            bytecode: some of its docstrings are descriptions that an agent reads.
    """
    image = StartImage(_MADE / "image.bin", _MADE / "pydantic_core.wasm", _MADE / "image.json")

    def make() -> None:
        staging = empty_staging_folder("start-image")
        write_start_image(wheels, staging)
        put_in_place(staging, _MADE)

    remake_when_stale(
        "start image",
        inputs=[_bundled_maker(), *wheels, *tree_files(PYODIDE)],
        outputs=image,
        make=make,
    )
    return image


def write_start_image(wheels: Sequence[Path], folder: Path) -> None:
    """Write the image into a folder: the same bytes from the same wheels and the same code.

    Raises:
        BuildFailed: Node.js is missing, or Pyodide failed and has printed why.
    """
    run(
        [
            *(find_program("node"), _bundled_maker(), PYODIDE, PYODIDE / "python_stdlib.zip"),
            *(_WARM_UP, folder, *wheels),
        ],
        otherwise="The start-up image could not be made: correct what Pyodide says above, "
        "or remove web/node_modules, and run again.",
    )


def _bundled_maker() -> Path:
    # The bundle holds all the sources that decide the image, wherever they lie in `web/src/`.
    script = BUILD / "staging" / "make-image.mjs"
    bundle_script(_MAKER, script, platform="node")
    return script
