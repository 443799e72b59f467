"""The start-up image: the interpreter's memory after it has used each tool once.

Pyodide itself makes it, under Node, by the code in `web/image-maker/`; the
worker restores it by the other half of that code, in `web/src/worker/start/`.
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
    """What a start from the image needs besides Pyodide's own files."""

    memory: Path
    side_module: Path
    """The compiled part of pydantic, as it lies in its wheel."""
    about: Path

    def read_about(self) -> tuple[str, int]:
        """Return the Pyodide that made it, and where that engine has its functions."""
        about = json.loads(self.about.read_text(encoding="utf-8"))
        return about["pyodideVersion"], about["fingerprint"]


def make_start_image(wheels: Sequence[Path]) -> StartImage:
    """Return the image of these wheels, in `build/start-image/`.

    Args:
        wheels: All that the tools need. Those with sources are compiled without
            their docstrings, which nobody asks for and a third of the memory is;
            ours has to come as bytecode, since some of its docstrings are
            descriptions that an agent reads.
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
    """Make the image into a folder: the same bytes from the same wheels and the same code.

    Raises:
        BuildFailed: Node.js is missing, or Pyodide could not do it and has said why.
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
    # A bundle is also the shortest list of all the sources that decide what the image is.
    script = BUILD / "staging" / "make-image.mjs"
    bundle_script(_MAKER, script, platform="node")
    return script
