"""Sets of characters as sorted ranges: `((first, last), …)`, ends included, gaps between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

Ranges = tuple[tuple[int, int], ...]

SCALAR_VALUES: Ranges = ((0, 0xD7FF), (0xE000, 0x10FFFF))
"""Every character; surrogates, which stand for bytes that are not UTF-8, are left out."""

EVERY_BYTE: Ranges = ((0, 0xFF),)


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the set that these ranges make, in any order."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            if last > found[-1][1]:
                found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return tuple(found)


def of_characters(codes: Iterable[int]) -> Ranges:
    """Return the set of these code points."""
    return merged((code, code) for code in codes)


def union(*sets: Ranges) -> Ranges:
    """Return what is in any of these sets."""
    return merged(pair for ranges in sets for pair in ranges)


def intersection(one: Ranges, other: Ranges) -> Ranges:
    """Return what is in both sets."""
    found: list[tuple[int, int]] = []
    at = other_at = 0
    while at < len(one) and other_at < len(other):
        first = max(one[at][0], other[other_at][0])
        last = min(one[at][1], other[other_at][1])
        if first <= last:
            found.append((first, last))
        if one[at][1] < other[other_at][1]:
            at += 1
        else:
            other_at += 1
    return tuple(found)


def complement(ranges: Ranges, universe: Ranges) -> Ranges:
    """Return what is in the universe and not in the set."""
    gaps: list[tuple[int, int]] = []
    begin = 0
    for first, last in ranges:
        if first > begin:
            gaps.append((begin, first - 1))
        begin = last + 1
    gaps.append((begin, max(begin, universe[-1][1])))
    return intersection(tuple(gaps), universe)


def difference(one: Ranges, other: Ranges) -> Ranges:
    """Return what is in the first set and not in the other."""
    return complement(other, one) if one else ()


def symmetric_difference(one: Ranges, other: Ranges) -> Ranges:
    """Return what is in exactly one of two sets."""
    return union(difference(one, other), difference(other, one))


def contains(ranges: Ranges, code: int) -> bool:
    """Tell whether a code point is in the set."""
    at = bisect_right(ranges, (code, 0x110000)) - 1
    return at >= 0 and ranges[at][0] <= code <= ranges[at][1]


def overlap(one: Ranges, other: Ranges) -> bool:
    """Tell whether two sets have a member in common."""
    return bool(intersection(one, other))


def count(ranges: Ranges) -> int:
    """Return the number of members."""
    return sum(last - first + 1 for first, last in ranges)


def members(ranges: Ranges) -> Iterator[int]:
    """Yield the code points of a set."""
    return (code for first, last in ranges for code in range(first, last + 1))
