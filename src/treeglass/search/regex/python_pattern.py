r"""Search with a pattern of Python's dialect, as if line by line with `re`.

The line feed belongs to the line: `$` stands before it, and `\s` can take it.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.automaton import CHUNK_CHARACTERS, LineAutomaton
from treeglass.search.regex.ceilings import Meter, RegexInvalid, check_length, check_size
from treeglass.search.regex.class_ranges import contains, difference
from treeglass.search.regex.line_pattern import (
    candidate_lines,
    lines_by_re,
    may_match,
)
from treeglass.search.regex.python_tree import parsed_by_re, python_tree
from treeglass.search.regex.required_literals import required_bytes, required_literals
from treeglass.search.regex.safety import MAX_LINE_CHARACTERS, essence, safety
from treeglass.search.regex.spans import SpanFinder, every_span
from treeglass.search.regex.text_lines import line_at, pieces
from treeglass.search.regex.translation import Translation
from treeglass.search.regex.tree import (
    Alternation,
    CharSet,
    Concat,
    Look,
    Node,
    Once,
    Repeat,
    is_nullable,
    looks_of,
    sets_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_ONLY_RE_CHARACTERS = 10_000
"""Longest line that is searched for what the automaton cannot find, such as look-around."""


class PythonPattern:
    """A pattern of Python's dialect.

    Args:
        pattern: The pattern.
        ignore_case: As `re.IGNORECASE`.
        checkpoint: Called now and then while the search is prepared.

    Raises:
        RegexInvalid: `re` refuses it, its work cannot be bounded, or it is above a ceiling.
    """

    def __init__(
        self, pattern: str, *, ignore_case: bool, checkpoint: Checkpoint = no_check
    ) -> None:
        check_length(pattern)
        flags = re.IGNORECASE if ignore_case else 0
        self._checkpoint = checkpoint
        self._parsed = parsed_by_re(pattern, flags)
        checkpoint()
        self._compiled = _compiled(pattern, flags)
        checkpoint()
        self._for_ascii = self._search_in(is_ascii=True)
        self._for_all: _Search | None = None
        self.max_line_characters: int | None = None
        if self._for_ascii.needs_re:
            self._for_ascii = self._for_all = self._search_in(is_ascii=False)
            self._for_all.check_bounds()
            self.max_line_characters = MAX_ONLY_RE_CHARACTERS
        self.required = required_bytes(self._for_ascii.literals, only_in_ascii=True)

    def _search_in(self, *, is_ascii: bool) -> _Search:
        node, needs_re = python_tree(self._parsed, Meter(self._checkpoint), is_ascii=is_ascii)
        return _Search(node, self._compiled, needs_re, self._checkpoint)

    def _search_for(self, text: str) -> _Search:
        if text.isascii():
            return self._for_ascii
        if self._for_all is None:
            self._for_all = self._search_in(is_ascii=False)
        return self._for_all

    def is_match(self, text: str | bytes, checkpoint: Callable[[], None] = no_check) -> bool:
        """Tell whether a line of the text matches."""
        return next(self.matching_lines(text, checkpoint), None) is not None

    def matching_lines(
        self, text: str | bytes, checkpoint: Callable[[], None] = no_check
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each line that matches, without its line feed."""
        checkpoint()
        if isinstance(text, str) and text:
            yield from self._search_for(text).matching_lines(text, checkpoint)

    def spans(
        self, line: str | bytes, checkpoint: Callable[[], None] = no_check
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each match in one line, from left to right."""
        if isinstance(line, str):
            yield from self._search_for(line).spans(line, checkpoint)


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # That `[[` may once mean something else is no news for a caller.
        warnings.simplefilter("ignore")
        try:
            return re.compile(pattern, flags)
        except (re.error, RecursionError) as error:
            raise RegexInvalid(str(error)) from None


class _Search:
    """How one tree is searched for."""

    def __init__(
        self, node: Node, compiled: re.Pattern[str], needs_re: str, checkpoint: Checkpoint
    ) -> None:
        if not needs_re:
            check_size(node)
        self.needs_re = needs_re
        self._compiled = compiled
        self._node = node
        is_safe = safety(node).is_safe
        self._by_line = compiled if is_safe else None
        self._translation: Translation | None = None
        self._essence = essence(node)
        self._automaton: LineAutomaton | None = None
        self._finder: SpanFinder | None = None
        self.literals = required_literals(self._essence)
        if needs_re:
            self.literals = ()
            return
        checkpoint()
        settled = _settled(self._essence, is_last=True)
        if (
            safety(settled).is_safe
            and not is_nullable(settled)
            and Look.LINE_END not in looks_of(settled)
            and not any(contains(ranges, 10) for ranges in sets_of(settled))
        ):
            self._translation = Translation(settled)

    def check_bounds(self) -> None:
        """Refuse what only `re` can match, where its work has no bound."""
        if self._by_line is None:
            is_nested = _is_nested(self._node)
            what = "a repetition inside a repetition" if is_nested else "so many ways to match"
            raise RegexInvalid(f"{what} cannot be bounded together with {self.needs_re}")

    def matching_lines(
        self, text: str, checkpoint: Callable[[], None]
    ) -> Iterator[tuple[int, int]]:
        if not may_match(self.literals, text):
            return
        limit = MAX_ONLY_RE_CHARACTERS if self.needs_re else MAX_LINE_CHARACTERS
        for start, end, is_short in pieces(text, limit, CHUNK_CHARACTERS // 4):
            checkpoint()
            lines = None
            if is_short and self._translation is not None:
                lines = lines_by_re(self._translation, text, start, end)
            if lines is None and is_short and self._by_line is not None:
                lines = self._each_line(self._by_line, text, start, end)
            if lines is None and not self.needs_re:
                lines = self._by_automaton(text, start, end, checkpoint)
            yield from lines or ()

    def _each_line(
        self, pattern: re.Pattern[str], text: str, start: int, end: int
    ) -> Iterator[tuple[int, int]]:
        for first, last in candidate_lines(self.literals, text, start, end):
            at = first
            while at <= last:
                _, stop = line_at(text, at, at, last)
                if pattern.search(text[at : stop + 1]):
                    yield at, stop
                at = stop + 1

    def _by_automaton(
        self, text: str, start: int, end: int, checkpoint: Callable[[], None]
    ) -> Iterator[tuple[int, int]]:
        if self._automaton is None:
            self._automaton = LineAutomaton(self._essence, checkpoint, sees_line_feed=True)
        for first, last in candidate_lines(self.literals, text, start, end):
            yield from self._automaton.matching_lines(text, first, last, checkpoint)

    def spans(self, line: str, checkpoint: Callable[[], None]) -> Iterator[tuple[int, int]]:
        limit = MAX_ONLY_RE_CHARACTERS if self.needs_re else MAX_LINE_CHARACTERS
        if self._by_line is not None and len(line) <= limit:
            yield from (found.span() for found in self._by_line.finditer(line))
        elif not self.needs_re:
            finder = self._finder = self._finder or SpanFinder(self._node, checkpoint)
            yield from every_span(
                lambda at: finder.find(line, at, checkpoint) if at <= len(line) else None
            )


def _is_nested(node: Node, *, is_inside: bool = False) -> bool:
    match node:
        case Repeat(part):
            return is_inside or _is_nested(part, is_inside=True)
        case Concat(parts) | Alternation(parts):
            return any(_is_nested(part, is_inside=is_inside) for part in parts)
        case Once(part):
            return _is_nested(part, is_inside=is_inside)
        case _:
            return False


def _settled(node: Node, *, is_last: bool) -> Node:
    """Take the line feed out of each set that something must follow: nothing is behind it."""
    match node:
        case CharSet(ranges) if not is_last:
            return CharSet(difference(ranges, ((10, 10),)))
        case Concat(parts):
            settled: list[Node] = []
            for part in reversed(parts):
                settled.append(_settled(part, is_last=is_last))
                is_last = is_last and is_nullable(part)
            return Concat(tuple(reversed(settled)))
        case Alternation(parts):
            return Alternation(tuple(_settled(part, is_last=is_last) for part in parts))
        case Repeat(part, least, most, is_greedy):
            return Repeat(_settled(part, is_last=is_last), least, most, is_greedy)
        case _:
            return node
