"""The entries in a page, flat or nested, as `mount({ entries })` takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.javascript_json import parse_object, write_json
from treeglass.authoring.trees.tree_in_memory import (
    MAX_DEPTH,
    MAX_PATH_BYTES,
    TreeBuilder,
    well_formed,
)


def add_entries(entries_json: str, builder: TreeBuilder) -> None:
    """Add the entries in the order of the page; `DemoInvalid` names one of an unknown shape."""
    # Not recursion: the text may be nested as deeply as JSON can be.
    levels: list[tuple[str, int, Iterator[tuple[str, Any]]]] = [
        ("", 0, iter(parse_object(entries_json).items()))
    ]
    while levels:
        prefix, depth, entries = levels[-1]
        following = next(entries, None)
        if following is None:
            levels.pop()
            continue
        name, value = following
        children = _add(f"{prefix}{name}", depth, value, builder)
        if children is not None:
            levels.append((f"{prefix}{name}/", depth + 1, iter(children.items())))


def _add(path: str, depth: int, value: Any, builder: TreeBuilder) -> Mapping[str, Any] | None:
    """Add an entry; return the entries of a nested directory, None for any other entry."""
    if value is None:
        builder.add_directory(path, 0)
        return None
    if not isinstance(value, dict):
        _add_text(path, value, 0, builder)
        return None
    modified_ms = _modified_ms(path, value)
    directory, file = value.get("directory"), value.get("file")
    if isinstance(directory, dict):
        if depth > MAX_DEPTH or len(path) > MAX_PATH_BYTES:
            return None
        builder.add_directory(path, modified_ms)
        return directory
    if directory is True:
        builder.add_directory(path, modified_ms)
        return None
    link, content = (
        (file.get("symlink"), file.get("contents"))
        if isinstance(file, dict)
        else (value.get("symlink"), value.get("content"))
    )
    if isinstance(link, str):
        builder.add_symlink(path, link, modified_ms, stays_inside=False)
    else:
        _add_text(path, content, modified_ms, builder)
    return None


def _add_text(path: str, value: Any, modified_ms: float, builder: TreeBuilder) -> None:
    if not isinstance(value, str):
        _refuse(path)
    content = well_formed(value).encode()
    builder.add_file(path, len(content), modified_ms, lambda: content)


def _modified_ms(path: str, value: Mapping[str, Any]) -> float:
    modified_ms = value.get("modifiedMs", 0)
    is_number = isinstance(modified_ms, int | float) and not isinstance(modified_ms, bool)
    # `mtime` has to be a `Date`, which JSON cannot hold.
    if not is_number or ("mtime" in value and "modifiedMs" not in value):
        _refuse(path)
    return float(modified_ms)


def _refuse(path: str) -> NoReturn:
    raise DemoInvalid(
        f"entries[{write_json(path)}] has an unknown shape; in a page an entry is a string, null "
        "for a directory, { content, modifiedMs? }, { symlink, modifiedMs? }, { directory: true }, "
        "{ directory: { name: entry } }, { file: { contents } } or { file: { symlink } }"
    )
