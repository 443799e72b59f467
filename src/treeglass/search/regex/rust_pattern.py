"""Search with a pattern of Rust's dialect, line by line as ripgrep does."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.line_pattern import LinePattern, TreePattern
from treeglass.search.regex.rust_meaning import NeedsBytes
from treeglass.search.regex.rust_parser import parse_rust

if TYPE_CHECKING:
    from treeglass.search.regex.text_lines import Spans

_ESCAPE = "surrogateescape"


def compile_rust(
    pattern: str,
    *,
    ignore_case: bool = False,
    unicode: bool = True,
    checkpoint: Checkpoint = no_check,
) -> LinePattern:
    """Compile a regex as ripgrep does, to search line by line: `bytes` without Unicode.

    `RegexInvalid` has the words of ripgrep, without its name before them, or tells a ceiling.
    """
    parse = partial(parse_rust, pattern, ignore_case=ignore_case, checkpoint=checkpoint)
    if unicode:
        try:
            return TreePattern(parse(), checkpoint)
        except NeedsBytes:
            bytewise = TreePattern(parse(in_bytes=True), checkpoint, sees_bytes=True)
            return _EncodedPattern(bytewise)
    return TreePattern(parse(unicode=False, in_bytes=True), checkpoint, sees_bytes=True)


class _EncodedPattern(LinePattern):
    r"""Searches text as its bytes, for `(?-u:\xff)`; a span within a character is widened."""

    def __init__(self, pattern: TreePattern) -> None:
        self._pattern = pattern
        self.required = pattern.required

    def is_match(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> bool:
        return self._pattern.is_match(_encoded(text), checkpoint)

    def matching_lines(self, text: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        encoded = _encoded(text)
        at = characters = 0
        for start, end in self._pattern.matching_lines(encoded, checkpoint):
            begin = characters + _length(encoded[at:start])
            at, characters = end, begin + _length(encoded[start:end])
            yield begin, characters

    def spans(self, line: str | bytes, checkpoint: Checkpoint = no_check) -> Spans:
        sizes = (len(_encoded(character)) for character in line) if isinstance(line, str) else ()
        starts = [*accumulate(sizes, initial=0)]
        for start, end in self._pattern.spans(_encoded(line), checkpoint):
            yield bisect_right(starts, start) - 1, bisect_left(starts, end)


def _encoded(text: str | bytes) -> bytes:
    return text.encode(errors=_ESCAPE) if isinstance(text, str) else text


def _length(encoded: bytes) -> int:
    return len(encoded.decode(errors=_ESCAPE))
