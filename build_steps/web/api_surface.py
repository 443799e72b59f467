"""`docs/reference/api-surface.txt`: all that outsiders may name, so that a review sees a change.

The names of JavaScript come from the declarations that the npm package ships.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from build_steps.folders import ROOT, WEB_SOURCES
from build_steps.npm.npm_package import write_types
from build_steps.programs import find_program, output_of
from build_steps.site.javascript_reference import TYPEDOC, public_modules
from build_steps.web.packages import install_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILE = ROOT / "docs" / "reference" / "api-surface.txt"

_SCRIPT = ROOT / "build_steps" / "web" / "declarations.mjs"

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
        name: (types / source.relative_to(WEB_SOURCES)).with_suffix(".d.ts").as_posix()
        for name, source in public_modules().items()
    }
    command = [find_program("node"), os.fspath(_SCRIPT), compiler.as_uri(), json.dumps(entries)]
    return output_of(
        command, otherwise=f"{_SCRIPT.name} failed: see above for what it could not read."
    )


_MODULES: dict[str, tuple[str, ...]] = {
    "treeglass": (),
    "treeglass.errors": (),
    "treeglass.config": (),
    "treeglass.config_tables": (),
    "treeglass.workspace": (),
    "treeglass.workspace.mounted": (),
    "treeglass.workspace.overlay.overlay": ("Overlay",),
    "treeglass.workspace.overlay.reviewing": ("ReviewedProposals",),
    "treeglass.workspace.overlay.reviewed": (),
    "treeglass.authoring": (),
}
"""The modules that programs import names from, as `docs/reference/python.md` describes them; of
each the names that are public, where neither `__all__` nor an underscore says so."""


def render_names() -> str:
    """Return a section for each module; what two modules export is shown once."""
    shown: dict[int, str] = {}
    lines: list[str] = []
    for module in _MODULES:
        exported = _exported(module)
        lines += [f"## {module}", ""]
        again = [f"{name} of {shown[id(value)]}" for name, value in exported if id(value) in shown]
        if again:
            lines += [f"Again: {', '.join(again)}", ""]
        for name, value in exported:
            if id(value) not in shown:
                shown[id(value)] = module
                lines += [*_declaration(name, value), ""]
    return "\n".join(lines)


def _exported(name: str) -> list[tuple[str, Any]]:
    module = import_module(name)
    defined = [
        key
        for key, value in vars(module).items()
        if not key.startswith("_") and getattr(value, "__module__", None) == name
    ]
    names: Iterable[str] = _MODULES[name] or getattr(module, "__all__", defined)
    return [(key, getattr(module, key)) for key in sorted(names)]


def _declaration(name: str, value: Any) -> Iterator[str]:
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        # A number, a text or the name of a type, which has no source of its own.
        yield name if isinstance(value, str) else f"{name} = {value}"
        return
    (node,) = ast.parse(inspect.getsource(value)).body
    if isinstance(node, ast.ClassDef):
        yield from _decorators(node)
        bases = ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
        yield f"class {node.name}({bases})" if bases else f"class {node.name}"
        for member in node.body:
            yield from (f"    {line}" for line in _member(member))
    elif isinstance(node, ast.FunctionDef):
        yield from _member(node)


def _member(node: ast.stmt) -> Iterator[str]:
    """Yield a field, or a method without its body; nothing for what is private."""
    if isinstance(node, ast.AnnAssign):
        if isinstance(node.target, ast.Name) and not node.target.id.startswith("_"):
            yield ast.unparse(node)
    elif isinstance(node, ast.FunctionDef):
        is_special = node.name in {"__init__", "__call__", "__enter__", "__exit__"}
        if is_special or not node.name.startswith("_"):
            yield from _decorators(node)
            result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            yield f"def {node.name}({ast.unparse(node.args)}){result}"


def _decorators(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    return (f"@{ast.unparse(decorator)}" for decorator in node.decorator_list)
