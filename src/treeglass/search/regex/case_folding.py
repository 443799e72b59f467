"""Ignoring case: which characters count as equal, by Unicode's simple folding."""

from __future__ import annotations

from functools import cache, lru_cache

from treeglass.search.regex.class_ranges import (
    Ranges,
    intersection,
    members,
    of_characters,
    union,
)

_ASCII_LETTERS: Ranges = ((0x41, 0x5A), (0x61, 0x7A))
_ASCII: Ranges = ((0, 0x7F),)


@cache
def equals() -> dict[int, tuple[int, ...]]:
    """Return for each character that has a case those that are equal to it, itself included."""
    from treeglass.search.regex.unicode_data import FOLDING  # noqa: PLC0415 - large

    orbits: dict[int, set[int]] = {}
    first = 0
    for run in FOLDING.split(","):
        gap, distance, stride, number = map(int, run.split())
        first += gap
        for code in range(first, first + stride * number, stride):
            other = code + distance
            orbit = orbits.get(code, {code}) | orbits.get(other, {other})
            for member in orbit:
                orbits[member] = orbit
    return {code: tuple(sorted(orbit)) for code, orbit in orbits.items()}


@cache
def _with_case() -> Ranges:
    return of_characters(equals())


@lru_cache(maxsize=64)
def folded(ranges: Ranges) -> Ranges:
    """Return a set with every character that equals one of its own."""
    if intersection(ranges, _ASCII) == ranges and not intersection(ranges, _ASCII_LETTERS):
        return ranges
    known = equals()
    more = [other for code in members(intersection(ranges, _with_case())) for other in known[code]]
    return union(ranges, of_characters(more)) if more else ranges


def folded_ascii(ranges: Ranges) -> Ranges:
    """Return a set of bytes with the other case of each ASCII letter."""
    more = [code ^ 0x20 for code in members(intersection(ranges, _ASCII_LETTERS))]
    return union(ranges, of_characters(more)) if more else ranges
