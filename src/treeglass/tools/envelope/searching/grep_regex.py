"""The regular expressions of `Grep`: Python's dialect, without what doubles its time by a letter.

`re` backtracks, so a repetition inside a repetition, such as `(a+)+b`, can take longer than any
call may; it is refused.
"""

from __future__ import annotations

import re
import warnings
from re import _parser  # type: ignore[attr-defined]  # the only way to a pattern's parts
from typing import TYPE_CHECKING, Any

from treeglass.tools.envelope.failures import WordedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from treeglass.tools.envelope.searching.grep_search import SearchedPattern

_MOST_REPETITIONS = 100
"""A repetition of more counts as unbounded."""

_LINES_PER_CHECKPOINT = 1024

_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


class _LinePattern:
    """An expression that is searched for line by line."""

    def __init__(self, search: Callable[[str], re.Match[str] | None]) -> None:
        self._search = search

    def lines(self, content: str, checkpoint: Callable[[], None]) -> Iterator[tuple[int, int, int]]:
        """Yield the number of each line that matches, from 1, and where it starts and ends."""
        end = 0
        for number, line in enumerate(content.split("\n"), 1):
            start, end = end, end + len(line) + 1
            if number % _LINES_PER_CHECKPOINT == 0:
                checkpoint()
            # A line ends with its line feed if it has an end; nothing follows the last one.
            if start < len(content) and self._search(content[start:end]) is not None:
                yield number, start, start + len(line)


def compile_pattern(pattern: str, *, is_case_sensitive: bool) -> SearchedPattern:
    """Return the pattern of a call.

    Raises:
        WordedError: The pattern is invalid, or repeats a repetition.
    """
    flags = re.NOFLAG if is_case_sensitive else re.IGNORECASE
    try:
        with warnings.catch_warnings():
            # What Python may read otherwise one day is no concern of the agent.
            warnings.simplefilter("ignore")
            search = re.compile(pattern, flags).search
            repeats_repetition = _repeats_repetition(_parser.parse(pattern, flags), inside=False)
    except (re.error, RecursionError, OverflowError) as error:
        raise _invalid(str(error)) from None
    if repeats_repetition:
        raise _invalid("a repetition inside a repetition cannot be bounded")
    return _LinePattern(search)


def _invalid(words: str) -> WordedError:
    return WordedError("INVALID_PARAM", f"Invalid regex pattern: {words}")


def _repeats_repetition(parts: Iterable[tuple[Any, Any]], *, inside: bool) -> bool:
    """Tell whether an unbounded repetition holds another one."""
    for operation, value in parts:
        is_unbounded = str(operation) in _REPEATS and value[1] > _MOST_REPETITIONS
        if inside and is_unbounded:
            return True
        if any(_repeats_repetition(held, inside=inside or is_unbounded) for held in _held(value)):
            return True
    return False


def _held(value: Any) -> Iterator[Any]:
    """Yield the patterns that an operation holds, wherever it has them."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _held(each)
