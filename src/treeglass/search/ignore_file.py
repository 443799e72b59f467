"""The rules of one ignore file, by git's reading or by ripgrep's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid, GlobTooLarge, Steps
from treeglass.search.glob_syntax import GlobDialect, parse_glob

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WHITE_SPACE = b" \t\v\f\r"
_LINES_BETWEEN_CHECKS = 16
_LONG_LINE_BYTES = 500


class IgnoreRule(NamedTuple):
    """One line."""

    alternatives: list[Steps]
    is_negated: bool
    """True if it takes an entry in again, by a `!`."""
    directories_only: bool


class IgnoreFile:
    """The rules of a file, for paths below its directory, if they are not `GlobTooLarge`.

    A caller that walks keeps the state of a directory, and feeds only names.
    """

    def __init__(
        self, content: bytes, dialect: GlobDialect, checkpoint: Checkpoint = no_check
    ) -> None:
        self._is_negated: list[bool] = []
        files: list[int] = []

        def alternatives() -> Iterator[list[Steps]]:
            for number, rule in enumerate(parse_lines(content, dialect, checkpoint)):
                self._is_negated.append(rule.is_negated)
                if not rule.directories_only:
                    files.append(number)
                yield rule.alternatives

        self._automaton = GlobAutomaton(alternatives(), checkpoint)
        self._ends_for_files = self._automaton.ends_of(files)
        self.place_count = self._automaton.place_count
        self.start = self._automaton.start
        """The state for the file's own directory."""

    def feed(self, state: int, text: bytes) -> int:
        """Return the state after more bytes of a path, such as `src/` or `a.txt`."""
        return self._automaton.feed(state, text)

    def ignores(self, state: int, *, is_directory: bool) -> bool | None:
        """Tell whether the path read so far is ignored; None if no rule names it."""
        ends = None if is_directory else self._ends_for_files
        number = self._automaton.highest(state, ends)
        return None if number is None else not self._is_negated[number]


def parse_lines(
    content: bytes, dialect: GlobDialect, checkpoint: Checkpoint = no_check
) -> Iterator[IgnoreRule]:
    """Yield an ignore file's rules, or raise `GlobTooLarge`; a line that is no glob has none."""
    lines = content.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    for number, line in enumerate(lines):
        if not number % _LINES_BETWEEN_CHECKS or len(line) > _LONG_LINE_BYTES:
            checkpoint()
        try:
            rule = parse_line(line, dialect)
        except GlobTooLarge:
            raise
        except GlobInvalid:
            continue
        if rule is not None:
            yield rule


def parse_line(line: bytes, dialect: GlobDialect) -> IgnoreRule | None:
    """Return the rule of one line, or `GlobInvalid`; None for a comment or a blank line."""
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
    """Return a line without blanks at its end; a regex would take a minute for a line of spaces."""
    if not dialect.is_git:
        return line if line.endswith(b"\\ ") else line.rstrip(_WHITE_SPACE)
    line = line.removesuffix(b"\r")
    bare = line.rstrip(b" ")
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + backslashes % 2]
