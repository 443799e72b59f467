"""Bytecode in the place of Python sources: more than half of a start was compiling them.

Pyodide itself compiles, under Node: only so is the bytecode that of the
interpreter that will run it, whatever Python runs the build. Modules that nothing
can import are left out: half of the standard library, and half of pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import BUILD, NODE_MODULES, ROOT, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.programs import find_program, run
from build_steps.runtime.reachable_modules import (
    ENTRANCES,
    Module,
    imported_names,
    reachable_modules,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PYODIDE = NODE_MODULES / "pyodide"
"""The npm package of Pyodide: the interpreter that compiles, and that will run."""

SOURCES = ROOT / "src"
"""Where our modules lie, `treeglass` the topmost."""

_SCRIPT = ROOT / "build_steps" / "runtime" / "compile_bytecode.mjs"


def make_bytecode(step: str, archives: Sequence[Path]) -> list[Path]:
    """Return the archives compiled, each under its own name, in the order given.

    Where Pyodide itself takes 4 s to start, the standard library and the pinned
    wheels take 12 s and our wheel 5 s. So these are two steps, and an edit of
    ours costs the second alone, unless it imports something new.

    Args:
        step: The name of the step, and of the folder that the results lie in.
        archives: Zip archives, each with a name of its own.
    """
    compiled = BUILD / "bytecode" / step
    results = [compiled / archive.name for archive in archives]

    def make() -> None:
        staging = empty_staging_folder(step)
        compile_archives(archives, staging)
        put_in_place(staging, compiled)

    inputs = [*archives, *tree_files(PYODIDE), write_entrances()]
    remake_when_stale(step, inputs=inputs, outputs=results, make=make)
    return results


def write_entrances() -> Path:
    """Return a file that names, one a line, what is imported from outside of the archives."""
    names = [*ENTRANCES, *_imports_of_ours()]
    text = "".join(f"{name}\n" for name in names)
    file = BUILD / "bytecode" / "entrances.txt"
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return file


def _imports_of_ours() -> list[str]:
    # The archives of others are compiled without ours, and yet have to hold what ours needs.
    ours = {
        ".".join(path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts): (
            Module((SOURCES / path).read_bytes(), is_package=path.stem == "__init__")
        )
        for path in (file.relative_to(SOURCES) for file in tree_files(SOURCES / "treeglass"))
        if path.suffix == ".py"
    }
    reached = reachable_modules(ours, ENTRANCES)
    imported = {found for name in reached for found in imported_names(name, ours[name])}
    return sorted(name for name in imported if name.split(".")[0] != "treeglass")


def compile_archives(archives: Sequence[Path], folder: Path) -> None:
    """Compile what of archives can be imported into a folder, each under its own name.

    Raises:
        BuildFailed: Node.js is missing, or Pyodide could not do it and has said why.
    """
    run(
        [find_program("node"), _SCRIPT, PYODIDE, folder, write_entrances(), *archives],
        otherwise="Pyodide could not compile its own modules: remove web/node_modules and run "
        "again.",
    )
