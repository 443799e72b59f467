"""Bring the versions in `components.toml` up to date; names, licences and notices stay."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from build_steps.licenses.third_party import FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping

LIST = FOLDER / "components.toml"

_TABLE = "[[component]]\n"

_OF_ANOTHER = {"pydantic_core": "pydantic"}
"""A component whose sources are in the repository of another one, under that one's version."""


def with_versions(text: str, versions: Mapping[tuple[str, str], str]) -> str:
    """Return the list with other versions, in the tables and in the addresses of their sources.

    Args:
        text: The list.
        versions: By the part and the name of a component. What is not in the list is left out.
    """
    head, *tables = text.split(_TABLE)
    listed = {
        (it["part"], it["name"]): it["version"]
        for it in tomllib.loads(text)["component"]
        if "version" in it
    }
    changed = {key: (listed[key], new) for key, new in versions.items() if key in listed}
    # Most of what CPython and Emscripten contain has the address of a folder in their sources.
    trees = {
        f"/{repository}/tree/{prefix}{old}": f"/{repository}/tree/{prefix}{new}"
        for name, repository, prefix in (
            ("CPython", "python/cpython", "v"),
            ("Emscripten", "emscripten-core/emscripten", ""),
        )
        for old, new in [changed.get(("pyodide", name), ("", ""))]
    }
    return _TABLE.join([head, *(_changed(table, changed, trees) for table in tables)])


def _changed(
    table: str, changed: Mapping[tuple[str, str], tuple[str, str]], trees: Mapping[str, str]
) -> str:
    (it,) = tomllib.loads(_TABLE + table)["component"]
    part, name, version = it["part"], it["name"], it.get("version")
    # What has no version of its own has that of CPython.
    cpython = changed.get(("pyodide", "CPython"))
    pair = changed.get((part, name))
    if pair is None and part == "pyodide" and cpython is not None and version == cpython[0]:
        pair = cpython
    if pair is not None:
        table = table.replace(f'\nversion = "{pair[0]}"', f'\nversion = "{pair[1]}"')
    source = it["source"]
    found = next((tree for tree in trees if f"{tree}/" in f"{source}/"), None)
    old, new = changed.get((part, _OF_ANOTHER.get(name, name)), ("", ""))
    if found is not None:
        address = source.replace(found, trees[found])
    else:
        address = re.sub(rf"(?<=[/v@-]){re.escape(old)}(?=/|$)", new, source) if old else source
    return table.replace(f'source = "{source}"', f'source = "{address}"')
