"""Proves that Python's backtracking `re` stays fast on a tree, and cuts off what it can do without.

`re` tries one way after another. Here the ways are counted for a line of
`MAX_LINE_CHARACTERS`; a tree that has too many is left to the automaton.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from treeglass.search.regex.class_ranges import Ranges, complement, overlap, union
from treeglass.search.regex.tree import (
    Alternation,
    CharSet,
    Concat,
    Look,
    Node,
    Once,
    Repeat,
    children,
    concat,
    is_nullable,
    leaves,
    repeat,
)

MAX_LINE_CHARACTERS = 4_000
"""Longest line for which a safe tree with an unbounded repetition is left to `re`."""

_MAX_STEPS = 10 * MAX_LINE_CHARACTERS
"""Most steps from one place of such a line, so that a line takes a multiple of its square."""

_PARTS_AHEAD = 3
"""Parts after a repetition that are asked what must follow it; all would take a square of time."""

_MAX_DEPTH = 40
"""`re` parses groups by recursion."""

_MAX_SETS = 2_000

_MAX_RANGES = 40_000
"""Compiling a class takes `re` time for each range, and it looks at no clock."""

_RANGES_OF_WORD_LOOK = 3_000

_CHARACTERS_OF_A_RANGE = 100
"""`re` compiles so many characters beyond Latin-1 in about the time of one range."""

_LAST_OF_LATIN_1 = 0xFF
_LAST_OF_BASIC = 0xFFFF
_ALL: Final[Ranges] = ((0, 0x10FFFF),)


class _Work(NamedTuple):
    ways: float
    """In how many ways the node can match at one place."""
    steps: float
    """The number of characters read for all of them."""


class Safety(NamedTuple):
    """The questions that `re` may be asked."""

    is_safe: bool
    is_linear: bool
    """True if a line may have any length, too."""


def safety(node: Node) -> Safety:
    """Tell whether `re` may search for the tree."""
    if (
        _depth(node) > _MAX_DEPTH
        or sum(1 for _ in leaves(node)) > _MAX_SETS
        or _range_count(node) > _MAX_RANGES
    ):
        return Safety(is_safe=False, is_linear=False)
    is_safe = _work(node, MAX_LINE_CHARACTERS).steps <= _MAX_STEPS
    return Safety(is_safe, is_safe and _work(node, 1e9).steps <= _MAX_STEPS)


def first_set(node: Node) -> Ranges:
    """Return the characters that a match which is not empty may begin with."""
    match node:
        case CharSet(ranges):
            return ranges
        case Concat(parts):
            found: Ranges = ()
            for part in parts:
                found = union(found, first_set(part))
                if not is_nullable(part):
                    break
            return found
        case Alternation(parts):
            return union(*map(first_set, parts))
        case Repeat(part):
            return first_set(part)
        case Once() | Look():
            return ()


def _work(node: Node, length: float) -> _Work:
    match node:
        case CharSet() | Look():
            return _Work(1, 1)
        case Once(part):
            return _Work(1, _work(part, length).steps)
        case Concat(parts):
            return _concat_work(parts, length)
        case Alternation(parts):
            return _alternation_work(parts, length)
        case Repeat(part, least, most):
            times = length if most is None else min(most, length)
            is_single = not is_nullable(part)
            return _repeated_work(_work(part, length), least, times, is_single=is_single)


def _alternation_work(parts: tuple[Node, ...], length: float) -> _Work:
    works = [_work(part, length) for part in parts]
    ways, steps = [work.ways for work in works], [work.steps for work in works]
    firsts = [first_set(part) for part in parts]
    if any(map(is_nullable, parts)) or _share(firsts):
        return _Work(sum(ways), sum(steps))
    return _Work(max(ways), max(steps) + len(parts))


def _repeated_work(inner: _Work, least: int, times: float, *, is_single: bool) -> _Work:
    if inner.ways <= 1 and is_single:
        return _Work(max(1, times - least + 1), max(1, times * inner.steps))
    ways = steps = 1.0
    reached = 1.0
    while times > 0 and steps <= _MAX_STEPS:
        steps += reached * inner.steps
        reached *= inner.ways
        ways += reached
        times -= 1
    return _Work(ways, steps)


def _share(firsts: list[Ranges]) -> bool:
    pairs = sorted(pair for ranges in firsts for pair in ranges)
    return any(before[1] >= after[0] for before, after in pairwise(pairs))


def _concat_work(parts: tuple[Node, ...], length: float) -> _Work:
    """Count part by part: what follows is tried once for each way of what stands before."""
    ways, steps = 1.0, 0.0
    for at, part in enumerate(parts):
        work = _work(part, length)
        steps += ways * work.steps
        rest = concat(parts[at + 1 : at + 1 + _PARTS_AHEAD])
        is_settled = (
            isinstance(part, Repeat)
            and isinstance(part.part, CharSet)
            and not is_nullable(rest)
            and not overlap(part.part.ranges, first_set(rest))
        )
        # What follows cannot begin with what is repeated: only the longest way goes on.
        ways *= 1 if is_settled else work.ways
    return _Work(ways, max(1.0, steps))


def _depth(node: Node) -> int:
    parts = children(node)
    return 1 + max(map(_depth, parts)) if parts else 0


def _range_count(node: Node) -> int:
    return sum(
        _work_of_class(leaf.ranges)
        if isinstance(leaf, CharSet)
        else _RANGES_OF_WORD_LOOK * leaf.name.startswith(("WORD", "NO_WORD"))
        for leaf in leaves(node)
    )


def _work_of_class(ranges: Ranges) -> int:
    """Return how long `re` compiles a class. Unit: ranges."""
    if not ranges or ranges[-1][1] <= _LAST_OF_LATIN_1:
        return len(ranges)
    others = complement(ranges, _ALL)
    written = others if len(others) < len(ranges) else ranges
    characters = sum(
        min(last, _LAST_OF_BASIC) - first + 1
        for first, last in written
        if last > _LAST_OF_LATIN_1 and first <= _LAST_OF_BASIC
    )
    return len(ranges) + characters // _CHARACTERS_OF_A_RANGE


def essence(node: Node) -> Node:
    r"""Return a smaller tree that matches in the same lines, though not at the same places.

    A repetition at either end needs no more than its least number: a line that matches
    `\w+_handler.*` is one that matches `\w_handler`.
    """
    return _cut(_cut(node, at_start=True), at_start=False)


def _cut(node: Node, *, at_start: bool) -> Node:
    match node:
        case Repeat(part, least) if least <= 1:
            return _cut(part, at_start=at_start) if least else concat(())
        case Repeat(part, least):
            return repeat(part, least, least)
        case Concat(parts) if parts:
            kept = list(parts) if at_start else list(reversed(parts))
            while kept:
                cut = _cut(kept[0], at_start=at_start)
                if cut != Concat(()):
                    kept[0] = cut
                    break
                kept.pop(0)
            return concat(kept if at_start else reversed(kept))
        case _:
            return node
