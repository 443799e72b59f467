"""The meaning of characters, escapes and classes of Rust's dialect under the flags in force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treeglass.search.regex.ceilings import RegexInvalid
from treeglass.search.regex.class_ranges import (
    EVERY_BYTE,
    SCALAR_VALUES,
    Ranges,
    complement,
    difference,
    merged,
)
from treeglass.search.regex.tree import (
    CharSet,
    Look,
    Node,
    byte_sequences,
    children,
    literal,
    mapped,
    single_character,
)
from treeglass.search.regex.unicode_tables import (
    SPACE,
    UnknownClass,
    digit,
    folded,
    folded_ascii,
    general_category,
    named_class,
    valued_class,
    word,
)

if TYPE_CHECKING:
    from treeglass.search.regex.rust_scanner import Escape, Scanner

_ASCII_CLASSES: dict[str, Ranges] = {
    "alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)),
    "alpha": ((0x41, 0x5A), (0x61, 0x7A)),
    "ascii": ((0, 0x7F),),
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": ((0x30, 0x39),),
    "graph": ((0x21, 0x7E),),
    "lower": ((0x61, 0x7A),),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((0x09, 0x0D), (0x20, 0x20)),
    "upper": ((0x41, 0x5A),),
    "word": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)),
    "xdigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}
_PERL_CLASSES: dict[str, Callable[[], Ranges]] = {"d": digit, "s": lambda: SPACE, "w": word}
_NOT_ALLOWED = "Unicode not allowed here"
_NOT_FOUND = "Unicode property not found"
_CARRIED = (
    "this Unicode class is not carried; general categories are, and the scripts Arabic, Cyrillic, "
    "Devanagari, Greek, Han, Hangul, Hebrew, Hiragana, Katakana, Latin and Thai"
)


_ADVICE = {
    0: (
        'pattern contains "\\0" but it is impossible to match\n\n'
        "Consider enabling text mode with the --text flag (or -a for short). Otherwise,\n"
        "binary detection is enabled and matching a NUL byte is impossible."
    ),
    10: (
        'the literal "\\n" is not allowed in a regex\n\n'
        "Consider enabling multiline mode with the --multiline flag (or -U for short).\n"
        "When multiline mode is enabled, new line characters can be matched."
    ),
}


class NeedsBytes(Exception):
    """The pattern can match a part of a character, so it must be searched for in bytes."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags in force at one place; ripgrep sets `m`."""

    i: bool = False
    m: bool = True
    s: bool = False
    U: bool = False
    u: bool = True
    R: bool = False
    x: bool = False


class Meaning:
    """Turns what the scanner reads into nodes.

    Rust looks at the meaning after the whole pattern was parsed: `first_error` is to be
    raised if the rest has no error of its own.
    """

    def __init__(self, scanner: Scanner, *, in_bytes: bool) -> None:
        self._scanner = scanner
        self._in_bytes = in_bytes
        self.first_error: RegexInvalid | None = None

    def _fail(self, reason: str, start: int, end: int) -> None:
        if self.first_error is None:
            self.first_error = self._scanner.error(reason, (start, end))

    def of_set(self, ranges: Ranges, flags: Flags) -> Node:
        """Return the node of a set: of characters with the flag `u`, and of bytes without."""
        if not self._in_bytes:
            if not flags.u and ranges and ranges[-1][1] > 0x7F:
                raise NeedsBytes
            return CharSet(ranges)
        return byte_sequences(ranges) if flags.u else CharSet(ranges)

    def of_literal(self, item: Escape, flags: Flags) -> Node:
        """Return the node of one character."""
        code = ord(item.value)
        if flags.u:
            ranges: Ranges = ((code, code),)
            return self.of_set(folded(ranges) if flags.i else ranges, flags)
        if item.kind == "byte" or code <= 0x7F:
            ranges = ((code, code),)
            return self.of_set(folded_ascii(ranges) if flags.i else ranges, flags)
        return literal(item.value.encode() if self._in_bytes else [code])

    def of_dot(self, flags: Flags) -> Node:
        """Return the node of `.`."""
        ranges = SCALAR_VALUES if flags.u else EVERY_BYTE
        if not flags.s:
            ends: Ranges = ((10, 10), (13, 13)) if flags.R else ((10, 10),)
            ranges = difference(ranges, ends)
        return self.of_set(ranges, flags)

    @staticmethod
    def of_anchor(character: str, flags: Flags) -> Node:
        """Return the node of `^` or `$`."""
        if flags.R and flags.m:
            return Look.CR_LINE_START if character == "^" else Look.CR_LINE_END
        return Look.LINE_START if character == "^" else Look.LINE_END

    def of_look(self, look: Look, flags: Flags) -> Node:
        """Return the node of an escape that stands for a place in the line."""
        if look in (Look.LINE_START, Look.LINE_END):
            return look
        if self._in_bytes and flags.u:
            self.first_error = self.first_error or RegexInvalid(
                "Unicode word edges cannot be searched for together with single bytes; "
                "write (?-u:\\b)"
            )
        return look if flags.u else Look[f"ASCII_{look.name}"]

    def of_class(self, item: Escape, flags: Flags) -> Ranges:
        r"""Return the set of `\d`, `\p{…}` and the like, negated if its letter is."""
        letter = item.value[0]
        if item.kind == "property":
            ranges = self._property(item, flags)
            if flags.i:
                ranges = folded(ranges)
        elif flags.u:
            ranges = _PERL_CLASSES[letter.lower()]()
        else:
            ranges = _ASCII_CLASSES[{"d": "digit", "s": "space", "w": "word"}[letter.lower()]]
        return self.negated(ranges, flags) if letter.isupper() else ranges

    def of_ascii_class(self, name: str, flags: Flags, *, is_negated: bool) -> Ranges | None:
        """Return the set of `[:name:]`; None if the name is unknown."""
        ranges = _ASCII_CLASSES.get(name)
        if ranges is None:
            return None
        # Before it is negated: `(?i)[[:^word:]]` has no long s, since that equals s.
        ranges = self.folded(ranges, flags)
        return self.negated(ranges, flags) if is_negated else ranges

    def of_class_range(self, first: Escape, last: Escape, flags: Flags) -> Ranges:
        """Return the set of a range in a class; a single character is one, too."""
        for item in (first, last):
            if not flags.u and item.kind != "byte" and not item.value.isascii():
                self._fail(_NOT_ALLOWED, item.start, item.end)
                return ()
        low, high = ord(first.value), ord(last.value)
        if not flags.u or high < 0xD800 or low > 0xDFFF:
            return merged([(low, high)])
        return ((low, 0xD7FF), (0xE000, high))

    @staticmethod
    def negated(ranges: Ranges, flags: Flags) -> Ranges:
        """Return every other character, or byte."""
        return complement(ranges, SCALAR_VALUES if flags.u else EVERY_BYTE)

    @staticmethod
    def folded(ranges: Ranges, flags: Flags) -> Ranges:
        """Return a set as the flag `i` widens it."""
        if not flags.i:
            return ranges
        return folded(ranges) if flags.u else folded_ascii(ranges)

    def _property(self, item: Escape, flags: Flags) -> Ranges:
        if not flags.u:
            self._fail(_NOT_ALLOWED, item.start, item.end)
            return ()
        name, is_negated = item.value[1:], False
        for sign in ("!=", ":", "="):
            if sign in name:
                name, _, value = name.partition(sign)
                is_negated = sign == "!="
                break
        else:
            value = None
        try:
            if value is not None:
                found = valued_class(name, value)
            elif len(item.value) == len("pL"):
                found = general_category(name.lower())
            else:
                found = named_class(name)
        except UnknownClass:
            is_name = name.replace("_", "").isalpha() and len(item.value) > len("pL")
            self._fail(_CARRIED if is_name else _NOT_FOUND, item.start, item.end)
            return ()
        if found is None:
            self._fail(_NOT_FOUND, item.start, item.end)
            return ()
        return self.negated(found, flags) if is_negated else found


def refuse_impossible(node: Node) -> None:
    """Raise `RegexInvalid`, as ripgrep does, for a NUL or a line feed that a match would need."""
    for code, advice in _ADVICE.items():
        if _needs(node, code):
            raise RegexInvalid(advice)


def _needs(node: Node, code: int) -> bool:
    return single_character(node) == code or any(_needs(part, code) for part in children(node))


def without_line_feeds(node: Node) -> Node:
    """Return the tree with line feeds taken out of every set."""
    if isinstance(node, CharSet):
        return CharSet(difference(node.ranges, ((10, 10),)))
    return mapped(node, without_line_feeds)
