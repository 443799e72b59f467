"""The tree of a pattern that Python's `re` has parsed.

What a set of `re` matches, also without case, is asked of `re` itself, so the answer is
right in each version of Python.
"""

from __future__ import annotations

import codecs
import re
import warnings
from array import array
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

from treeglass.search.regex.ceilings import Meter, RegexInvalid
from treeglass.search.regex.class_ranges import (
    Ranges,
    complement,
    difference,
    intersection,
    merged,
    of_characters,
    union,
)
from treeglass.search.regex.safety import first_set
from treeglass.search.regex.tree import (
    EMPTY,
    CharSet,
    Look,
    Node,
    Once,
    alternation,
    concat,
    is_nullable,
    repeat,
)

MAX_FOLDED_CHARACTERS = 1_000_000
"""Most characters in the ranges of a pattern that ignores case.

`re` looks at each of them when it compiles the pattern, and at no clock.
"""

_LAST_BASIC = 0xFFFF
_CASED_PIECE = 256

_ANY_TEXT = Once(repeat(CharSet(((0, 0x10FFFF),)), 0, None))
_LOOKS = {
    "AT_BEGINNING": Look.LINE_START,
    "AT_BEGINNING_STRING": Look.LINE_START,
    "AT_END": Look.BEFORE_LAST_LINE_FEED,
    "AT_END_STRING": Look.LINE_END,
    "AT_BOUNDARY": Look.PYTHON_WORD_EDGE,
    "AT_NON_BOUNDARY": Look.PYTHON_NO_WORD_EDGE,
}
_ASCII_LOOKS = {"AT_BOUNDARY": Look.ASCII_WORD_EDGE, "AT_NON_BOUNDARY": Look.ASCII_NO_WORD_EDGE}


TOO_NESTED = "its groups are nested too deeply; put fewer groups in one another"


def parsed_by_re(pattern: str, flags: int) -> Any:
    """Return what the parser of `re` makes of a pattern, or raise `RegexInvalid`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            parsed = _parser.parse(pattern, flags)
        except (re.error, OverflowError) as error:
            raise RegexInvalid(str(error)) from None
        except RecursionError:
            raise RegexInvalid(TOO_NESTED) from None
        except ValueError:
            # Python reads no number of more than 4,300 digits.
            raise RegexInvalid("a number in it has too many digits") from None
    if _count_folded(parsed) > MAX_FOLDED_CHARACTERS:
        raise RegexInvalid(
            f"the ranges of its classes hold more than {MAX_FOLDED_CHARACTERS:,} characters; use "
            "fewer or smaller ranges, or let case count"
        )
    return parsed


def _count_folded(parsed: Any) -> int:
    """Return how many characters `re` would look at one by one to ignore their case."""
    count, ignores_case = 0, bool(parsed.state.flags & re.IGNORECASE)
    waiting = [parsed]
    while waiting:
        for operation, value in waiting.pop():
            name = str(operation)
            if name == "RANGE":
                count += max(0, min(value[1], _LAST_BASIC) - value[0] + 1)
            elif name == "IN":
                waiting.append(value)
            elif isinstance(value, tuple):
                ignores_case = ignores_case or bool(
                    name == "SUBPATTERN" and value[1] & re.IGNORECASE
                )
                waiting += _patterns_in(value)
            elif isinstance(value, _parser.SubPattern):
                waiting.append(value)
    return count if ignores_case else 0


def _patterns_in(value: tuple[Any, ...]) -> Iterator[Any]:
    for each in value:
        if isinstance(each, _parser.SubPattern):
            yield each
        elif isinstance(each, list):
            yield from each


def python_tree(parsed: Any, meter: Meter, *, is_ascii: bool) -> tuple[Node, str]:
    """Return the tree of a pattern that `re` has compiled, and what of it only `re` can match.

    For text that will be ASCII, the sets hold nothing else.
    """
    reader = _Reader(meter, is_ascii=is_ascii)
    return reader.sequence(parsed, parsed.state.flags), reader.needs_re


class _Reader:
    def __init__(self, meter: Meter, *, is_ascii: bool) -> None:
        self._meter = meter
        self._is_ascii = is_ascii
        self._groups: dict[int, Node] = {}
        self.needs_re = ""

    def sequence(self, items: Iterable[tuple[Any, Any]], flags: int) -> Node:
        return concat([self._node(str(operation), value, flags) for operation, value in items])

    def _node(self, operation: str, value: Any, flags: int) -> Node:
        match operation:
            case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
                ranges = _set(operation, _frozen(value), flags & _KEPT, self._is_ascii)
                self._meter.count(ranges)
                return CharSet(ranges)
            case "BRANCH":
                return alternation([self.sequence(each, flags) for each in value[1]])
            case "SUBPATTERN":
                number, added, removed, inner = value
                node = self.sequence(inner, flags & ~removed | added)
                if number is not None:
                    self._groups[number] = node
                return node
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeat(value, flags, is_greedy=operation == "MAX_REPEAT")
            case "AT":
                return self._look(str(value), flags)
        return self._only_re(operation, value, flags)

    def _repeat(self, value: Any, flags: int, *, is_greedy: bool) -> Node:
        least, most, inner = value
        limit = None if most == _parser.MAXREPEAT else int(most)
        return repeat(self.sequence(inner, flags), int(least), limit, is_greedy=is_greedy)

    def _look(self, name: str, flags: int) -> Node:
        if name == "AT_BEGINNING" and flags & re.MULTILINE:
            return Look.AFTER_LINE_FEED
        if flags & re.ASCII or self._is_ascii:
            return _ASCII_LOOKS.get(name, _LOOKS[name])
        return _LOOKS[name]

    def _only_re(self, operation: str, value: Any, flags: int) -> Node:
        """Return a node that takes at least as much work."""
        kind = "look-around or a backreference"
        match operation:
            case "ASSERT" | "ASSERT_NOT":
                node: Node = Once(self.sequence(value[1], flags))
            case "GROUPREF":
                group = self._groups.get(value, EMPTY)
                node = _ANY_TEXT
                if not is_nullable(group):
                    node = concat([CharSet(first_set(group)), node])
            case "GROUPREF_EXISTS":
                branches = [self.sequence(each, flags) for each in value[1:] if each is not None]
                node = alternation([*branches, EMPTY])
            case "POSSESSIVE_REPEAT":
                node = self._repeat(value, flags, is_greedy=True)
                kind = "a possessive repetition"
            case "ATOMIC_GROUP":
                node = self.sequence(value, flags)
                kind = "an atomic group"
            case _:
                node = EMPTY
        self.needs_re = self.needs_re or kind
        return node


_KEPT = int(re.IGNORECASE | re.ASCII | re.DOTALL)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


@lru_cache(maxsize=256)
def _set(operation: str, value: Any, flags: int, is_ascii: bool) -> Ranges:  # noqa: FBT001
    """Return which characters a set matches."""
    if operation == "ANY":
        ends = () if flags & re.DOTALL else (10,)
        return ((0, 9), (11, 0x10FFFF)) if ends else ((0, 0x10FFFF),)
    ranges = _with_case(operation, value, flags, is_ascii=is_ascii)
    if not flags & re.IGNORECASE:
        return ranges
    # Without case, only these can be more or less.
    cased = _cased(is_ascii=is_ascii)
    if operation == "LITERAL" and chr(value) not in cased:
        return ranges
    asked = _compiled(operation, value, flags).finditer(cased)
    found = [(ord(each[0]), ord(each[0])) for each in asked]
    return union(difference(ranges, _cased_ranges(is_ascii=is_ascii)), merged(found))


def _with_case(operation: str, value: Any, flags: int, *, is_ascii: bool) -> Ranges:
    if operation == "LITERAL":
        return ((value, value),)
    items = (("LITERAL", value),) if operation == "NOT_LITERAL" else value
    universe: Ranges = ((0, 0x7F if is_ascii else 0x10FFFF),)
    is_negated = operation == "NOT_LITERAL"
    found: list[tuple[int, int]] = []
    for item, what in items:
        match str(item):
            case "NEGATE":
                is_negated = True
            case "LITERAL":
                found.append((what, what))
            case "RANGE":
                found.append(what)
            case _:
                found += _category(item, what, flags & re.ASCII, is_ascii)
    ranges = intersection(merged(found), universe)
    return complement(ranges, universe) if is_negated else ranges


@cache
def _category(item: Any, name: Any, flags: int, is_ascii: bool) -> Ranges:  # noqa: FBT001
    r"""Ask `re` which characters `\d` and the like match."""
    one = [(item, name)]
    text = _every_character(is_ascii=is_ascii)
    runs = _compiled("IN", one, flags, is_run=True).finditer(text)
    return tuple((each.start(), each.end() - 1) for each in runs)


def _compiled(operation: str, value: Any, flags: int, *, is_run: bool = False) -> re.Pattern[str]:
    state = _parser.State()
    state.flags = flags | (0 if flags & re.ASCII else re.UNICODE)
    if operation == "IN":
        value = list(value)
    one = _parser.SubPattern(state, [(getattr(_parser, operation), value)])
    if is_run:
        repeated = (1, _parser.MAXREPEAT, one)
        one = _parser.SubPattern(state, [(_parser.MAX_REPEAT, repeated)])
    compiled: re.Pattern[str] = _compiler.compile(one, state.flags)
    return compiled


@cache
def _cased(*, is_ascii: bool) -> str:
    """Return the characters that have a case; beyond U+1FFFF, Unicode has none."""
    every = _every_character(is_ascii=is_ascii)[:0x20000]
    found: set[str] = set()
    for start in range(0, len(every), _CASED_PIECE):
        piece = every[start : start + _CASED_PIECE]
        # Most pieces have none, and comparing all of a piece is fast.
        if piece.lower() != piece or piece.upper() != piece:
            for character in piece:
                forms = {character.lower(), character.upper()} - {character}
                if forms:
                    found.add(character)
                    found.update(form for form in forms if len(form) == 1)
    return "".join(sorted(found))


@cache
def _cased_ranges(*, is_ascii: bool) -> Ranges:
    return of_characters(map(ord, _cased(is_ascii=is_ascii)))


@cache
def _every_character(*, is_ascii: bool) -> str:
    codes = array("I", range(0x80 if is_ascii else 0x110000))
    # Not `decode`, which imports a module for the codec that pages lack.
    return codecs.utf_32_decode(codes, "surrogatepass", True)[0]  # noqa: FBT003
