"""`docs/reference/api-surface.txt`: all that outsiders may name, so that a review sees a change.

The names of JavaScript come from the declarations that the npm package ships.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from build_steps.folders import ROOT
from build_steps.npm.npm_package import write_types
from build_steps.programs import find_program, output_of
from build_steps.site.javascript_reference import TYPEDOC, public_modules
from build_steps.surface.python_names import render_names
from build_steps.web.packages import install_locked
from build_steps.web.sources import SOURCES

FILE = ROOT / "docs" / "reference" / "api-surface.txt"

_SCRIPT = ROOT / "build_steps" / "surface" / "declarations.mjs"

_HEAD = """\
What programs may name, of the npm package and of the Python package.

Written by `python build.py types`; do not edit.
"""


def render_surface() -> str:
    """Return the text of the file."""
    with TemporaryDirectory() as folder:
        # Without links, so that the compiler calls the files as the script does.
        types = Path(folder).resolve()
        write_types(types)
        declared = _declarations(types)
    return f"{_HEAD}\n# The npm package\n\n{declared}\n# Python\n\n{render_names()}"


def _declarations(types: Path) -> str:
    # TypeScript 7 has no stable API, so this is the one that TypeDoc uses.
    install_locked("typedoc", TYPEDOC)
    compiler = TYPEDOC / "node_modules" / "typescript" / "lib" / "typescript.js"
    entries = {
        name: (types / source.relative_to(SOURCES)).with_suffix(".d.ts").as_posix()
        for name, source in public_modules().items()
    }
    command = [find_program("node"), os.fspath(_SCRIPT), compiler.as_uri(), json.dumps(entries)]
    return output_of(
        command, otherwise=f"{_SCRIPT.name} failed: see above for what it could not read."
    )
