"""Write a tree as a pattern of Python's `re`, with our own sets and word edges.

One tree has several translations: in text that is ASCII, or has no character beyond
U+FFFF, the sets are small, and `re` is many times faster with small sets. A tree that
ignores case is searched for in small letters, since `re` finds no `[tT][oO]` quickly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treeglass.search.regex.class_ranges import Ranges, complement, count, difference, intersection
from treeglass.search.regex.tree import (
    Alternation,
    CharSet,
    Concat,
    Look,
    Node,
    Once,
    Repeat,
    sets_of,
)
from treeglass.search.regex.unicode_tables import folded_ascii, word

if TYPE_CHECKING:
    _Pattern = re.Pattern[str] | re.Pattern[bytes]

_ASCII: Final[Ranges] = ((0, 0x7F),)
_CAPITALS: Final[Ranges] = ((0x41, 0x5A),)
_BYTES: Final[Ranges] = ((0, 0xFF),)
_BASIC: Final[Ranges] = ((0, 0xFFFF),)
_ALL: Final[Ranges] = ((0, 0x10FFFF),)
_NOT_UTF8 = "\\udc80-\\udcff"
_MAX_FURTHER_RANGES = 32
"""`re` tries ranges beyond U+FFFF one by one; sets with more are left to the automaton."""

_ASCII_LOOKS = {
    "WORD_EDGE": r"\b",
    "NO_WORD_EDGE": r"(?!\b)",
    "WORD_START": r"\b(?=\w)",
    "WORD_END": r"\b(?<=\w)",
    "WORD_START_HALF": r"(?<!\w)",
    "WORD_END_HALF": r"(?!\w)",
}
_LOOKS = {
    "WORD_EDGE": "(?:(?<![{w}])(?=[{w}])|(?<=[{w}])(?![{w}]))",
    "NO_WORD_EDGE": "(?<![{x}])(?![{x}])(?:(?<![{w}])(?![{w}])|(?<=[{w}])(?=[{w}]))",
    "WORD_START": "(?<![{w}])(?=[{w}])",
    "WORD_END": "(?<=[{w}])(?![{w}])",
    "WORD_START_HALF": "(?<![{w}{x}])",
    "WORD_END_HALF": "(?![{w}{x}])",
}
_LINE_LOOKS = {
    Look.LINE_START: "^",
    Look.LINE_END: "$",
    Look.CR_LINE_START: r"(?:^|(?<=\r)(?!$))",
    Look.CR_LINE_END: r"(?:(?=\r)|(?<!\r)$)",
    Look.BEFORE_LAST_LINE_FEED: "$",
    Look.AFTER_LINE_FEED: "^",
    Look.PYTHON_WORD_EDGE: r"(?u:\b)",
    Look.PYTHON_NO_WORD_EDGE: r"(?u:(?!\b))",
}


class Translation:
    """A tree, as the patterns of `re` that search for it."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._ignores_case = _ignores_case(sets_of(node))
        self._compiled: dict[str, _Pattern | None] = {}

    def for_text(self, text: str | bytes) -> tuple[_Pattern | None, str | bytes]:
        """Return the pattern to search by, None if `re` would be slow, and the text to search."""
        if isinstance(text, bytes):
            kind = "bytes"
        elif text.isascii():
            kind = "ascii"
        else:
            kind = "all" if _BEYOND_BASIC.search(text) else "basic"
        if kind not in self._compiled:
            self._compiled[kind] = self._compile(kind)
        if self._ignores_case and kind in ("bytes", "ascii"):
            text = text.lower()
        return self._compiled[kind], text

    def _compile(self, kind: str) -> _Pattern | None:
        universe = {"bytes": _BYTES, "ascii": _ASCII, "basic": _BASIC, "all": _ALL}[kind]
        if kind == "all" and any(
            len(intersection(ranges, ((0x10000, 0x10FFFF),))) > _MAX_FURTHER_RANGES
            for ranges in sets_of(self._node)
        ):
            return None
        if self._ignores_case and kind in ("bytes", "ascii"):
            universe = difference(universe, _CAPITALS)
        written = _Writer(universe).write(self._node)
        if kind == "bytes":
            return re.compile(written.encode("latin-1"), re.MULTILINE)
        return re.compile(written, re.MULTILINE | re.ASCII)


def _ignores_case(sets: set[Ranges]) -> bool:
    """Tell whether case never counts, and a letter stands for itself."""
    ascii_sets = {intersection(ranges, _ASCII) for ranges in sets}
    return all(folded_ascii(ranges) == ranges for ranges in ascii_sets) and any(
        count(ranges) == 2 and intersection(ranges, _CAPITALS) for ranges in ascii_sets
    )


_BEYOND_BASIC = re.compile("[\U00010000-\U0010ffff]")


class _Writer:
    def __init__(self, universe: Ranges) -> None:
        self._universe = universe
        self._last = universe[-1][1]

    def write(self, node: Node) -> str:
        match node:
            case CharSet(ranges):
                return self._set(ranges)
            case Concat(parts):
                return "".join(
                    f"(?:{self.write(part)})" if isinstance(part, Alternation) else self.write(part)
                    for part in parts
                )
            case Alternation(parts):
                return "|".join(map(self.write, parts))
            case Repeat(part, least, most, is_greedy):
                inner = self.write(part)
                if not isinstance(part, CharSet):
                    inner = f"(?:{inner})"
                return inner + _times(least, most) + ("" if is_greedy else "?")
            case Once():
                raise TypeError("only `re` can search for this tree")
            case Look():
                return self._look(node)

    def _set(self, ranges: Ranges) -> str:
        ranges = intersection(ranges, self._universe)
        if not ranges:
            return "(?!)"
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return _escaped(ranges[0][0])
        others = complement(ranges, self._universe)
        if others == ((10, 10),):
            return "."
        if len(others) < len(ranges):
            return f"[^{_members(others)}]"
        return f"[{_members(ranges)}]"

    def _look(self, look: Look) -> str:
        if look in _LINE_LOOKS:
            return _LINE_LOOKS[look]
        if self._last <= 0xFF or look.name.startswith("ASCII_"):
            return _ASCII_LOOKS[look.name.removeprefix("ASCII_")]
        members = _members(intersection(word(), self._universe))
        return "(?:" + _LOOKS[look.name].format(w=members, x=_NOT_UTF8) + ")"


def _times(least: int, most: int | None) -> str:
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{least},}}"
    return f"{{{least}}}" if least == most else f"{{{least},{most}}}"


def _members(ranges: Ranges) -> str:
    return "".join(
        _escaped(first) if first == last else f"{_escaped(first)}-{_escaped(last)}"
        for first, last in ranges
    )


def _escaped(code: int) -> str:
    character = chr(code)
    if character.isascii() and (character.isalnum() or character in " _"):
        return character
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
