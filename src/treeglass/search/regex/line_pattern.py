"""A regex, ready to search: `re` where that is safe and fast, the automaton elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.automaton import CHUNK_CHARACTERS, LineAutomaton
from treeglass.search.regex.required_literals import (
    RequiredBytes,
    candidate_lines,
    is_literal,
    may_match,
    required_bytes,
    required_literals,
)
from treeglass.search.regex.safety import MAX_LINE_CHARACTERS, essence, safety
from treeglass.search.regex.spans import SpanFinder, every_span
from treeglass.search.regex.text_lines import Spans, line_at, pieces
from treeglass.search.regex.translation import Translation
from treeglass.search.regex.tree import Node, may_take_line_end, with_last_line_feeds

if TYPE_CHECKING:
    import re


SQUARE_CHUNK_CHARACTERS = 16_384
"""As `CHUNK_CHARACTERS`, where a line may take the square of its length."""


class LinePattern(Protocol):
    """A regex that is asked which lines of a text match.

    A line ends at a line feed or at the end of the text. Offsets count the characters of a
    `str`, decoded with `surrogateescape`, and the bytes of `bytes`.
    """

    max_line_characters: int | None = None
    """Longest line that is searched; longer ones never match. None if there is no limit."""
    required: RequiredBytes
    """Literals that a file must hold: most files lack them, and need no search."""

    def is_match(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> bool:
        """Tell whether a line of the text matches."""
        return next(self.matching_lines(text, checkpoint), None) is not None

    def matching_lines(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        """Yield the start and end of each line that matches, without its line feed.

        `checkpoint` is called at least once for each 64 KiB; what it raises passes.
        """

    def spans(self, line: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        """Yield the start and end of each match in one line, from left to right."""


class TreePattern(LinePattern):
    r"""Searches for a tree that has passed `check_size`.

    In Python's dialect, where `re` has compiled the pattern, the line feed belongs to the line: `$`
    stands before it, and `\s` can take it. In Rust's dialect no set has a line feed.
    """

    def __init__(
        self,
        node: Node,
        checkpoint: Checkpoint = no_check,
        *,
        sees_bytes: bool = False,
        compiled: re.Pattern[str] | None = None,
    ) -> None:
        self._node = node
        self._essence = essence(node)
        checkpoint()
        self.literals = required_literals(self._essence)
        self.required = required_bytes(self.literals, are_bytes=sees_bytes)
        self._is_literal = is_literal(self._essence)
        self._is_python = compiled is not None
        searched = with_last_line_feeds(self._essence) if self._is_python else self._essence
        works = safety(searched)
        checkpoint()
        is_by_text = works.is_safe and not (self._is_python and may_take_line_end(searched))
        self._translation = Translation(searched) if is_by_text else None
        self._is_safe = safety(node).is_safe
        self._by_line = compiled if self._is_safe else None
        self._piece_lengths = CHUNK_CHARACTERS, CHUNK_CHARACTERS
        if self._by_line is not None or (is_by_text and not works.is_linear):
            self._piece_lengths = MAX_LINE_CHARACTERS, SQUARE_CHUNK_CHARACTERS
        self._automaton: LineAutomaton | None = None
        self._finder: SpanFinder | None = None
        self._whole: Translation | None = None

    def is_match(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> bool:
        """Tell whether a line of the text matches."""
        if self._is_literal and (not self.literals[0].instead or text.isascii()):
            checkpoint()
            return may_match(self.literals, text)
        return next(self.matching_lines(text, checkpoint), None) is not None

    def matching_lines(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        """Yield the start and end of each line that matches, without its line feed."""
        checkpoint()
        if not text or not may_match(self.literals, text):
            return
        for start, end, is_short in pieces(text, *self._piece_lengths):
            checkpoint()
            lines = None
            if is_short and self._translation is not None:
                pattern, piece = self._translation.for_text(text[start:end])
                # None if `re` would be slow.
                lines = None if pattern is None else _lines_of(pattern, piece, start)
            if lines is None and is_short and self._by_line is not None:
                lines = self._each_line(self._by_line, text, start, end)
            if lines is None:
                lines = self._by_automaton(text, start, end, checkpoint)
            yield from lines

    def _each_line(
        self, pattern: re.Pattern[str], text: str | bytes, start: int, end: int
    ) -> Spans:
        for first, last in candidate_lines(self.literals, text, start, end):
            yield from each_line_by_re(pattern, text, first, last)

    def _by_automaton(
        self, text: str | bytes, start: int, end: int, checkpoint: Checkpoint
    ) -> Spans:
        if self._automaton is None:
            self._automaton = LineAutomaton(
                self._essence, checkpoint, sees_line_feed=self._is_python
            )
        for first, last in candidate_lines(self.literals, text, start, end):
            yield from self._automaton.matching_lines(text, first, last, checkpoint)

    def spans(self, line: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        """Yield the start and end of each match in one line, from left to right."""
        if self._is_safe and len(line) <= MAX_LINE_CHARACTERS:
            if self._by_line is not None:
                return (found.span() for found in self._by_line.finditer(line))  # type: ignore[arg-type]
            self._whole = self._whole or Translation(self._node)
            pattern, searched = self._whole.for_text(line)
            if pattern is not None:
                return every_span(partial(_span_by_re, pattern, searched), len(line))
        finder = self._finder = self._finder or SpanFinder(self._node, checkpoint)
        return every_span(lambda at: finder.find(line, at, checkpoint), len(line))


def _span_by_re(
    pattern: re.Pattern[str] | re.Pattern[bytes], line: str | bytes, at: int
) -> tuple[int, int] | None:
    found = pattern.search(line, at)  # type: ignore[arg-type]
    return found.span() if found else None


def each_line_by_re(pattern: re.Pattern[str], text: str | bytes, start: int, end: int) -> Spans:
    """Yield the lines between two places in which `re` finds a pattern of Python's dialect."""
    while start <= end:
        _, stop = line_at(text, start, start, end)
        if pattern.search(text[start : stop + 1]):  # type: ignore[arg-type]
            yield start, stop
        start = stop + 1


def _lines_of(
    pattern: re.Pattern[str] | re.Pattern[bytes], piece: str | bytes, offset: int
) -> Spans:
    start, end = 0, len(piece)
    while start <= end:
        found = pattern.search(piece, start)  # type: ignore[arg-type]
        if found is None:
            return
        line_start, line_end = line_at(piece, start, found.start(), end)
        yield offset + line_start, offset + line_end
        start = line_end + 1
