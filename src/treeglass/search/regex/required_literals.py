"""Texts without which nothing can match, so that most files are refused by one search for them."""

from __future__ import annotations

from typing import NamedTuple

from treeglass.search.regex.class_ranges import Ranges, count, difference, intersection, members
from treeglass.search.regex.text_lines import Spans, find_text, line_at
from treeglass.search.regex.tree import Alternation, CharSet, Concat, Node, Repeat

_MAX_ALTERNATIVES = 16
_MAX_OTHERS = 4
_ASCII: Ranges = ((0, 0x7F),)


class Literal(NamedTuple):
    """A text that a match holds."""

    text: str
    """In small letters if case is ignored; bytes are the characters up to U+00FF."""
    ignores_case: bool
    instead: tuple[str, ...] = ()
    """A match without the text holds one of these, such as the Kelvin sign for a `k`."""


class RequiredBytes(NamedTuple):
    """Literals of which a file in UTF-8 holds at least one, if a line of it matches."""

    literals: tuple[tuple[bytes, bool], ...]
    """Each with whether it is in small letters because case is ignored; empty if none is known."""
    only_in_ascii: bool
    """True if a file with other characters may match without them."""


def required_bytes(literals: tuple[Literal, ...], *, are_bytes: bool = False) -> RequiredBytes:
    """Return the literals as a file holds them."""
    encoding = "latin-1" if are_bytes else "utf-8"
    texts = [(each.text, each.ignores_case) for each in literals]
    texts += [(text, False) for each in literals for text in each.instead]
    try:
        found = tuple((text.encode(encoding), ignores_case) for text, ignores_case in texts)
    except UnicodeEncodeError:
        # A lone surrogate is an invalid byte of the file.
        found = ()
    if any(b"\n" in content for content, _ in found):
        # The file may have another line end there.
        found = ()
    return RequiredBytes(found, only_in_ascii=False)


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


class _Letter(NamedTuple):
    """A character that a node stands for."""

    text: str
    has_both_cases: bool = False
    others: str = ""
    """Those beyond ASCII that equal it."""


def _runs(parts: tuple[Node, ...]) -> tuple[Literal, ...]:
    """Return the longest text that consecutive characters spell."""
    runs: list[list[_Letter]] = [[]]
    for part in parts:
        letter = _letter(part)
        if letter is None:
            runs.append([])
        else:
            runs[-1].append(letter)
    best = max(runs, key=len)
    if not best:
        return ()
    if not any(letter.has_both_cases for letter in best):
        return (Literal("".join(letter.text for letter in best), ignores_case=False),)
    text = "".join(letter.text.lower() if letter.text.isascii() else letter.text for letter in best)
    others = dict.fromkeys("".join(letter.others for letter in best))
    return (Literal(text, ignores_case=True, instead=tuple(others)),)


def is_literal(node: Node) -> bool:
    """Tell whether a text matches just if it holds the one required literal.

    Where the literal names others instead, that is known of texts in ASCII alone.
    """
    letters = list(map(_letter, node.parts if isinstance(node, Concat) else (node,)))
    ignores_case = any(letter and letter.has_both_cases for letter in letters)
    return bool(letters) and all(
        letter
        and letter.text != "\n"
        and (letter.has_both_cases or not (ignores_case and letter.text.isalpha()))
        for letter in letters
    )


def _letter(part: Node) -> _Letter | None:
    if not isinstance(part, CharSet) or not part.ranges:
        return None
    if part.ranges[0][0] == part.ranges[-1][1]:
        return _Letter(chr(part.ranges[0][0]))
    match intersection(part.ranges, _ASCII):
        case ((upper, same), (lower, also)) if (
            upper == same and lower == also and lower - upper == 0x20 and chr(upper).isupper()
        ):
            others = difference(part.ranges, _ASCII)
            if count(others) <= _MAX_OTHERS:
                spelled = "".join(map(chr, members(others)))
                return _Letter(chr(lower), has_both_cases=True, others=spelled)
    return None


def may_match(literals: tuple[Literal, ...], text: str | bytes) -> bool:
    """Tell whether a text holds one of the literals, or whether that cannot be told."""
    lowered: bytes | str | None = None
    for each in literals:
        within, wanted = text, each.text
        if each.ignores_case:
            lowered = _with_small_letters(text) if lowered is None else lowered
            within = lowered
            if isinstance(within, bytes) and isinstance(text, str):
                wanted = wanted.encode("utf-8", "surrogatepass").decode("latin-1")
        if find_text(within, wanted, 0, len(within)) >= 0:
            return True
        if any(find_text(text, other, 0, len(text)) >= 0 for other in each.instead):
            return True
    return not literals


def _with_small_letters(text: str | bytes) -> str | bytes:
    """Return a text with the letters of ASCII small; in UTF-8 if it is not ASCII."""
    if isinstance(text, str) and not text.isascii():
        text = text.encode("utf-8", "surrogatepass")
    return text.lower()


def candidate_lines(
    literals: tuple[Literal, ...], text: str | bytes, start: int, end: int
) -> Spans:
    """Yield the lines between two places with the one required literal; everything without one."""
    within, at = text, start
    is_known = len(literals) == 1 and "\n" not in literals[0].text
    if is_known and literals[0].ignores_case:
        piece = text[start:end]
        is_known = piece.isascii() or (isinstance(text, bytes) and not literals[0].instead)
        within, at, end = piece.lower(), 0, end - start
    offset = start - at
    if not is_known:
        yield start, offset + end
        return
    while (found := find_text(within, literals[0].text, at, end)) >= 0:
        first, last = line_at(within, at, found, end)
        yield offset + first, offset + last
        at = last + 1
