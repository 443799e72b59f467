"""The store of `Read` for the tools that change: a file's time and size, by its path's texts.

A call that does not say which time and size it expects gets those that its agent has read.
Implements Write.md 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from treeglass.tools.envelope.envelope_building import milliseconds
from treeglass.utf8 import lossy_text

if TYPE_CHECKING:
    from treeglass.tool import ToolContext

MTIME: Final = "expected_mtime_ms"
"""The argument that locks a call to a time: whole milliseconds since 1970, rounded down."""

SIZE: Final = "expected_size_bytes"
"""The argument that locks a call to a size."""

_PATH = "path_resolved"


def seen_of_read(text: str, place: str, *, mtime_ms: int, size_bytes: int) -> dict[str, Any]:
    """Return what a read leaves: an entry under the text of the path, and under the place."""
    entry = _entry(place, mtime_ms, size_bytes)
    return {place: entry, text: entry}


def _entry(place: str, mtime_ms: int, size_bytes: int) -> dict[str, Any]:
    return {MTIME: mtime_ms, SIZE: size_bytes, _PATH: place}


def with_expected(context: ToolContext) -> ToolContext:
    r"""Return the context of a call with the expected time and size among its arguments.

    They come from the last read under the text of the path, or under the text with `/` for `\`
    and without a leading `./`. A key that the call has, with null too, stays as it is.
    """
    arguments, seen = context.arguments, context.seen
    if not isinstance(arguments, Mapping) or not seen:
        return context
    path = arguments.get("path")
    missing = [name for name in (MTIME, SIZE) if name not in arguments]
    if not missing or not isinstance(path, str) or not path:
        return context
    found = seen.get(path) or seen.get(path.replace("\\", "/").removeprefix("./"))
    if not found:
        return context
    return replace(context, arguments={**arguments, **{name: found[name] for name in missing}})


def was_read(where: str, context: ToolContext) -> bool:
    """Tell whether an earlier call has read the file at a place, whatever it is now."""
    return lossy_text(where) in (context.seen or {})


def seen_of_change(where: str, size_bytes: int, context: ToolContext) -> dict[str, Any]:
    """Return what a call leaves that changes a file; the place is relative to the project root.

    Every entry of a file that was read gets the file's new time and size, since the agent knows
    what it wrote; or none, if `[tools.edit] refresh_reads` is off. A file that was not read gets no
    entry.
    """
    if not context.config.tools.edit.refresh_reads:
        return {}
    place = lossy_text(where)
    entry = _entry(place, milliseconds(context.changed_ns), size_bytes)
    # A copy, since another thread's call may add to it.
    entries = list((context.seen or {}).items())
    return {text: entry for text, each in entries if each[_PATH] == place}
