"""A set of characters as the sequences of bytes that encode them in UTF-8."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from treeglass.search.regex.tree import CharSet, Node, alternation, concat

if TYPE_CHECKING:
    from treeglass.search.regex.class_ranges import Ranges

_LAST_OF_LENGTH = (0x7F, 0x7FF, 0xFFFF, 0x10FFFF)


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
