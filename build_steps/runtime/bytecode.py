"""Replace Python sources by bytecode: compiling them took more than half of a start.

Pyodide compiles them, under Node, since bytecode is good for one interpreter only. Modules that
no import statement reaches are left out: half of the standard library, and half of pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import BUILD, NODE_MODULES, ROOT, tree_files
from build_steps.freshness import input_file, remake_folder
from build_steps.programs import find_program, run
from build_steps.runtime.inside_pyodide.reachable_modules import (
    ENTRANCES,
    Module,
    imported_names,
    reachable_modules,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PYODIDE = NODE_MODULES / "pyodide"
"""The npm package of Pyodide, which compiles the modules and will run them."""

SOURCES = ROOT / "src"
"""The folder of our package `treeglass`."""

INSIDE = ROOT / "build_steps" / "runtime" / "inside_pyodide"
"""The folder of the code that runs inside Pyodide."""

_SCRIPT = INSIDE / "rewrite_archives.mjs"


def make_bytecode(archives: Sequence[Path]) -> list[Path]:
    """Return the compiled archives, each under its own name, in the order given.

    On a machine where Pyodide takes 4 s to start, the standard library and the pinned wheels
    take 12 s, and our wheel takes 5 s. So `make_our_bytecode` is another step, and an edit in
    `src/` costs that one only, unless it imports something new.
    """
    return _make("bytecode", archives, "compile_archives")


def make_our_bytecode(wheel: Path) -> Path:
    """Return our compiled wheel without docstrings.

    Nothing in a page reads them, and they would be in the start-up image.
    """
    (compiled,) = _make("our bytecode", [wheel], "compile_without_docstrings")
    return compiled


def _make(step: str, archives: Sequence[Path], function: str) -> list[Path]:
    compiled = BUILD / "bytecode" / step
    remake_folder(
        step,
        compiled,
        inputs=[*archives, *tree_files(PYODIDE), write_entrances()],
        write=lambda staging: compile_archives(archives, staging, function),
    )
    return [compiled / archive.name for archive in archives]


def write_entrances() -> Path:
    """Return a file that names, one on a line, the modules that are imported from outside."""
    names = [*ENTRANCES, *_imports_of_ours()]
    return input_file("entrances.txt", "".join(f"{name}\n" for name in names))


def _imports_of_ours() -> list[str]:
    # The other archives are compiled without our wheel, but must keep the modules that it needs.
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


def compile_archives(
    archives: Sequence[Path], folder: Path, function: str = "compile_archives"
) -> None:
    """Compile the modules of archives that can be imported, by a function of `archive_bytecode`."""
    rewrite_archives(
        f"build_steps.runtime.inside_pyodide.archive_bytecode:{function}",
        write_entrances(),
        archives,
        folder,
    )


def rewrite_archives(rewrite: str, lines: Path, archives: Sequence[Path], folder: Path) -> None:
    """Write archives anew into a folder, by a function that runs in Pyodide.

    The function is `module:name`, and gets the lines of a text file.
    """
    run(
        [find_program("node"), _SCRIPT, PYODIDE, folder, rewrite, lines, *archives],
        otherwise="Pyodide could not compile its own modules: remove web/node_modules and run "
        "again.",
    )
