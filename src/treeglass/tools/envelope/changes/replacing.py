"""Replace texts that occur once in a file, whatever its line ends are.

A file is searched with LF for CRLF, and gets the kind back that most of its lines had. Implements
Edit.md 3 and MultiEdit.md 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from treeglass.tools.envelope.errors import WordedError
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.tools.envelope.changes.arguments import Replacement

_NOT_FOUND = (
    "old_string not found in file. Please Read the file again and copy the exact text to "
    "replace. Check for whitespace, indentation, or line ending differences."
)
_NOT_UNIQUE = (
    "old_string matches {count} times in file. It must be unique. "
    "Include more surrounding context (2-5 lines) to make it unique."
)


class Source(NamedTuple):
    """A file's text with LF for CRLF, and which line ends it had."""

    text: str
    crlf_count: int
    lf_count: int
    """Line feeds alone."""

    @property
    def is_crlf(self) -> bool:
        """True if the file has CRLF line ends when it is written; a tie has LF."""
        return self.crlf_count > self.lf_count

    def warnings(self, where: str) -> tuple[str, ...]:
        """Return a sentence if the file, shown like this, has line ends of both kinds."""
        changed = min(self.crlf_count, self.lf_count)
        if not changed:
            return ()
        was, now = ("LF", "CRLF") if self.is_crlf else ("CRLF", "LF")
        ends = "line end" if changed == 1 else "line ends"
        return (f"'{where}' has mixed line ends; {changed:,} {ends} {was} become {now}.",)


def source_of(text: str) -> Source:
    """Return a file's text, ready to be searched."""
    crlf_count = text.count("\r\n")
    return Source(_with_lf(text), crlf_count, text.count("\n") - crlf_count)


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


class Place(NamedTuple):
    """The range of a replacement, in code points of the text with LF."""

    start: int
    end: int
    number: int
    """Of the replacement among those of the call, from 0."""
    new: str


def place_of(source: Source, replacement: Replacement, *, index: int | None = None) -> Place:
    """Return the one place of a replacement, whose line ends count as those of the file.

    A text that does not occur once is a `WordedError`, with the index of one among several.
    """
    old = _with_lf(replacement.old)
    count = source.text.count(old)
    if count != 1:
        sentence = _NOT_UNIQUE.format(count=count) if count else _NOT_FOUND
        if index is None:
            raise WordedError("INVALID_PARAM", sentence)
        message = f"Edit at index {index}: {sentence}"
        raise WordedError("INVALID_PARAM", message, failed_index=index)
    start = source.text.find(old)
    return Place(start, start + len(old), index or 0, _with_lf(replacement.new))


def in_order(places: Sequence[Place]) -> list[Place]:
    """Return places in the order of the file; `WordedError` has the index of one that overlaps."""
    ordered = sorted(places, key=lambda place: place.start)
    for first, second in pairwise(ordered):
        if first.end > second.start:
            message = (
                f"Edits at index {first.number} and {second.number} have overlapping regions. "
                "Please split the edits or reduce conflicts. "
                "Overlapping edits cannot be applied atomically."
            )
            raise WordedError("INVALID_PARAM", message, failed_index=second.number)
    return ordered


def replaced(source: Source, places: Sequence[Place], context: ToolContext) -> str:
    """Return the text with its line ends after all replacements, in order; its size is limited."""
    _require_size(source, places, context)
    parts: list[str] = []
    position = 0
    for place in places:
        parts += (source.text[position : place.start], place.new)
        position = place.end
    text = "".join([*parts, source.text[position:]])
    return text.replace("\n", "\r\n") if source.is_crlf else text


def _require_size(source: Source, places: Sequence[Place], context: ToolContext) -> None:
    """Work the length of the result out from lengths, before it takes memory."""
    text, limits = source.text, context.workspace.limits
    put_in = sum(byte_length(place.new) for place in places)
    limits.require("max_patch_bytes", put_in)
    size = byte_length(text) + put_in
    size -= sum(byte_length(text[place.start : place.end]) for place in places)
    if source.is_crlf:
        size += text.count("\n")
        for place in places:
            size += place.new.count("\n") - text.count("\n", place.start, place.end)
    limits.require("max_changed_file_bytes", size)
