"""A tree as a list of places, which the automata step through."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.class_ranges import Ranges, contains
from treeglass.search.regex.tree import (
    Alternation,
    CharSet,
    Concat,
    Look,
    Node,
    Once,
    Repeat,
    is_nullable,
)
from treeglass.search.regex.unicode_tables import word

MATCH = 0
"""The place behind the whole tree."""

_NO_SET = -1
_MAX_KEPT_CHARACTERS = 5_000
_MAX_KEPT_NUMBERS = 500_000


class Kind(IntEnum):
    """The kind of a character, as an assertion sees it."""

    EDGE = 0
    """No character: a line starts or ends here."""
    OTHER = 1
    CR = 2
    LF = 3
    ASCII_WORD = 4
    WORD = 5
    INVALID = 6
    """A byte that is not UTF-8."""


class Program:
    """Places, each a set of characters, a look, or a choice between places.

    Made of a tree that has passed `check_size`; backwards, it reads a text from its end.
    """

    def __init__(
        self, node: Node, checkpoint: Checkpoint = no_check, *, is_backwards: bool = False
    ) -> None:
        self._checkpoint = checkpoint
        self._is_backwards = is_backwards
        self.set_numbers: list[int] = [_NO_SET]
        """For each place the number of its set; negative if it has none."""
        self.following: list[int] = [MATCH]
        """For each place with a set or a look, the place behind it."""
        self.looks: dict[int, Look] = {}
        """The places that are looks."""
        self.choices: dict[int, list[int]] = {}
        """The places that are choices, with what they choose from, the preferred first."""
        self._sets: dict[Ranges, int] = {}
        self._accepted: dict[str | int, frozenset[int]] = {}
        self._kept_numbers = 0
        self._kinds: dict[str | int, Kind] = {}
        self.start = self._emit(node, MATCH)
        names = [look.name for look in self.looks.values()]
        needs_word = any(name.startswith(("WORD", "NO_WORD")) for name in names)
        self._word = word() if needs_word else ()
        self._is_python = any(name.startswith("PYTHON") for name in names)

    def _place(self, following: int, *, set_number: int = _NO_SET) -> int:
        self.set_numbers.append(set_number)
        self.following.append(following)
        return len(self.following) - 1

    def _choice(self, options: list[int]) -> int:
        place = self._place(MATCH)
        self.choices[place] = options
        return place

    def _emit(self, node: Node, following: int) -> int:
        """Add a node that goes on to a place; return where it begins."""
        match node:
            case CharSet(ranges):
                number = self._sets.setdefault(ranges, len(self._sets))
                return self._place(following, set_number=number)
            case Look():
                place = self._place(following)
                self.looks[place] = node
                return place
            case Concat(parts):
                for part in parts if self._is_backwards else reversed(parts):
                    following = self._emit(part, following)
                return following
            case Alternation(parts):
                return self._choice([self._emit(part, following) for part in parts])
            case Repeat():
                return self._emit_repeat(node, following)
            case Once():
                raise TypeError("only `re` can search for this tree")

    def _emit_repeat(self, node: Repeat, following: int) -> int:
        def choose(inner: int) -> list[int]:
            return [inner, following] if node.is_greedy else [following, inner]

        self._checkpoint()
        part, least = node.part, node.least
        if node.most is None:
            loop = self._choice([])
            inner = self._emit(part, loop)
            self.choices[loop] += choose(inner)
            if least == 0 and is_nullable(part):
                # One choice for both would let an empty round hide what follows it.
                return self._choice(choose(inner))
            at = loop if least == 0 else inner
            copies = max(0, least - 1)
        else:
            at = following
            for _ in range(node.most - least):
                at = self._choice(choose(self._emit(part, at)))
            copies = least
        for _ in range(copies):
            at = self._emit(part, at)
        return at

    def reached_without_a_character(self) -> dict[int, int]:
        """Return for each choice the places that it leads to, as bits."""
        reached = dict.fromkeys(self.choices, 0)
        is_settled = False
        while not is_settled:
            self._checkpoint()
            is_settled = True
            # A choice stands behind what it leads to, except in loops: those take more rounds.
            for place, options in self.choices.items():
                found = 0
                for option in options:
                    found |= reached[option] if option in reached else 1 << option
                if found != reached[place]:
                    reached[place] = found
                    is_settled = False
        return reached

    def accepted(self, character: str | int) -> frozenset[int]:
        """Return the numbers of the sets that hold a character or byte."""
        known = self._accepted.get(character)
        if known is None:
            code = character if isinstance(character, int) else ord(character)
            known = frozenset(
                number for ranges, number in self._sets.items() if contains(ranges, code)
            )
            self._kept_numbers += len(known)
            if (
                len(self._accepted) >= _MAX_KEPT_CHARACTERS
                or self._kept_numbers > _MAX_KEPT_NUMBERS
            ):
                self._accepted.clear()
                self._kept_numbers = len(known)
            self._accepted[character] = known
        return known

    def kind(self, character: str | int) -> Kind:
        """Return what a character or byte is to the looks of this program."""
        if not self.looks:
            return Kind.OTHER
        known = self._kinds.get(character)
        if known is None:
            if len(self._kinds) >= _MAX_KEPT_CHARACTERS:
                self._kinds.clear()
            known = self._kinds[character] = self._kind(character)
        return known

    def _kind(self, character: str | int) -> Kind:
        code = character if isinstance(character, int) else ord(character)
        if code in (10, 13):
            return Kind.LF if code == 10 else Kind.CR
        if code <= 0x7F:
            is_word = chr(code).isalnum() or code == ord("_")
            return Kind.ASCII_WORD if is_word else Kind.OTHER
        if self._is_python:
            return Kind.WORD if chr(code).isalnum() else Kind.OTHER
        if isinstance(character, str) and 0xD800 <= code <= 0xDFFF:
            return Kind.INVALID
        return Kind.WORD if contains(self._word, code) else Kind.OTHER

    def holds(self, look: Look, read: Kind, coming: Kind) -> bool:
        """Tell whether a look holds between what was read and what comes."""
        before, after = (coming, read) if self._is_backwards else (read, coming)
        test = _LINE_TESTS.get(look)
        return test(before, after) if test else _holds_by_words(look, before, after)


_LINE_TESTS: dict[Look, Callable[[Kind, Kind], bool]] = {
    Look.LINE_START: lambda before, _: before is Kind.EDGE,
    Look.LINE_END: lambda _, after: after is Kind.EDGE,
    Look.CR_LINE_START: lambda before, after: (
        before is Kind.EDGE or (before is Kind.CR and after is not Kind.EDGE)
    ),
    Look.CR_LINE_END: lambda before, after: (
        after is Kind.CR or (after is Kind.EDGE and before is not Kind.CR)
    ),
    Look.BEFORE_LAST_LINE_FEED: lambda _, after: after in (Kind.EDGE, Kind.LF),
    Look.AFTER_LINE_FEED: lambda before, _: before in (Kind.EDGE, Kind.LF),
}


def _holds_by_words(look: Look, before: Kind, after: Kind) -> bool:
    """Tell whether a look holds that asks for word characters on its sides."""
    words = (Kind.ASCII_WORD,) if look.name.startswith("ASCII_") else (Kind.ASCII_WORD, Kind.WORD)
    starts, ends = after in words, before in words
    # To Unicode's looks, a byte that is not UTF-8 is neither in a word nor out of one.
    is_known = Kind.WORD not in words or Kind.INVALID not in (before, after)
    match look.name.removeprefix("ASCII_").removeprefix("PYTHON_"):
        case "WORD_EDGE":
            return starts != ends
        case "NO_WORD_EDGE":
            return starts == ends and is_known
        case "WORD_START":
            return starts and not ends
        case "WORD_END":
            return ends and not starts
        case "WORD_START_HALF":
            return not ends and (is_known or before is not Kind.INVALID)
        case _:
            return not starts and (is_known or after is not Kind.INVALID)
