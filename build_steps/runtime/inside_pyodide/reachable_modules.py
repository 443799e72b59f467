"""Find the modules that can be imported, by following import statements.

Runs on this machine and inside Pyodide, whose modules only its own parser understands. Imports
the standard library alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ENTRANCES = (
    # The worker calls them, its wheel needs them, or they start an interpreter.
    "treeglass.*",
    "pydantic",
    "pydantic_core",
    "pyodide.*",
    "_pyodide.*",
    "importlib.*",
    # Imported by name: the argument of a `decode` may be any of them.
    "encodings.*",
    # Pyodide's JavaScript imports it.
    "functools",
    # The interpreter's C code imports these: for integers of thousands of digits, and to unpickle
    # template strings.
    "_pylong",
    "string.templatelib",
    # `sysconfig` puts this name together; `zoneinfo` imports `sysconfig`, and pydantic `zoneinfo`.
    "_sysconfigdata__emscripten_wasm32-emscripten",
)
"""Modules that are imported in another way than by an import statement of a module.

A name that ends in `.*` stands for the module and every module below it.
"""

NEVER_ENTERED = {
    "treeglass.__main__": "the command line of treeglass",
    "treeglass.authoring": "what records answers and builds documentation",
    "treeglass.command": "the command line of treeglass",
    "treeglass.pack": "the command line of treeglass",
    "treeglass.rich_display": "shown by notebooks, which a worker never is",
    "treeglass.sphinx": "what builds documentation",
    "pydantic.v1": "imported for a type with `__get_validators__`, which no type of ours has",
    "_pyrepl": "the interactive prompt",
    "doctest": "run by modules that are started as programs",
    "pydoc": "`help()` of the interactive prompt",
    "concurrent.futures.process": "a browser has no processes",
    "asyncio.windows_events": "imported on Windows alone",
    "_pydatetime": "replaces `_datetime`, which Pyodide has",
}
"""Modules whose import statement never runs in a page, each with the reason.

The modules below them are left out too, and the modules that only they import.
"""


class Module(NamedTuple):
    """A module's source, and whether it is a package."""

    source: bytes
    is_package: bool


def reachable_modules(modules: Mapping[str, Module], entrances: Iterable[str]) -> set[str]:
    """Return the names of the modules that can be imported from entrances such as `ENTRANCES`.

    Follows every import statement, also in functions and under conditions. Leaves out
    `NEVER_ENTERED`, and ignores imported modules that are not among `modules`.
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
    """Return every name that a module imports, some of which may be no modules.

    `from a import b` imports `a`, and perhaps `a.b`. A module that this interpreter cannot parse
    imports nothing.
    """
    package = name if module.is_package else name.rpartition(".")[0]
    try:
        tree = ast.parse(module.source)
    except SyntaxError:
        return set()
    imported = {found for node in ast.walk(tree) for found in _imported_by(node, package)}
    if any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
        # Such a package names the modules that it imports late in a table of strings.
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
