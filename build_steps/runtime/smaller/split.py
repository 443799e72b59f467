"""The steps `split` and `tables`: what no recorded run has needed arrives after the first answer.

`profile.json` lists the functions that ran, for each of two modules; `python build.py profile`
makes it anew. It belongs to the modules as they are published, whose functions the step `trim`
leaves in their places.

`tables.json` lists tables of the interpreter that only such functions read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, ROOT, tree_files
from build_steps.freshness import choice_file, remake_folder, sha256_of
from build_steps.programs import find_program, run
from build_steps.runtime.bytecode import PYODIDE
from build_steps.runtime.smaller.trimmed import (
    CODE,
    ENGINE_FOLDER,
    SIDE_MODULE,
    SIDE_MODULE_FILE,
    TRIMMED,
)
from build_steps.web.scripts import start_image_program

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PROFILE = ROOT / "build_steps" / "runtime" / "smaller" / "profile.json"

MODULES = (CODE, SIDE_MODULE)
"""What is split, in the order in which a start instantiates them."""

_PROGRAM = "code/split"
_TABLES = ROOT / "build_steps" / "runtime" / "smaller" / "tables.json"


def first_name(module: str) -> str:
    """Return the name of a module's first part; this and `late_name` are known to the worker."""
    return module.replace(".wasm", ".first.wasm")


def late_name(module: str) -> str:
    """Return the name of a module's late part."""
    return module.replace(".wasm", ".late.wasm")


PART_ENDINGS = (".first.wasm", ".late.wasm")


def make_split(*, tables: bool) -> list[list[Path]]:
    """Return the two parts of each module of `MODULES`, the first one first, in `build/split/`.

    `docs/smaller-start.md` explains them.
    """
    made = BUILD / "split"
    remake_folder(
        "split",
        made,
        inputs=[
            *(start_image_program(_PROGRAM), choice_file("tables", is_taken=tables)),
            *tree_files(ENGINE_FOLDER),
        ],
        write=lambda staging: write_split(staging, tables=tables),
    )
    return [[made / first_name(name), made / late_name(name)] for name in MODULES]


def write_split(folder: Path, *for_tests: str, tables: bool = True) -> None:
    """Write the parts of both modules into a folder.

    Args:
        folder: It exists.
        for_tests: Options of `split.ts` after the file of the tables.
        tables: True if tables become late, where they are found and only late functions name
            them.
    """
    program = start_image_program(_PROGRAM)
    published = {CODE: PYODIDE / CODE, SIDE_MODULE: SIDE_MODULE_FILE}
    tables_of = {CODE: _TABLES if tables else ""}
    for name, module in {CODE: TRIMMED / CODE, SIDE_MODULE: SIDE_MODULE_FILE}.items():
        noted = _ranges_of(name, published[name])
        if not noted:
            raise BuildFailed(
                f"The profile of {name} is that of another build of it: "
                "run `python build.py profile`, and commit profile.json."
            )
        ranges = folder / "ranges.txt"
        ranges.write_text("\n".join(noted), encoding="utf-8")
        run(
            [
                *(find_program("node"), program, module, ranges, late_name(name), folder),
                *(tables_of.get(name, ""), *for_tests),
            ],
            otherwise=f"{name} could not be split: correct what is said above, "
            "or build with `--without split`.",
        )
        ranges.unlink()
        (folder / "first.wasm").rename(folder / first_name(name))


def write_profile(modules: Mapping[str, tuple[Path, set[int]]]) -> None:
    """Write the profile: for each module its published file, and the functions that ran."""
    profile = {
        name: {"sha256": sha256_of(file), "functions": _as_ranges(functions)}
        for name, (file, functions) in modules.items()
    }
    text = json.dumps(profile, indent=1) + "\n"
    PROFILE.write_text(text, encoding="utf-8", newline="\n")


def read_profile(name: str, published: Path) -> set[int]:
    """Return the functions of a module that ran; none if the profile is of another build."""
    return {
        number
        for line in _ranges_of(name, published)
        for first, _, last in (part.partition("-") for part in line.split())
        for number in range(int(first), int(last or first) + 1)
    }


def _ranges_of(name: str, published: Path) -> list[str]:
    about = json.loads(PROFILE.read_text(encoding="utf-8"))[name]
    ranges: list[str] = about["functions"]
    return ranges if about["sha256"] == sha256_of(published) else []


_RANGES_IN_A_LINE = 16


def _as_ranges(numbers: set[int]) -> list[str]:
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    texts = [str(first) if first == last else f"{first}-{last}" for first, last in ranges]
    return [
        " ".join(texts[start : start + _RANGES_IN_A_LINE])
        for start in range(0, len(texts), _RANGES_IN_A_LINE)
    ]
