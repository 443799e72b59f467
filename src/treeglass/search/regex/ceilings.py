"""Ceilings on the size of a regex, so that its program takes bounded time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.search.regex.tree import Alternation, Concat, Node, Repeat

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.search.regex.class_ranges import Ranges

MAX_PATTERN_CHARACTERS = 10_000

MAX_POSITIONS = 10_000
"""Most places of one regex, its repetitions written out."""

MAX_RANGES = 100_000
"""Most ranges of all sets of one regex; `\\\\w` has about 760."""

_PARTS_BETWEEN_CHECKS = 16
_RANGES_BETWEEN_CHECKS = 2_000


class RegexInvalid(ValueError):
    """A regex that cannot be searched for; the text is the whole reason."""


class Meter:
    """Measures a pattern while it is parsed, and looks at the clock now and then."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._parts = 0
        self._ranges = 0
        self._unchecked_ranges = 0

    def count(self, ranges: Ranges = ()) -> None:
        """Note a part of the pattern, and its set; raise `RegexInvalid` beyond `MAX_RANGES`."""
        self._parts += 1
        self._ranges += len(ranges)
        self._unchecked_ranges += len(ranges)
        if self._ranges > MAX_RANGES:
            raise RegexInvalid(
                f"the regex is too large: its classes have more than {MAX_RANGES:,} ranges of "
                "characters; use fewer or smaller classes"
            )
        if (
            self._parts % _PARTS_BETWEEN_CHECKS == 0
            or self._unchecked_ranges > _RANGES_BETWEEN_CHECKS
        ):
            self._unchecked_ranges = 0
            self._checkpoint()


def check_length(pattern: str) -> None:
    """Raise `RegexInvalid` for a pattern that is longer than `MAX_PATTERN_CHARACTERS`."""
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise RegexInvalid(
            f"the regex is too long: it has {len(pattern):,} characters, and at most "
            f"{MAX_PATTERN_CHARACTERS:,} are read; search for a part of it"
        )


def check_size(node: Node) -> None:
    """Raise `RegexInvalid` for a tree that would take more than `MAX_POSITIONS`."""
    if _size(node) > MAX_POSITIONS:
        raise RegexInvalid(
            f"the regex is too large: with its repetitions written out it has more than "
            f"{MAX_POSITIONS:,} positions; use smaller repetition counts"
        )


def _size(node: Node) -> int:
    match node:
        case Concat(parts):
            return sum(map(_size, parts))
        case Alternation(parts):
            return 1 + sum(map(_size, parts))
        case Repeat(part, least, most):
            # An empty part counts, too: its repetitions are work.
            times = max(1, least) if most is None else most
            return (max(1, _size(part)) + (most != least)) * times
        case _:
            return 1
