"""The text of a file after the chunks of an update: apply_patch.md 4 to 6."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from treeglass.errors import LimitExceeded
from treeglass.tools.codex.changes.patch_text import Chunk, ChunkLine
from treeglass.tools.codex.errors import RespondToModel
from treeglass.utf8 import WHITE_SPACE, byte_length

if TYPE_CHECKING:
    from treeglass.workspace.limits import Limits

STEP_LINES: Final = 10_000
"""Lines between two looks at the time."""

_NOT_IN_PATCH: Final = "\0"

_PLAIN: Final = {
    **dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-"),
    **dict.fromkeys(range(0x2018, 0x201C), "'"),
    **dict.fromkeys(range(0x201C, 0x2020), '"'),
    **dict.fromkeys([0xA0, *range(0x2002, 0x200B), 0x202F, 0x205F, 0x3000], " "),
}
"""Typographic marks and blanks, by code point, as they count in the last pass."""


def _in_plain_marks(line: str) -> str:
    stripped = line.strip(WHITE_SPACE)
    return stripped if stripped.isascii() else stripped.translate(_PLAIN)


_PASSES: Final[tuple[Callable[[str], str], ...]] = (
    lambda line: line.rstrip("\r\n"),
    lambda line: line.rstrip(WHITE_SPACE),
    lambda line: line.strip(WHITE_SPACE),
    _in_plain_marks,
)
"""The part of a line that is compared, pass by pass."""


class LineSearch:
    """The lines of one file, with their ends, for the runs of one patch.

    Each pass gives every line of the patch that the file has, too, a character, and looks for a run
    of lines as a text of these characters: the first place is the same as by comparing lines, in
    linear time.
    """

    def __init__(
        self, lines: Sequence[str], sought: Iterable[str], checkpoint: Callable[[], None]
    ) -> None:
        self._lines = lines
        self._sought = [*dict.fromkeys(sought)]
        self._checkpoint = checkpoint
        self._spelled: list[tuple[str, dict[str, str]]] = []

    def find(self, run: Sequence[str], start: int, *, is_at_end: bool = False) -> int | None:
        """Return the first place of the first pass in which a run fits, or None.

        The lines of a run have no ends; an empty one fits at the start. It may have to be at the
        end.
        """
        if not run:
            return start
        last = len(self._lines) - len(run)
        first = max(start, last) if is_at_end else start
        if first > last:
            return None
        for number, reduce in enumerate(_PASSES):
            self._checkpoint()
            text, characters = self._pass(number)
            spelled = [characters.get(reduce(line)) for line in run]
            if None not in spelled:
                place = text.find("".join(filter(None, spelled)), first)
                if place >= 0:
                    return place
        return None

    def _pass(self, number: int) -> tuple[str, dict[str, str]]:
        """Return the file as a text of one character a line, and the character of each line."""
        if number == len(self._spelled):
            reduce = _PASSES[number]
            in_patch = {reduce(line) for line in self._sought}
            characters: dict[str, str] = {}
            parts = []
            for begin in range(0, len(self._lines), STEP_LINES):
                self._checkpoint()
                reduced = [*map(reduce, self._lines[begin : begin + STEP_LINES])]
                for line in in_patch.intersection(reduced):
                    if line not in characters:
                        if len(characters) == sys.maxunicode:
                            raise LimitExceeded("the distinct lines of one patch", sys.maxunicode)
                        characters[line] = chr(1 + len(characters))
                parts += [characters.get(line, _NOT_IN_PATCH) for line in reduced]
            self._spelled.append(("".join(parts), characters))
        return self._spelled[number]


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
