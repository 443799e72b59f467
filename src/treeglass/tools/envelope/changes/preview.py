"""The preview of a change as the published tools show it to a model: Write.md 6 and Edit.md 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.tool import ToolContext

MAX_PIECES: Final = 100
"""Most pieces of a preview: two names, heads of hunks, and lines."""

MAX_BYTES: Final = 10_240
"""Most UTF-8 bytes of all pieces, the line feeds between them not counted."""

_LINE_ENDS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""The line ends of `str.splitlines`, and so of a preview; CRLF ends one line."""


class Preview(NamedTuple):
    """The pieces that are shown, and what was counted up to the end or the cut."""

    pieces: tuple[str, ...]
    is_cut: bool
    """True if pieces follow that are not shown."""
    lines_added: int
    lines_removed: int

    def text(self, count: int) -> str:
        """Return the first pieces, given how many; the text says if others follow."""
        shown = "\n".join(self.pieces[:count])
        return f"{shown}\n... (truncated)" if self.is_cut_at(count) else shown

    def is_cut_at(self, count: int) -> bool:
        """Tell whether a text of so many pieces leaves some out."""
        return self.is_cut or count < len(self.pieces)


def count_lines(text: str) -> int:
    """Return how many lines `str.splitlines` makes of a text, in little memory."""
    ends = sum(map(text.count, _LINE_ENDS)) - text.count("\r\n")
    return ends + bool(text and text[-1] not in _LINE_ENDS)


def preview_change(
    old: str, new: str, name: str, context: ToolContext, *, keeps_indentation: bool = True
) -> Preview:
    """Return the preview of a text that becomes another; its first two pieces have the file's name.

    White space at the beginning of added and removed lines may be left out.
    """
    if old == new:
        return Preview((), is_cut=False, lines_added=0, lines_removed=0)
    for text in (old, new):
        context.workspace.limits.require("max_held_lines", count_lines(text))
    pieces = unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), name, context.checkpoint
    )
    return _taken(pieces, keeps_indentation=keeps_indentation)


def _taken(pieces: Iterator[str], *, keeps_indentation: bool) -> Preview:
    taken: list[str] = []
    size = added = removed = 0
    for whole in pieces:
        sign, piece = whole[0], whole
        if sign in "+-":
            # A line that begins with two more signs is not counted, as the names are not.
            is_counted = not whole.startswith(3 * sign)
            added += sign == "+" and is_counted
            removed += sign == "-" and is_counted
            if not keeps_indentation:
                piece = sign + whole[1:].lstrip()
        size += byte_length(piece)
        if len(taken) >= MAX_PIECES or size > MAX_BYTES:
            return Preview(tuple(taken), is_cut=True, lines_added=added, lines_removed=removed)
        taken.append(piece)
    return Preview(tuple(taken), is_cut=False, lines_added=added, lines_removed=removed)


_CONTEXT_LINES: Final = 3
"""Lines around what differs."""

_LINES_PER_LOOK: Final = 64
"""The number of lines compared between two looks at the clock. Each may be compared with the
hundredth part of the other text's lines, and with no more."""


class _Span(NamedTuple):
    """Lines of the old text, and the lines of the new one that are the same or replace them."""

    is_equal: bool
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    def last(self, lines: int) -> _Span:
        """Return the end of a span of equal lines."""
        old_start = max(self.old_start, self.old_end - lines)
        new_start = max(self.new_start, self.new_end - lines)
        return self._replace(old_start=old_start, new_start=new_start)

    def first(self, lines: int) -> _Span:
        """Return the beginning of a span of equal lines."""
        old_end = min(self.old_end, self.old_start + lines)
        new_end = min(self.new_end, self.new_start + lines)
        return self._replace(old_end=old_end, new_end=new_end)


def unified_diff(
    old: Sequence[str], new: Sequence[str], name: str, checkpoint: Callable[[], None]
) -> Iterator[str]:
    """Yield the two names, and for each hunk its head and its lines, which have their ends.

    They are those of `difflib.unified_diff`, which compares the whole of two texts before it has
    the first one. Here the first hunks come long before all places are found. In the worst case a
    hunk takes the product of the numbers of lines.
    """
    watched = _WatchedLines(old, checkpoint), _WatchedLines(new, checkpoint)
    is_first = True
    for hunk in _hunks(_spans(watched[0], watched[1])):
        if is_first:
            yield f"--- a/{name}\n"
            yield f"+++ b/{name}\n"
        is_first = False
        first, last = hunk[0], hunk[-1]
        old_range = _range(first.old_start, last.old_end)
        new_range = _range(first.new_start, last.new_end)
        yield f"@@ -{old_range} +{new_range} @@\n"
        for span in hunk:
            before = old[span.old_start : span.old_end]
            yield from ((" " if span.is_equal else "-") + line for line in before)
            if not span.is_equal:
                yield from ("+" + line for line in new[span.new_start : span.new_end])


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return f"{start + 1}"
    # An empty range is behind the line that it names.
    return f"{start + 1 if length else start},{length}"


def _hunks(spans: Iterator[_Span]) -> Iterator[list[_Span]]:
    """Yield groups of spans with few equal lines between them."""
    hunk: list[_Span] = []
    held: _Span | None = None
    for span in spans:
        if held is not None:
            if not hunk:
                hunk = [held.last(_CONTEXT_LINES)]
            elif held.old_end - held.old_start > 2 * _CONTEXT_LINES:
                yield [*hunk, held.first(_CONTEXT_LINES)]
                hunk = [held.last(_CONTEXT_LINES)]
            else:
                hunk.append(held)
            held = None
        if span.is_equal:
            held = span
        else:
            hunk.append(span)
    if hunk:
        yield hunk if held is None else [*hunk, held.first(_CONTEXT_LINES)]


def _spans(old: _WatchedLines, new: _WatchedLines) -> Iterator[_Span]:
    """Yield what is equal and what is not, by turns, from the beginning."""
    held = _Span(True, 0, 0, 0, 0)  # noqa: FBT003  # a tuple's member
    for old_start, new_start, size in chain(_runs(old, new), [(len(old), len(new), 0)]):
        old_end, new_end = old_start + size, new_start + size
        if (held.old_end, held.new_end) == (old_start, new_start):
            # Runs that touch are one.
            held = held._replace(old_end=old_end, new_end=new_end)
            continue
        if held.old_end > held.old_start:
            yield held
        yield _Span(False, held.old_end, old_start, held.new_end, new_start)  # noqa: FBT003  # same
        held = _Span(True, old_start, old_end, new_start, new_end)  # noqa: FBT003  # same
    if held.old_end > held.old_start:
        yield held


def _runs(old: _WatchedLines, new: _WatchedLines) -> Iterator[tuple[int, int, int]]:
    """Yield the longest run of equal lines, behind those before it and before those behind it."""
    matcher = SequenceMatcher(None, old, new)
    pending: list[tuple[int, ...]] = [(0, len(old), 0, len(new))]
    while pending:
        part = pending.pop()
        if len(part) == 3:  # noqa: PLR2004  # a run, and not two ranges
            yield part[0], part[1], part[2]
            continue
        old_start, old_end, new_start, new_end = part
        at_old, at_new, size = matcher.find_longest_match(old_start, old_end, new_start, new_end)
        if not size:
            continue
        if at_old + size < old_end and at_new + size < new_end:
            pending.append((at_old + size, old_end, at_new + size, new_end))
        pending.append((at_old, at_new, size))
        if old_start < at_old and new_start < at_new:
            pending.append((old_start, at_old, new_start, at_new))


class _WatchedLines(list[str]):
    """Lines that look at the call's clock as `SequenceMatcher` reads them, part by part."""

    def __init__(self, lines: Sequence[str], checkpoint: Callable[[], None]) -> None:
        super().__init__(lines)
        self._checkpoint = checkpoint
        self._until_look = 0

    def _look(self) -> None:
        self._until_look -= 1
        if self._until_look < 0:
            self._until_look = _LINES_PER_LOOK
            self._checkpoint()

    def __iter__(self) -> Iterator[str]:
        for line in super().__iter__():
            self._look()
            yield line

    def __getitem__(self, index: Any) -> Any:
        self._look()
        return super().__getitem__(index)
