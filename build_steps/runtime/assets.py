"""What a start needs: Pyodide, the wheels with their lock, and the start-up image.

They are made once, into `build/assets/`; the npm package and the site each hold a copy.

    start.json                      names the two folders; the only file that changes
    pyodide-VERSION-ID/             Pyodide's own files
    treeglass-VERSION-ID/           the lock, the wheels, the image

A folder's ID is a hash of its content, so the files in it never change and a browser may keep
them for good. A release of ours that imports nothing new from the standard library keeps
Pyodide's folder.
"""

from __future__ import annotations

import base64
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, project_version
from build_steps.freshness import (
    content_fingerprint,
    empty_staging_folder,
    put_in_place,
    remake_when_stale,
    sha256_of,
)
from build_steps.runtime.bytecode import PYODIDE, make_bytecode, write_entrances
from build_steps.runtime.start_image import make_start_image
from build_steps.wheels.lock import write_lock
from build_steps.wheels.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from build_steps.runtime.start_image import StartImage

ASSETS = BUILD / "assets"

LOCK_NAME = "pyodide-lock.json"

START_NAME = "start.json"

ID_DIGITS = 8

UNCHANGED_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""The files that Pyodide needs to start, unchanged from its npm package."""

STANDARD_LIBRARY = "python_stdlib.zip"
"""Pyodide needs it too, here as bytecode; the rest of its npm package is left out."""


def make_assets(wheels: Sequence[Path]) -> None:
    """Bring `build/assets/` up to date; it holds the assets alone.

    Args:
        wheels: Our wheel, and the wheels that it needs.
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
    # Both steps read this file; written before them, it is never half-written.
    write_entrances()
    with ThreadPoolExecutor() as threads:
        others_made = threads.submit(
            make_bytecode, "bytecode", [PYODIDE / STANDARD_LIBRARY, *others]
        )
        our_bytecode = make_bytecode("our bytecode", ours)
        image = make_start_image([*others, *our_bytecode])
    library, *compiled = others_made.result()
    compiled += our_bytecode
    pyodide = [*(PYODIDE / name for name in UNCHANGED_FILES), library]
    pyodide_lock = PYODIDE / LOCK_NAME

    def make() -> None:
        staging = empty_staging_folder("assets")
        _make(staging, pyodide=pyodide, wheels=compiled, image=image)
        put_in_place(staging, ASSETS)

    remake_when_stale(
        "assets", inputs=[*pyodide, *compiled, *image, pyodide_lock], outputs=[ASSETS], make=make
    )


def _make(
    staging: Path, *, pyodide: Sequence[Path], wheels: Sequence[Path], image: StartImage
) -> None:
    packages = empty_staging_folder("asset packages")
    _copy([*wheels, image.memory, image.side_module], packages)
    write_lock(packages / LOCK_NAME, wheels=wheels, pyodide_lock=PYODIDE / LOCK_NAME)
    engine = empty_staging_folder("asset pyodide")
    _copy(pyodide, engine)
    version, fingerprint = image.read_about()
    engine = engine.rename(staging / f"pyodide-{version}-{_id_of(engine)}")
    packages = packages.rename(staging / f"treeglass-{project_version()}-{_id_of(packages)}")
    ordinary = [*engine.iterdir(), *packages.glob("*.whl"), packages / LOCK_NAME]
    start = {
        "folders": {"pyodide": f"{engine.name}/", "packages": f"{packages.name}/"},
        "files": {f"{file.parent.name}/{file.name}": integrity(file) for file in sorted(ordinary)},
        "image": {
            "pyodideVersion": version,
            "fingerprint": fingerprint,
            "archives": {
                file.name: integrity(file)
                for file in (engine / STANDARD_LIBRARY, *sorted(packages.glob("*.whl")))
            },
            "interpreter": _described(engine / "pyodide.asm.wasm"),
            "sideModule": _described(packages / image.side_module.name),
            "memory": _described(packages / image.memory.name),
        },
    }
    text = json.dumps(start, indent=1) + "\n"
    (staging / START_NAME).write_text(text, encoding="utf-8", newline="\n")


def integrity(file: Path) -> str:
    """Return a file's hash in the form of `integrity` attributes."""
    return f"sha256-{base64.b64encode(bytes.fromhex(sha256_of(file))).decode('ascii')}"


def _described(file: Path) -> dict[str, str | int]:
    return {
        "path": f"{file.parent.name}/{file.name}",
        "bytes": file.stat().st_size,
        "sha256": sha256_of(file),
    }


def _id_of(folder: Path) -> str:
    return content_fingerprint(folder.iterdir(), below=folder)[:ID_DIGITS]


def _copy(files: Iterable[Path], folder: Path) -> None:
    for file in files:
        shutil.copyfile(file, folder / file.name)
