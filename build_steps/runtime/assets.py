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
from typing import TYPE_CHECKING, Any

from build_steps.folders import BUILD, project_version, tree_files
from build_steps.freshness import (
    content_fingerprint,
    empty_staging_folder,
    remake_folder,
    sha256_of,
)
from build_steps.runtime.bytecode import (
    PYODIDE,
    make_bytecode,
    make_our_bytecode,
    write_entrances,
)
from build_steps.runtime.smaller.bodies import make_bodies
from build_steps.runtime.smaller.split import PART_ENDINGS, make_split
from build_steps.runtime.smaller.trimmed import (
    CODE,
    ENGINE_FILES,
    ENGINE_FOLDER,
    SIDE_MODULE,
    SIDE_MODULE_FILE,
    TRIMMED,
    make_engine,
)
from build_steps.runtime.start_image import ImageSources, make_start_image
from build_steps.wheels.lock import write_lock
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from build_steps.runtime.start_image import StartImage

ASSETS = BUILD / "assets"

LOCK_NAME = "pyodide-lock.json"

START_NAME = "start.json"

ID_DIGITS = 8

STANDARD_LIBRARY = "python_stdlib.zip"
"""As Pyodide publishes it."""

SHIPPED_LIBRARY = f"{STANDARD_LIBRARY}.bin"
"""The same as bytecode, in the assets; a Worker of workerd imports bytes by this ending alone."""


def make_assets(without: Collection[str] = ()) -> None:
    """Bring `build/assets/` up to date, without some steps of `build_steps.runtime.smaller`."""
    others = runtime_wheels()
    # Both steps read this file; written before them, it is never half-written.
    write_entrances()
    with ThreadPoolExecutor() as threads:
        others_made = threads.submit(make_bytecode, [PYODIDE / STANDARD_LIBRARY, *others])
        our_bytecode = make_our_bytecode(wheel_path())
        make_engine(others, without)
        split = [] if "split" in without else make_split(tables="tables" not in without)
        sources = ImageSources(PYODIDE / STANDARD_LIBRARY, (*others, our_bytecode))
        if "bodies" not in without:
            sources = make_bodies(sources, others)
        image = make_start_image(sources, is_packed="pack" not in without)
    archives = [*others_made.result(), our_bytecode]
    parts = [part for parts in split for part in parts]
    remake_folder(
        "assets",
        ASSETS,
        inputs=[*tree_files(ENGINE_FOLDER), *parts, *archives, *image, PYODIDE / LOCK_NAME],
        write=lambda staging: _write(staging, archives, image, split),
    )


def _write(
    staging: Path,
    archives: Sequence[Path],
    image: StartImage,
    split: Sequence[Sequence[Path]],
) -> None:
    library, *wheels = archives
    code_parts, side_parts = split or ([TRIMMED / CODE], [SIDE_MODULE_FILE])
    packages = empty_staging_folder("asset packages")
    _copy([*wheels, image.memory, *side_parts], packages)
    write_lock(packages / LOCK_NAME, wheels=wheels, pyodide_lock=PYODIDE / LOCK_NAME)
    pyodide = empty_staging_folder("asset pyodide")
    _copy([*(TRIMMED / name for name in ENGINE_FILES if name != CODE), *code_parts], pyodide)
    shutil.copyfile(library, pyodide / SHIPPED_LIBRARY)
    version, fingerprint = image.read_about()
    pyodide = pyodide.rename(staging / f"pyodide-{version}-{_id_of(pyodide)}")
    packages = packages.rename(staging / f"treeglass-{project_version()}-{_id_of(packages)}")
    interpreter = pyodide / code_parts[0].name
    side_module, *late_side = [packages / part.name for part in side_parts]
    checked = [*pyodide.iterdir(), *packages.glob("*.whl"), packages / LOCK_NAME, *late_side]
    start = {
        "folders": {"pyodide": f"{pyodide.name}/", "packages": f"{packages.name}/"},
        "files": {f"{file.parent.name}/{file.name}": integrity(file) for file in sorted(checked)},
        "image": {
            "pyodideVersion": version,
            "fingerprint": fingerprint,
            "archives": {
                file.name: integrity(file)
                for file in (pyodide / SHIPPED_LIBRARY, *sorted(packages.glob("*.whl")))
            },
            "interpreter": describe(interpreter),
            "sideModule": describe(side_module),
            "memory": describe(packages / image.memory.name),
        },
    }
    text = json.dumps(start, indent=1) + "\n"
    (staging / START_NAME).write_text(text, encoding="utf-8", newline="\n")


def integrity(file: Path) -> str:
    """Return a file's hash in the form of `integrity` attributes."""
    return f"sha256-{base64.b64encode(bytes.fromhex(sha256_of(file))).decode('ascii')}"


def whole_modules(start: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Path]]:
    """Return a `start.json` whose modules are not split, for a place that can load nothing late.

    Returns:
        The changed content of the file, and the whole modules by their paths in it.
    """
    pyodide, packages = start["folders"].values()
    code, side_module = f"{pyodide}{CODE}", f"{packages}{SIDE_MODULE}"
    modules = {code: TRIMMED / CODE, side_module: SIDE_MODULE_FILE}
    image = {
        **start["image"],
        "interpreter": {**describe(modules[code]), "path": code},
        "sideModule": {**describe(modules[side_module]), "path": side_module},
    }
    listed = {
        path: hash_of_it
        for path, hash_of_it in start["files"].items()
        if not path.endswith(PART_ENDINGS)
    }
    files = {**listed, code: integrity(modules[code])}
    return {**start, "files": files, "image": image}, modules


def describe(file: Path) -> dict[str, str | int]:
    """Return what `start.json` says of a file in one of its folders."""
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
