"""Copies of the npm package in which more is late, or what is late is missing."""

import json
import random
import shutil
from pathlib import Path

from build_steps.folders import BUILD, NPM, tree_files
from build_steps.freshness import only_process, remake_folder
from build_steps.runtime.assets import (
    SHIPPED_LIBRARY,
    STANDARD_LIBRARY,
    START_NAME,
    describe,
    integrity,
)
from build_steps.runtime.bytecode import PYODIDE, make_our_bytecode
from build_steps.runtime.smaller import bodies
from build_steps.runtime.smaller.split import MODULES, first_name, late_name, write_split
from build_steps.runtime.smaller.trimmed import ENGINE_FOLDER
from build_steps.runtime.start_image import ImageSources, write_start_image
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.wheel import wheel_path

COLD_SHARE = 0.5
"""So many of the functions that a start and its calls need."""

SEED = 11
"""It chooses the functions; among them are bodies that each mount needs."""


def cold_package() -> Path:
    """Return a copy of the built package in which functions are late that the profiles keep.

    Of WebAssembly's these are functions that every start needs. Of Python's they are functions that
    only calls need, since nothing else can wait for a body. It is made once for all tests.
    """
    folder = BUILD / "cold-package"
    inputs = [*tree_files(NPM), *tree_files(ENGINE_FOLDER), Path(__file__)]
    with only_process("cold-package"):
        remake_folder("cold package", folder, inputs=inputs, write=_write_with_cold_code)
    return folder


def _write_with_cold_code(copy: Path) -> None:
    _copy(NPM, copy)
    _split_anew(copy, "0", str(COLD_SHARE), str(SEED))
    start_file = copy / "assets" / START_NAME
    start = json.loads(start_file.read_text("utf-8"))
    memory = copy / "assets" / start["image"]["memory"]["path"]
    work = copy / "work"
    work.mkdir()
    shutil.copyfile(_cold_image(work), memory)
    start["image"]["memory"] = describe(memory)
    start_file.write_text(json.dumps(start), "utf-8")


def _cold_image(folder: Path) -> Path:
    wheels = runtime_wheels()
    library = PYODIDE / STANDARD_LIBRARY
    ours = make_our_bytecode(wheel_path())
    chance = random.Random(SEED)  # noqa: S311 - the same choice each time
    start, calls = bodies.read_profile([library, *wheels])
    cold = {function for function in sorted(calls) if chance.random() < COLD_SHARE}
    sources = bodies.write_bodies(
        ImageSources(library, (*wheels, ours)), wheels, (start | calls) - cold, folder
    )
    return write_start_image(sources, folder).memory


def copy_without_late_code(package: Path, copy: Path) -> list[str]:
    """Copy a package without what arrives late, except our own wheel.

    In the place of a table that arrives late are other bytes than in any table.

    Returns:
        The paths of what is missing or damaged, in its assets.
    """
    _copy(package, copy)
    _split_anew(copy, str(0xAA))
    assets = copy / "assets"
    archives = sorted([*assets.rglob(SHIPPED_LIBRARY), *assets.rglob("*.whl")])
    others = [file for file in archives if file.name != wheel_path().name]
    for file in others:
        # Not removed: under Node, Pyodide opens its archive at each start, and reads nothing of it.
        file.write_bytes(b"late")
    return [*remove_late_code(copy), *(file.relative_to(assets).as_posix() for file in others)]


def _split_anew(package: Path, *options: str) -> None:
    parts = package / "parts"
    parts.mkdir()
    write_split(parts, *options)
    start_file = package / "assets" / START_NAME
    start = json.loads(start_file.read_text("utf-8"))
    for module, role in zip(MODULES, ("interpreter", "sideModule"), strict=True):
        first = package / "assets" / start["image"][role]["path"]
        assert first.name == first_name(module)
        late = first.with_name(late_name(module))
        for file in (first, late):
            shutil.copyfile(parts / file.name, file)
        start["image"][role] = describe(first)
        for file in (first, late):
            path = f"{file.parent.name}/{file.name}"
            if path in start["files"]:
                start["files"][path] = integrity(file)
    start_file.write_text(json.dumps(start), "utf-8")


def remove_late_code(package: Path) -> list[str]:
    """Remove the late parts from a package, and return their paths in its assets."""
    assets = package / "assets"
    late = sorted(assets.rglob("*.late.wasm"))
    for file in late:
        file.unlink()
    return [file.relative_to(assets).as_posix() for file in late]


def _copy(package: Path, copy: Path) -> None:
    left_out = shutil.ignore_patterns("*.br", "*.gz", "types", "docs")
    shutil.copytree(package, copy, ignore=left_out, dirs_exist_ok=True)
