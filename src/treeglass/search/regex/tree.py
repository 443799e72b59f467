"""A regex as a small tree, the same for every dialect.

Groups leave no node: what a tool asks is where a line matches, never what a group took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache, partial

from treeglass.search.regex.class_ranges import Ranges, contains, difference, union


@dataclass(frozen=True, slots=True)
class CharSet:
    """One character of a set; of an empty set, nothing matches."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Concat:
    """One part after another; without parts, the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """Any of the parts, the first that leads to a match."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part, `least` to `most` times; without `most`, any number of times."""

    part: Node
    least: int
    most: int | None
    is_greedy: bool = True


@dataclass(frozen=True, slots=True)
class Once:
    """A part that only `re` can match, such as a look-around: estimated, and never searched for."""

    part: Node


class Look(Enum):
    """A place in a line, without a character."""

    LINE_START = auto()
    LINE_END = auto()
    CR_LINE_START = auto()
    """The start of the line, or behind a CR within it."""
    CR_LINE_END = auto()
    """Before a CR, or the end of the line unless a CR ends it."""
    BEFORE_LAST_LINE_FEED = auto()
    """The end of the line, or before a line feed that ends it."""
    AFTER_LINE_FEED = auto()
    """The start of the line, or behind the line feed that ends it."""
    WORD_EDGE = auto()
    NO_WORD_EDGE = auto()
    WORD_START = auto()
    WORD_END = auto()
    WORD_START_HALF = auto()
    WORD_END_HALF = auto()
    PYTHON_WORD_EDGE = auto()
    PYTHON_NO_WORD_EDGE = auto()
    ASCII_WORD_EDGE = auto()
    ASCII_NO_WORD_EDGE = auto()
    ASCII_WORD_START = auto()
    ASCII_WORD_END = auto()
    ASCII_WORD_START_HALF = auto()
    ASCII_WORD_END_HALF = auto()


Node = CharSet | Concat | Alternation | Repeat | Once | Look

EMPTY = Concat(())

_LAST_OF_LENGTH = (0x7F, 0x7FF, 0xFFFF, 0x10FFFF)
"""The last character whose encoding has one byte, two, three or four."""


def literal(text: Iterable[int]) -> Node:
    """Return the tree of these code points, or bytes, one after another."""
    return concat([CharSet(((code, code),)) for code in text])


def concat(parts: Iterable[Node]) -> Node:
    """Return one part after another, without nesting."""
    flat = _flat(parts, Concat)
    return flat[0] if len(flat) == 1 else Concat(flat)


def alternation(parts: Iterable[Node]) -> Node:
    """Return any of the parts; single characters become one set, as in Rust."""
    flat = _flat(parts, Alternation)
    if len(flat) == 1:
        return flat[0]
    sets = [part.ranges for part in flat if isinstance(part, CharSet)]
    return CharSet(union(*sets)) if len(sets) == len(flat) else Alternation(flat)


def _flat(parts: Iterable[Node], kind: type[Concat | Alternation]) -> tuple[Node, ...]:
    return tuple(
        each for part in parts for each in (part.parts if isinstance(part, kind) else (part,))
    )


def repeat(part: Node, least: int, most: int | None, *, is_greedy: bool = True) -> Node:
    """Return a part some number of times."""
    if most == 0:
        return EMPTY
    if (least, most) == (1, 1):
        return part
    return Repeat(part, least, most, is_greedy)


def is_nullable(node: Node) -> bool:
    """Tell whether the node may match without a character."""
    match node:
        case CharSet():
            return False
        case Concat(parts):
            return all(is_nullable(part) for part in parts)
        case Alternation(parts):
            return any(is_nullable(part) for part in parts)
        case Repeat(part, least):
            return least == 0 or is_nullable(part)
        case Once() | Look():
            return True


def single_character(node: Node) -> int | None:
    """Return the code point of a set that has one."""
    if isinstance(node, CharSet) and len(node.ranges) == 1:
        first, last = node.ranges[0]
        return first if first == last else None
    return None


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node; a set or a look has none."""
    match node:
        case Concat(parts) | Alternation(parts):
            return parts
        case Repeat(part) | Once(part):
            return (part,)
        case _:
            return ()


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a node with each of its parts changed."""
    match node:
        case Concat(parts):
            return Concat(tuple(map(change, parts)))
        case Alternation(parts):
            return Alternation(tuple(map(change, parts)))
        case Repeat(part) | Once(part):
            return replace(node, part=change(part))
        case _:
            return node


def leaves(node: Node) -> Iterator[CharSet | Look]:
    """Yield the sets and looks of a tree, in no particular order."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, CharSet | Look):
            yield each
        waiting += children(each)


def sets_of(node: Node) -> set[Ranges]:
    """Return the different sets of a tree."""
    return {leaf.ranges for leaf in leaves(node) if isinstance(leaf, CharSet)}


def with_last_line_feeds(node: Node, *, is_last: bool = True) -> Node:
    """Take the line feed out of each set that something must follow: a line ends at it."""
    match node:
        case CharSet(ranges):
            return node if is_last else CharSet(difference(ranges, ((10, 10),)))
        case Concat(parts):
            changed: list[Node] = []
            for part in reversed(parts):
                changed.append(with_last_line_feeds(part, is_last=is_last))
                is_last = is_last and is_nullable(part)
            return Concat(tuple(reversed(changed)))
        case _:
            return mapped(node, partial(with_last_line_feeds, is_last=is_last))


def may_take_line_end(node: Node) -> bool:
    """Tell whether a match may be empty, take a line feed, or end just where the text ends."""
    return (
        is_nullable(node)
        or Look.LINE_END in set(leaves(node))
        or any(contains(ranges, 10) for ranges in sets_of(node))
    )


@lru_cache(maxsize=64)
def byte_sequences(ranges: Ranges) -> Node:
    """Return the tree over bytes that matches one character of the set."""
    if not ranges or ranges[-1][1] <= 0x7F:
        return CharSet(ranges)
    sequences: list[list[tuple[int, int]]] = []
    for first, last in ranges:
        start = first
        for end in _LAST_OF_LENGTH:
            if start <= min(end, last):
                _split(start, min(end, last), sequences)
                start = min(end, last) + 1
    return alternation(
        concat([CharSet(((low, high),)) for low, high in sequence]) for sequence in sequences
    )


def _split(first: int, last: int, sequences: list[list[tuple[int, int]]]) -> None:
    """Add sequences for a range of characters whose encodings are equally long."""
    length = len(chr(first).encode())
    for tail in range(1, length):
        mask = (1 << 6 * tail) - 1
        if first & ~mask != last & ~mask:
            if first & mask:
                _split(first, first | mask, sequences)
                _split((first | mask) + 1, last, sequences)
                return
            if last & mask != mask:
                _split(first, (last & ~mask) - 1, sequences)
                _split(last & ~mask, last, sequences)
                return
    sequences.append(list(zip(chr(first).encode(), chr(last).encode(), strict=True)))
