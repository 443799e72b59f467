"""The rules of one ignore file, by git's reading or by ripgrep's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_syntax import GlobInvalid, parse_glob

if TYPE_CHECKING:
    from treeglass.search.glob_syntax import GlobDialect, Steps

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WHITE_SPACE = b" \t\v\f\r"


class IgnoreRule(NamedTuple):
    """One line."""

    alternatives: list[Steps]
    is_negated: bool
    """Whether it takes an entry in again, by a `!`."""
    directories_only: bool


class IgnoreFile:
    """The rules of a file, for paths below its directory.

    A caller that walks keeps the state of a directory, and feeds only names.
    """

    def __init__(self, content: bytes, dialect: GlobDialect) -> None:
        self._rules = parse_lines(content, dialect)
        self._automaton = GlobAutomaton([rule.alternatives for rule in self._rules])
        self.start = self._automaton.start
        """The state for the file's own directory."""

    def feed(self, state: int, text: bytes) -> int:
        """Return the state after more bytes of a path, such as `src/` or `a.txt`."""
        return self._automaton.feed(state, text)

    def ignores(self, state: int, *, is_directory: bool) -> bool | None:
        """Tell whether the path read so far is ignored; None if no rule names it."""
        for number in self._automaton.numbers(state):
            rule = self._rules[number]
            if is_directory or not rule.directories_only:
                return not rule.is_negated
        return None


def parse_lines(content: bytes, dialect: GlobDialect) -> list[IgnoreRule]:
    """Return the rules of an ignore file; a line that is no glob has none."""
    lines = content.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    rules = [parse_line(line, dialect) for line in lines]
    return [rule for rule in rules if rule is not None]


def parse_line(line: bytes, dialect: GlobDialect) -> IgnoreRule | None:
    """Return the rule of one line; None for a comment, a blank line or an invalid glob."""
    try:
        return read_line(line, dialect)
    except GlobInvalid:
        return None


def read_line(line: bytes, dialect: GlobDialect) -> IgnoreRule | None:
    """Return the rule of one line; None for a comment or a blank line.

    Raises:
        GlobInvalid: The line is no glob.
    """
    if line.startswith(b"#"):
        return None
    line = _without_blanks_at_end(line, dialect)
    is_negated = line.startswith(b"!")
    glob = line[is_negated:]
    directories_only = glob.endswith(b"/")
    glob = glob.removesuffix(b"/")
    if directories_only and not dialect.is_git:
        glob = glob.removesuffix(b"\\")
    if not glob:
        return None
    if b"/" not in glob:
        glob = b"**/" + glob
    alternatives = parse_glob(glob.removeprefix(b"/"), dialect)
    return IgnoreRule(alternatives, is_negated, directories_only)


def _without_blanks_at_end(line: bytes, dialect: GlobDialect) -> bytes:
    """Return a line without the blanks at its end; a backslash keeps a space.

    By hand: a regular expression takes a minute for a line of spaces.
    """
    if not dialect.is_git:
        return line if line.endswith(b"\\ ") else line.rstrip(_WHITE_SPACE)
    line = line.removesuffix(b"\r")
    bare = line.rstrip(b" ")
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + backslashes % 2]
