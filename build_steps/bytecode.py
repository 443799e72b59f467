"""Bytecode in the place of Python sources: more than half of a start was compiling them.

Pyodide itself compiles, under Node: only so is the bytecode that of the
interpreter that will run it, whatever Python runs the build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import BUILD, NODE_MODULES, ROOT, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.programs import find_program, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PYODIDE = NODE_MODULES / "pyodide"
"""The npm package of Pyodide: the interpreter that compiles, and that will run."""

_SCRIPT = ROOT / "build_steps" / "compile_bytecode.mjs"


def make_bytecode(step: str, archives: Sequence[Path]) -> list[Path]:
    """Return the archives compiled, each under its own name, in the order given.

    Where Pyodide itself takes 4 s to start, the standard library and the pinned
    wheels take 12 s and our wheel 5 s. So these are two steps, and an edit of
    ours costs the second alone.

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

    remake_when_stale(step, inputs=[*archives, *tree_files(PYODIDE)], outputs=results, make=make)
    return results


def compile_archives(archives: Sequence[Path], folder: Path) -> None:
    """Compile archives into a folder, each under its own name.

    Raises:
        BuildFailed: Node.js is missing, or Pyodide could not do it and has said why.
    """
    run(
        [find_program("node"), _SCRIPT, PYODIDE, folder, *archives],
        otherwise="Pyodide could not compile its own modules: remove web/node_modules and run "
        "again.",
    )
