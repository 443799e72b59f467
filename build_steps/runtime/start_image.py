"""The start-up image: the interpreter's memory after it has used each tool once.

Pyodide makes it, under Node, by the code in `web/start-image/memory/`; the worker's code that
restores it shares modules with that.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from build_steps.folders import BUILD, tree_files
from build_steps.freshness import choice_file, remake_folder
from build_steps.programs import find_program, run
from build_steps.runtime.bytecode import INSIDE
from build_steps.runtime.smaller.trimmed import ENGINE_FOLDER, SIDE_MODULE_FILE, TRIMMED
from build_steps.web.scripts import start_image_program

if TYPE_CHECKING:
    from pathlib import Path

_MAKER = "memory/make-image"
_WARM_UP = INSIDE / "warm_up.py"
_MADE = BUILD / "start-image"

FINISHED = "finished.txt"
"""Beside an image: what `ImageSources.finish` has returned."""


class ImageSources(NamedTuple):
    """The Python files that an image is made of."""

    library: Path
    """The archive of Python's own modules."""
    wheels: tuple[Path, ...]
    """Our wheel and all that it needs. Ours holds bytecode, and the others are compiled. None has
    docstrings, which would be a third of the memory and are never read."""
    finish: Path | None = None
    """A program, whose function `finish` takes a list of lines and ends the making."""
    lines: Path | None = None
    """The file of these lines."""

    def files(self) -> list[Path]:
        """Return all files."""
        programs = [file for file in (self.finish, self.lines) if file is not None]
        return [self.library, *self.wheels, *programs]


class StartImage(NamedTuple):
    """The files that a start from the image needs besides Pyodide's own."""

    memory: Path
    about: Path

    def read_about(self) -> tuple[str, int]:
        """Return the version of Pyodide, and the fingerprint of how its functions are numbered."""
        about = json.loads(self.about.read_text(encoding="utf-8"))
        return about["pyodideVersion"], about["fingerprint"]


def make_start_image(sources: ImageSources, *, is_packed: bool) -> StartImage:
    """Return the image of these sources, in `build/start-image/`."""
    remake_folder(
        "start image",
        _MADE,
        inputs=[
            *(start_image_program(_MAKER), choice_file("pack", is_taken=is_packed)),
            *(*sources.files(), *tree_files(ENGINE_FOLDER)),
        ],
        write=lambda staging: write_start_image(sources, staging, is_packed=is_packed),
    )
    return _image_in(_MADE)


def write_start_image(
    sources: ImageSources, folder: Path, *, is_packed: bool = False
) -> StartImage:
    """Write the image into a folder: the same bytes from the same sources and the same code.

    With `is_packed`, its heap is sorted by kinds, which the step `pack` does.
    """
    run(
        [
            *(find_program("node"), start_image_program(_MAKER), TRIMMED, SIDE_MODULE_FILE),
            *(sources.library, _WARM_UP, sources.finish or "", sources.lines or ""),
            *("packed" if is_packed else "plain", folder, *sources.wheels),
        ],
        otherwise="The start-up image could not be made: correct what Pyodide says above, "
        "or remove web/node_modules, and run again.",
    )
    return _image_in(folder)


def _image_in(folder: Path) -> StartImage:
    return StartImage(folder / "image.bin", folder / "image.json")
