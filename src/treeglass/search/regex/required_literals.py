"""Texts without which nothing can match, so that most files are refused by one `in`."""

from __future__ import annotations

from typing import NamedTuple

from treeglass.search.regex.class_ranges import Ranges, intersection
from treeglass.search.regex.tree import Alternation, CharSet, Concat, Node, Repeat

_MAX_ALTERNATIVES = 16
_ASCII: Ranges = ((0, 0x7F),)


class Literal(NamedTuple):
    """A text that a match holds."""

    text: str
    """In small letters if case is ignored; bytes are the characters up to U+00FF."""
    ignores_case: bool


class RequiredBytes(NamedTuple):
    """What a file in UTF-8 holds at least one of, if a line of it matches."""

    literals: tuple[tuple[bytes, bool], ...]
    """Each with whether it is in small letters because case is ignored; empty if none is known."""
    only_in_ascii: bool
    """Whether a file with other characters may match without them."""


def required_bytes(
    literals: tuple[Literal, ...], *, are_bytes: bool = False, only_in_ascii: bool = False
) -> RequiredBytes:
    """Return the literals as a file holds them.

    Args:
        literals: Of a pattern.
        are_bytes: Whether their characters are bytes, of which only ASCII letters have two cases.
        only_in_ascii: Whether they are those of files that are ASCII.
    """
    encoding = "latin-1" if are_bytes else "utf-8"
    try:
        found = tuple((each.text.encode(encoding), each.ignores_case) for each in literals)
    except UnicodeEncodeError:
        # A lone surrogate is an invalid byte of the file.
        found = ()
    if any(b"\n" in content for content, _ in found):
        # The file may have another line end there.
        found = ()
    ignores_case = any(each.ignores_case for each in literals)
    return RequiredBytes(found, only_in_ascii or (ignores_case and not are_bytes))


def required_literals(node: Node) -> tuple[Literal, ...]:
    """Return texts of which every match holds at least one; none, if that is not known."""
    match node:
        case CharSet():
            return _best([_runs((node,))])
        case Concat(parts):
            inner = [required_literals(part) for part in parts if not isinstance(part, CharSet)]
            return _best([_runs(parts), *inner])
        case Alternation(parts):
            found = [required_literals(part) for part in parts]
            alternatives = tuple(dict.fromkeys(each for group in found for each in group))
            return alternatives if all(found) and len(alternatives) <= _MAX_ALTERNATIVES else ()
        case Repeat(part, least):
            return required_literals(part) if least else ()
        case _:
            return ()


def _best(choices: list[tuple[Literal, ...]]) -> tuple[Literal, ...]:
    """Return the choice whose shortest text is longest."""
    return max(choices, key=lambda group: min((len(each.text) for each in group), default=0))


def _runs(parts: tuple[Node, ...]) -> tuple[Literal, ...]:
    """Return the longest text that consecutive characters spell."""
    best = run = ""
    best_ignores_case = ignores_case = False
    for part in parts:
        letter, has_both_cases = _letter(part)
        if not letter:
            run, ignores_case = "", False
            continue
        run += letter
        ignores_case = ignores_case or has_both_cases
        if len(run) > len(best):
            best, best_ignores_case = run, ignores_case
    if not best:
        return ()
    if best_ignores_case:
        # Only text that is ASCII is compared without case.
        pieces = "".join(char if char.isascii() else "\n" for char in best.lower()).split("\n")
        best = max(pieces, key=len)
    return (Literal(best, best_ignores_case),) if best else ()


def _letter(part: Node) -> tuple[str, bool]:
    """Return the character that a node stands for, and whether it is in either case."""
    if not isinstance(part, CharSet) or not part.ranges:
        return "", False
    if part.ranges[0][0] == part.ranges[-1][1]:
        return chr(part.ranges[0][0]), False
    match intersection(part.ranges, _ASCII):
        case ((upper, same), (lower, also)) if (
            upper == same and lower == also and lower - upper == 0x20 and chr(upper).isupper()
        ):
            return chr(lower), True
    return "", False
