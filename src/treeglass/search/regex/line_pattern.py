"""A regex, ready to search: `re` where that is safe and fast, the automaton elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.automaton import LineAutomaton
from treeglass.search.regex.required_literals import (
    is_literal,
    required_bytes,
    required_literals,
)
from treeglass.search.regex.safety import MAX_LINE_CHARACTERS, essence, safety
from treeglass.search.regex.spans import SpanFinder, every_span
from treeglass.search.regex.text_lines import find_text, last_line_end, line_at, pieces
from treeglass.search.regex.translation import Translation

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from treeglass.search.regex.required_literals import Literal, RequiredBytes
    from treeglass.search.regex.tree import Node

CHUNK_CHARACTERS = 65_536
"""Most characters that are searched between two looks at the clock."""

_SQUARE_CHUNK_CHARACTERS = 16_384


class LinePattern(Protocol):
    """A regex that is asked which lines of a text match.

    A line ends at a line feed or at the end of the text. Offsets count the characters of a
    `str`, decoded with `surrogateescape`, and the bytes of `bytes`.
    """

    @property
    def max_line_characters(self) -> int | None:
        """Longest line that is searched; longer ones never match. None if there is no limit."""

    @property
    def required(self) -> RequiredBytes:
        """What a file must hold, so that most files need not be looked at."""

    def is_match(self, text: str | bytes, checkpoint: Callable[[], None] = ...) -> bool:
        """Tell whether a line of the text matches."""

    def matching_lines(
        self, text: str | bytes, checkpoint: Callable[[], None] = ...
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each line that matches, without its line feed.

        `checkpoint` is called at least once for each 64 KiB; what it raises passes.
        """

    def spans(
        self, line: str | bytes, checkpoint: Callable[[], None] = ...
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each match in one line, from left to right."""


class TreePattern:
    """Searches for a tree.

    Args:
        node: The tree; no set of it has a line feed, and it has passed `check_size`.
        checkpoint: Called now and then while the search is prepared.
        sees_bytes: Whether its characters are bytes.
    """

    max_line_characters = None

    def __init__(
        self, node: Node, checkpoint: Checkpoint = no_check, *, sees_bytes: bool = False
    ) -> None:
        self._node = node
        checkpoint()
        self._essence = essence(node)
        checkpoint()
        self._safety = safety(self._essence)
        checkpoint()
        self._spans_by_re = safety(node).is_safe
        self._translation = Translation(self._essence)
        self._whole_translation = Translation(node)
        self._literals = required_literals(self._essence)
        self._is_literal = is_literal(self._essence)
        self.required = required_bytes(self._literals, are_bytes=sees_bytes)
        self._automaton: LineAutomaton | None = None
        self._finder: SpanFinder | None = None

    def is_match(self, text: str | bytes, checkpoint: Callable[[], None] = no_check) -> bool:
        """Tell whether a line of the text matches."""
        if self._is_literal and (not self._literals[0].instead or text.isascii()):
            checkpoint()
            return may_match(self._literals, text)
        return next(self.matching_lines(text, checkpoint), None) is not None

    def matching_lines(
        self, text: str | bytes, checkpoint: Callable[[], None] = no_check
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each line that matches, without its line feed."""
        checkpoint()
        if not text or not may_match(self._literals, text):
            return
        for start, end, is_short in self._pieces(text):
            checkpoint()
            lines = lines_by_re(self._translation, text, start, end) if is_short else None
            if lines is None:
                lines = self._by_automaton(text, start, end, checkpoint)
            yield from lines

    def _by_automaton(
        self, text: str | bytes, start: int, end: int, checkpoint: Callable[[], None]
    ) -> Iterator[tuple[int, int]]:
        if self._automaton is None:
            self._automaton = LineAutomaton(self._essence, checkpoint)
        for first, last in candidate_lines(self._literals, text, start, end):
            yield from self._automaton.matching_lines(text, first, last, checkpoint)

    def _pieces(self, text: str | bytes) -> Iterator[tuple[int, int, bool]]:
        if not self._safety.is_safe:
            return iter([(0, last_line_end(text), False)])
        if self._safety.is_linear:
            return pieces(text, CHUNK_CHARACTERS, CHUNK_CHARACTERS)
        return pieces(text, MAX_LINE_CHARACTERS, _SQUARE_CHUNK_CHARACTERS)

    def spans(
        self, line: str | bytes, checkpoint: Callable[[], None] = no_check
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each match in one line, from left to right."""
        pattern = None
        if self._spans_by_re and len(line) <= MAX_LINE_CHARACTERS:
            pattern, line = self._whole_translation.for_text(line)
        if pattern is not None:
            yield from every_span(_finder_by_re(pattern, line))
            return
        finder = self._finder = self._finder or SpanFinder(self._node, checkpoint)
        yield from every_span(
            lambda at: finder.find(line, at, checkpoint) if at <= len(line) else None
        )


def _finder_by_re(
    pattern: re.Pattern[str] | re.Pattern[bytes], line: str | bytes
) -> Callable[[int], tuple[int, int] | None]:
    def find(at: int) -> tuple[int, int] | None:
        # At the end `re` would find an empty match again and again.
        found = pattern.search(line, at) if at <= len(line) else None  # type: ignore[arg-type]
        return found.span() if found else None

    return find


def may_match(literals: tuple[Literal, ...], text: str | bytes) -> bool:
    """Tell whether a text holds one of the literals, or whether that cannot be told."""
    lowered: bytes | str | None = None
    for each in literals:
        within, wanted = text, each.text
        if each.ignores_case:
            lowered = _with_small_letters(text) if lowered is None else lowered
            within = lowered
            if isinstance(within, bytes) and isinstance(text, str):
                wanted = wanted.encode("utf-8", "surrogatepass").decode("latin-1")
        if find_text(within, wanted, 0, len(within)) >= 0:
            return True
        if any(find_text(text, other, 0, len(text)) >= 0 for other in each.instead):
            return True
    return not literals


def _with_small_letters(text: str | bytes) -> str | bytes:
    """Return a text with the letters of ASCII small; in UTF-8 if it is not ASCII."""
    if isinstance(text, str) and not text.isascii():
        text = text.encode("utf-8", "surrogatepass")
    return text.lower()


def candidate_lines(
    literals: tuple[Literal, ...], text: str | bytes, start: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield the lines between two places that hold the one required literal.

    If there is not one that can be looked for, yield everything at once.
    """
    is_known = len(literals) == 1 and "\n" not in literals[0].text
    if is_known and literals[0].ignores_case:
        is_known = isinstance(text, bytes) or text.isascii()
        text = text.lower() if is_known else text
    if not is_known:
        yield start, end
        return
    while (at := find_text(text, literals[0].text, start, end)) >= 0:
        first, last = line_at(text, start, at, end)
        yield first, last
        start = last + 1


def lines_by_re(
    translation: Translation, text: str | bytes, start: int, end: int
) -> Iterator[tuple[int, int]] | None:
    """Return the lines between two places that `re` finds; None if it would be slow."""
    pattern, piece = translation.for_text(text[start:end])
    return None if pattern is None else _lines_by_re(pattern, piece, start)


def _lines_by_re(
    pattern: re.Pattern[str] | re.Pattern[bytes], piece: str | bytes, offset: int
) -> Iterator[tuple[int, int]]:
    start, end = 0, len(piece)
    while start <= end:
        found = pattern.search(piece, start)  # type: ignore[arg-type]
        if found is None:
            return
        line_start, line_end = line_at(piece, start, found.start(), end)
        yield offset + line_start, offset + line_end
        start = line_end + 1
