"""The tree of a pattern that Python's `re` has parsed.

What a set of `re` matches, also without case, is asked of `re` itself, so the answer is
right in each version of Python.
"""

from __future__ import annotations

import codecs
import re
from array import array
from functools import cache, lru_cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treeglass.search.regex.class_ranges import Ranges

_ANY_TEXT = Once(repeat(CharSet(((0, 0x10FFFF),)), 0, None))
_LOOKS = {
    "AT_BEGINNING": Look.LINE_START,
    "AT_BEGINNING_STRING": Look.LINE_START,
    "AT_END": Look.BEFORE_LAST_LINE_FEED,
    "AT_END_STRING": Look.LINE_END,
    "AT_BOUNDARY": Look.PYTHON_WORD_EDGE,
    "AT_NON_BOUNDARY": Look.PYTHON_NO_WORD_EDGE,
}
_ASCII_LOOKS = {
    "AT_BOUNDARY": Look.ASCII_WORD_EDGE,
    "AT_NON_BOUNDARY": Look.ASCII_NO_WORD_EDGE,
}


def python_tree(pattern: str, flags: int, *, is_ascii: bool) -> tuple[Node, str]:
    """Return the tree, and what of it only `re` can match.

    Args:
        pattern: The pattern; `re` must have compiled it.
        flags: The flags that it was compiled with.
        is_ascii: Whether the text will be ASCII: the sets hold nothing else then.
    """
    parsed = _parser.parse(pattern, flags)
    reader = _Reader(is_ascii=is_ascii)
    return reader.sequence(parsed, parsed.state.flags), reader.needs_re


class _Reader:
    def __init__(self, *, is_ascii: bool) -> None:
        self._is_ascii = is_ascii
        self._groups: dict[int, Node] = {}
        self.needs_re = ""

    def sequence(self, items: Iterable[tuple[Any, Any]], flags: int) -> Node:
        return concat([self._node(str(operation), value, flags) for operation, value in items])

    def _node(self, operation: str, value: Any, flags: int) -> Node:
        match operation:
            case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
                return CharSet(_set(operation, _frozen(value), flags & _KEPT, self._is_ascii))
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
    """Ask `re` which characters a set matches."""
    if operation == "LITERAL" and not flags & re.IGNORECASE:
        return ((value, value),)
    if operation == "ANY":
        ends = () if flags & re.DOTALL else (10,)
        return ((0, 9), (11, 0x10FFFF)) if ends else ((0, 0x10FFFF),)
    state = _parser.State()
    state.flags = flags | (0 if flags & re.ASCII else re.UNICODE)
    if operation == "IN":
        value = list(value)
    one = _parser.SubPattern(state, [(getattr(_parser, operation), value)])
    run = [(_parser.MAX_REPEAT, (1, _parser.MAXREPEAT, one))]
    compiled = _compiler.compile(_parser.SubPattern(state, run), state.flags)
    return tuple(
        (found.start(), found.end() - 1)
        for found in compiled.finditer(_every_character(is_ascii=is_ascii))
    )


@cache
def _every_character(*, is_ascii: bool) -> str:
    codes = array("I", range(0x80 if is_ascii else 0x110000))
    # Not `decode`, which imports a module for the codec that pages lack.
    return codecs.utf_32_decode(codes, "surrogatepass", True)[0]  # noqa: FBT003
