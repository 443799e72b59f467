"""Search with a pattern of Python's dialect, as if line by line with `re`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.ceilings import Meter, RegexInvalid, check_length, check_size
from treeglass.search.regex.line_pattern import (
    SQUARE_CHUNK_CHARACTERS,
    LinePattern,
    TreePattern,
    each_line_by_re,
)
from treeglass.search.regex.python_tree import TOO_NESTED, parsed_by_re, python_tree
from treeglass.search.regex.required_literals import RequiredBytes
from treeglass.search.regex.safety import safety
from treeglass.search.regex.text_lines import Spans, pieces
from treeglass.search.regex.tree import Node, Repeat, children

MAX_ONLY_RE_CHARACTERS = 10_000
"""Longest line that is searched for what the automaton cannot find, such as look-around."""


def compile_python(
    pattern: str, *, ignore_case: bool, checkpoint: Checkpoint = no_check
) -> LinePattern:
    """Compile a regex as Python's `re` does, to search text line by line.

    Raises:
        RegexInvalid: With the words of `re`; or look-around, a backreference, an atomic group
            or a possessive repetition stands beside repetitions without a bound; or the
            pattern is above a ceiling.
    """
    check_length(pattern)
    flags = re.IGNORECASE if ignore_case else 0
    parsed = parsed_by_re(pattern, flags)
    compiled = _compiled(pattern, flags)
    checkpoint()

    def tree_of(*, is_ascii: bool) -> tuple[Node, str]:
        return python_tree(parsed, Meter(checkpoint), is_ascii=is_ascii)

    def search_in(*, is_ascii: bool) -> TreePattern:
        node, _ = tree_of(is_ascii=is_ascii)
        check_size(node)
        return TreePattern(node, checkpoint, compiled=compiled)

    node, needs_re = tree_of(is_ascii=True)
    if not needs_re:
        return _ByAlphabet(search_in)
    node, _ = tree_of(is_ascii=False)
    if not safety(node).is_safe:
        what = "a repetition inside a repetition" if _is_nested(node) else "so many ways to match"
        raise RegexInvalid(f"{what} cannot be bounded together with {needs_re}")
    return _OnlyRe(compiled)


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # That `[[` may once mean something else is no news for a caller.
        warnings.simplefilter("ignore")
        try:
            return re.compile(pattern, flags)
        except re.error as error:
            raise RegexInvalid(str(error)) from None
        except RecursionError:
            raise RegexInvalid(TOO_NESTED) from None


class _ByAlphabet(LinePattern):
    """Searches for one tree in text that is ASCII, whose sets are small, and for another."""

    def __init__(self, search_in: Callable[..., TreePattern]) -> None:
        self._search_in = search_in
        self._for_ascii = search_in(is_ascii=True)
        self._for_all: TreePattern | None = None
        self.required = self._for_ascii.required._replace(only_in_ascii=True)

    def _search_for(self, text: str | bytes) -> TreePattern:
        if text.isascii():
            return self._for_ascii
        if self._for_all is None:
            self._for_all = self._search_in(is_ascii=False)
        return self._for_all

    def is_match(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> bool:
        return self._search_for(text).is_match(text, checkpoint)

    def matching_lines(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        return self._search_for(text).matching_lines(text, checkpoint)

    def spans(self, line: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        return self._search_for(line).spans(line, checkpoint)


class _OnlyRe(LinePattern):
    """Asks `re` line by line for what the automaton cannot find; its work is bounded."""

    max_line_characters = MAX_ONLY_RE_CHARACTERS
    required = RequiredBytes((), only_in_ascii=True)

    def __init__(self, compiled: re.Pattern[str]) -> None:
        self._compiled = compiled

    def matching_lines(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        checkpoint()
        chunks = pieces(text, MAX_ONLY_RE_CHARACTERS, SQUARE_CHUNK_CHARACTERS) if text else ()
        for start, end, is_short in chunks:
            checkpoint()
            if is_short:
                yield from each_line_by_re(self._compiled, text, start, end)

    def spans(self, line: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        checkpoint()
        if len(line) <= MAX_ONLY_RE_CHARACTERS:
            yield from (found.span() for found in self._compiled.finditer(line))  # type: ignore[arg-type]


def _is_nested(node: Node, *, is_inside: bool = False) -> bool:
    is_repeat = isinstance(node, Repeat)
    return (is_repeat and is_inside) or any(
        _is_nested(part, is_inside=is_inside or is_repeat) for part in children(node)
    )
