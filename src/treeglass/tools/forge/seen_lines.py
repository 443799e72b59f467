"""The lines that an agent has seen: one range of each file, and hashes that tell a change.

`Read` notes what it shows, and `Edit` and `Write` what they leave. Specified in
docs/tools/forge_edit.md. Nothing is kept of a file but two numbers and two hashes.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from treeglass.workspace.lines import skip_lines

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.tool import ToolContext
    from treeglass.workspace import ResolvedPath

NOT_SEEN = "File was not read before editing, or has been modified since last read"


class SeenLines(NamedTuple):
    """A range of lines that was seen, and what it was."""

    first: int
    """Number of the first, from 1."""
    last: int
    """Number of the last; one less than `first` if no line was seen."""
    above: str
    """Hash over the lines above, without their ends."""
    within: str
    """Hash over the lines of the range."""


def seen_of(seen: Mapping[str, Any], path: ResolvedPath) -> SeenLines | None:
    """Return what earlier calls left about a file."""
    kept = seen.get(path.virtual)
    return None if kept is None else SeenLines(*kept)


def kept_as(path: ResolvedPath, lines: SeenLines | None) -> dict[str, Any]:
    """Return what a call leaves about a file for later ones; nothing without lines."""
    return {} if lines is None else {path.virtual: list(lines)}


def lines_in(
    content: bytes | BinaryIO, first: int, last: int, checkpoint: Checkpoint
) -> SeenLines | None:
    """Return a range of a file's lines as seen; it counts from 1, and may reach behind the end.

    None if a line of the range or above it is not UTF-8: no hash can be made of it.
    """
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    skip_lines(file, first - 1, checkpoint)
    above_bytes = file.tell()
    skip_lines(file, last - first + 1, checkpoint)
    all_bytes = file.tell()
    file.seek(0)
    above, within = file.read(above_bytes), file.read(all_bytes - above_bytes)
    try:
        above.decode()
        within.decode()
    except UnicodeDecodeError:
        return None
    return SeenLines(first, last, _hash_of(above), _hash_of(within))


def _hash_of(lines: bytes) -> str:
    """Return a hash over lines, in which LF and CRLF are alike and a last line has an end."""
    plain = lines.replace(b"\r\n", b"\n")
    end = b"" if plain.endswith(b"\n") or not plain else b"\n"
    return hashlib.sha256(plain + end).hexdigest()


def lines_seen_as_well(
    context: ToolContext, path: ResolvedPath, first: int, last: int
) -> SeenLines | None:
    """Return what a further read leaves: one range that holds what was seen before, too.

    What lies between both counts as seen. Where no hash can be made of it, the further read counts
    alone.
    """
    before = seen_of(context.seen or {}, path)
    ranges = [(first, last)]
    if before is not None:
        ranges.insert(0, (min(first, before.first), max(last, before.last)))
    for start, end in ranges:
        with context.workspace.open(path) as file:
            found = lines_in(file, start, end, context.checkpoint)
        if found is not None:
            return found
    return None


def fault_of(
    seen: SeenLines, content: bytes, touched: int | None, checkpoint: Checkpoint
) -> str | None:
    """Return why a file may not be edited after what was seen of it, or None if it may.

    Without a touched line, the first one that was seen counts as edited.
    """
    line = seen.first if touched is None else touched
    if not seen.first <= line <= seen.last:
        return f"Edit targets line {line} but only lines {seen.first}-{seen.last} were read"
    now = lines_in(content, seen.first, seen.last, checkpoint)
    if now is None or now.above != seen.above:
        return f"Content above line {seen.first} changed since last read (lines may have shifted)"
    return None if now.within == seen.within else "File content changed since last read"
