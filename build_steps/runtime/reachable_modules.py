"""Which modules can ever be imported, by the import statements of those that can.

Runs on this machine and inside Pyodide, whose own modules only its own parser
understands; imports nothing but the standard library.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ENTRANCES = (
    # What the worker calls, what its wheel needs, and what starts an interpreter.
    "treeglass.*",
    "pydantic",
    "pydantic_core",
    "pyodide.*",
    "_pyodide.*",
    "importlib.*",
    # Found by name, as the argument of a `decode` may be anything.
    "encodings.*",
    # Pyodide's JavaScript asks for it.
    "functools",
    # The interpreter's C code imports these: for whole numbers of thousands of
    # digits, and for template strings that are unpickled.
    "_pylong",
    "string.templatelib",
    # `sysconfig` puts this name together; `zoneinfo` asks it, and pydantic that.
    "_sysconfigdata__emscripten_wasm32-emscripten",
)
"""Modules that are imported by something else than an import statement of a module.

A name that ends in `.*` stands for the module and every module below it.
"""

NEVER_ENTERED = {
    "treeglass.__main__": "the command line of treeglass",
    "treeglass.authoring": "what records answers and builds documentation",
    "treeglass.command": "the command line of treeglass",
    "treeglass.pack": "the command line of treeglass",
    "treeglass.rich_display": "what a notebook shows, and a worker has none",
    "treeglass.sphinx": "what builds documentation",
    "pydantic.v1": "looked for where a type has `__get_validators__`, and none of ours has",
    "_pyrepl": "a prompt, and nobody sits at one",
    "doctest": "run by modules that are started as programs",
    "pydoc": "`help()`, for one who sits at a prompt",
    "concurrent.futures.process": "a browser has no processes",
    "asyncio.windows_events": "imported on Windows alone",
    "_pydatetime": "Pyodide has `_datetime`, which it stands in for",
}
"""Modules that are imported by a statement that is never run here, and why it is not.

With each of them go the modules below it, and all that only they import.
"""


class Module(NamedTuple):
    """The source of a module, and whether modules may lie below it."""

    source: bytes
    is_package: bool


def reachable_modules(modules: Mapping[str, Module], entrances: Iterable[str]) -> set[str]:
    """Return the names of the modules that can ever be imported.

    Follows every import statement, in functions and under conditions too.
    `NEVER_ENTERED` is left out, and what is imported and not given is passed over.

    Args:
        modules: Every module there is, by its full name.
        entrances: Names in the manner of `ENTRANCES`.
    """
    given = {name: module for name, module in modules.items() if not _is_never_entered(name)}
    waiting = [name for entrance in entrances for name in _meant_by(entrance, given)]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached and name in given:
            reached.add(name)
            waiting += imported_names(name, given[name])
    return reached


def _is_never_entered(name: str) -> bool:
    return any(name == left_out or name.startswith(f"{left_out}.") for left_out in NEVER_ENTERED)


def _meant_by(entrance: str, modules: Mapping[str, Module]) -> Iterator[str]:
    name = entrance.removesuffix(".*")
    yield from _with_parents(name)
    if name != entrance:
        yield from (module for module in modules if module.startswith(f"{name}."))


def _with_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def imported_names(name: str, module: Module) -> set[str]:
    """Return every name that a module imports, which may be a module's or not.

    `from a import b` imports `a`, and perhaps `a.b`. A module that is not of
    this interpreter's language imports nothing.
    """
    package = name if module.is_package else name.rpartition(".")[0]
    try:
        tree = ast.parse(module.source)
    except SyntaxError:
        return set()
    imported = {found for node in ast.walk(tree) for found in _imported_by(node, package)}
    if any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
        # What such a package imports late, it names in a table of strings.
        imported |= {f"{package}.{text.removeprefix('.')}" for text in _texts(tree)}
    return {parent for found in imported for parent in _with_parents(found)}


def _imported_by(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")
        # One dot is the package itself, and each further one its parent.
        start = parents[: len(parents) + 1 - node.level] if node.level else []
        source = ".".join([*start, *([node.module] if node.module else [])])
        yield source
        yield from (f"{source}.{alias.name}" for alias in node.names)


def _texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
