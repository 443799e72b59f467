"""What ripgrep adds to Rust's dialect: a match lies in one line, and no line holds a NUL."""

from __future__ import annotations

from treeglass.search.regex.class_ranges import difference
from treeglass.search.regex.errors import RegexInvalid
from treeglass.search.regex.tree import (
    Alternation,
    CharSet,
    Concat,
    Node,
    Repeat,
    single_character,
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


def refuse_impossible(node: Node) -> None:
    """Refuse what ripgrep refuses: a NUL or a line feed that a match would need.

    Raises:
        RegexInvalid: The tree needs one.
    """
    for code, advice in _ADVICE.items():
        if _needs(node, code):
            raise RegexInvalid(advice)


def _needs(node: Node, code: int) -> bool:
    match node:
        case CharSet():
            return single_character(node) == code
        case Concat(parts) | Alternation(parts):
            return any(_needs(part, code) for part in parts)
        case Repeat(part):
            return _needs(part, code)
        case _:
            return False


def without_line_feeds(node: Node) -> Node:
    """Return the tree with line feeds taken out of every set."""
    match node:
        case CharSet(ranges):
            return CharSet(difference(ranges, ((10, 10),)))
        case Concat(parts):
            return Concat(tuple(map(without_line_feeds, parts)))
        case Alternation(parts):
            return Alternation(tuple(map(without_line_feeds, parts)))
        case Repeat(part, least, most, is_greedy):
            return Repeat(without_line_feeds(part), least, most, is_greedy)
        case _:
            return node
