"""What Python programs may name: functions and classes, with signatures, fields and methods."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MODULES: dict[str, tuple[str, ...]] = {
    "treeglass": (),
    "treeglass.errors": (),
    "treeglass.config": (),
    "treeglass.workspace": (),
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
