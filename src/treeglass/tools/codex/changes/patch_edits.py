"""The text of a file after the chunks of an update: apply_patch.md 4 to 6."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from treeglass.tools.codex.changes.patch_search import LineSearch
from treeglass.tools.codex.changes.patch_text import Chunk, ChunkLine
from treeglass.tools.codex.errors import RespondToModel
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.workspace.limits import Limits


class ChunkNotFound(RespondToModel):
    """A file does not have the lines of a chunk; the text says which (apply_patch.md 4)."""


class _Edit(NamedTuple):
    """Lines that go, and lines that come in their place."""

    place: int
    """The first line that goes, counted from 0 in the old file."""
    removed: int
    added: list[str]


def updated(
    text: str, chunks: Sequence[Chunk], path: str, limits: Limits, checkpoint: Callable[[], None]
) -> bytes:
    """Return the new content of a file, in which every line has an end.

    Lines that stay keep their ends; new ones get the end of the first line, or a line feed.
    A file that does not have the lines of a chunk is `ChunkNotFound`, which says the path.
    """
    # CR, LF and CRLF end a line, and nothing else does.
    lines = io.StringIO(text, newline="").readlines()
    end = lines[0][len(lines[0].rstrip("\r\n")) :] if lines else ""
    end = end or "\n"
    size = byte_length(text)
    if lines and not lines[-1].endswith(("\r", "\n")):
        lines[-1] += end
        size += len(end)
    edits = _edits(lines, chunks, path, checkpoint)
    for edit in edits:
        checkpoint()
        size -= sum(map(byte_length, lines[edit.place : edit.place + edit.removed]))
        size += sum(byte_length(line) + len(end) for line in edit.added)
    limits.require("max_changed_file_bytes", size)
    return "".join(_parts(lines, edits, end)).encode()


def _parts(lines: list[str], edits: list[_Edit], end: str) -> Iterator[str]:
    kept = 0
    for edit in edits:
        yield from lines[kept : edit.place]
        for line in edit.added:
            yield line
            yield end
        kept = edit.place + edit.removed
    yield from lines[kept:]


def _edits(
    lines: list[str], chunks: Sequence[Chunk], path: str, checkpoint: Callable[[], None]
) -> list[_Edit]:
    """Return what changes, sorted by place; at one place, in the order of the chunks."""
    contexts = [chunk.context for chunk in chunks if chunk.context is not None]
    sought = [*contexts, *(line for chunk in chunks for line in chunk.old)]
    search = LineSearch(lines, sought, checkpoint)
    edits: list[_Edit] = []
    cursor = 0
    for chunk in chunks:
        checkpoint()
        if chunk.context is not None:
            found = search.find([chunk.context], cursor)
            if found is None:
                raise ChunkNotFound(f"Failed to find context '{chunk.context}' in {path}")
            cursor = found + 1
        old = chunk.old
        if not old:
            edits.append(_Edit(len(lines), 0, [line.text for line in chunk.lines]))
            continue
        place, chunk_lines = search.find(old, cursor, is_at_end=chunk.is_at_end), chunk.lines
        if place is None and not old[-1]:
            del old[-1]
            place = search.find(old, cursor, is_at_end=chunk.is_at_end)
            chunk_lines = _without_last_line(chunk_lines)
        if place is None:
            expected = "\n".join(chunk.old)
            raise ChunkNotFound(f"Failed to find expected lines in {path}:\n{expected}")
        cursor = place + len(old)
        edits += _edits_between(chunk_lines, place)
    return sorted(edits, key=attrgetter("place"))


def _without_last_line(lines: list[ChunkLine]) -> list[ChunkLine]:
    """Return the lines of a chunk without an empty last old line (apply_patch.md 4, 3; 5).

    If it was to stay, it is a new line now. The last new line goes, too, if it is empty: if it was
    to stay, nothing of the new text stands for the line that was found, which goes.
    """
    found = [*lines]
    index = max(number for number, line in enumerate(found) if line.sign != "+")
    found[index : index + 1] = [ChunkLine("+", "")] if found[index].sign == " " else []
    new = [number for number, line in enumerate(found) if line.sign != "-"]
    if new and not found[new[-1]].text:
        last = new[-1]
        found[last : last + 1] = [ChunkLine("-", "")] if found[last].sign == " " else []
    return found


def _edits_between(lines: list[ChunkLine], place: int) -> Iterator[_Edit]:
    """Yield what changes between the lines that stay."""
    removed, added = 0, list[str]()
    for sign, text in lines:
        if sign == "-":
            removed += 1
        elif sign == "+":
            added.append(text)
        else:
            if removed or added:
                yield _Edit(place, removed, added)
            place += removed + 1
            removed, added = 0, []
    if removed or added:
        yield _Edit(place, removed, added)
