"""Parse LP1, the patch format of `Edit` (docs/tools/forge_edit.md), in linear time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from treeglass.utf8 import WHITE_SPACE

_MAX_OCCURRENCE = 2**64 - 1
_SEARCHING = "RIPE"
"""The operations that look for lines."""
_LINES_BETWEEN_CHECKS = 1024

_number = re.compile(r"\+?0*([0-9]*)")
_bare_path = re.compile(f"[^{WHITE_SPACE}]+")
_last_line_of_block = re.compile(r"\.[ \t]*")
_quoted_part = re.compile(r'[^"\\]+|\\(.?)|"', re.DOTALL)


class Lp1Invalid(ValueError):
    """A patch is not LP1, or does not fit its file; the text is the sentence for the model."""


class Operation(NamedTuple):
    """One operation on the lines of a file."""

    letter: str
    """`R` replaces, `I` inserts behind, `P` before, `E` erases, `T` appends, `B` begins the
    file, and `N` sets the last line end."""
    find: list[str] | None = None
    """The lines that `R`, `I`, `P` and `E` look for; None for the others."""
    occurrence: int | None = None
    """The place to take, from 1; None if the text has to occur once."""
    block: Sequence[str] = ()
    """The lines that are put there."""
    ends_last_line: bool = False
    """The value that `N` sets."""


class FileSection(NamedTuple):
    """The part of a patch for one file."""

    path: str
    """As the patch has it."""
    operations: list[Operation]


def parse_patch(text: str, checkpoint: Callable[[], None]) -> list[FileSection]:
    """Return a patch's sections in order, or `Lp1Invalid`; what follows `END` is ignored."""
    lines = _Lines(text, checkpoint)
    header = lines.next_outside()
    if header is None:
        raise Lp1Invalid("Missing LP1 header")
    if header.strip(WHITE_SPACE) != "LP1":
        raise Lp1Invalid("Invalid LP1 header")
    sections: list[FileSection] = []
    while (line := lines.next_outside()) is not None:
        shown = line.strip(WHITE_SPACE)
        if shown == "END":
            return sections
        if shown.startswith("F"):
            sections.append(FileSection(_path_of(shown), []))
        elif sections:
            sections[-1].operations.append(_operation(shown, lines))
        else:
            raise Lp1Invalid("Expected file section (F <path>)")
    raise Lp1Invalid("Missing END footer")


class _Lines:
    """The lines of a patch, taken one after the other."""

    def __init__(self, text: str, checkpoint: Callable[[], None]) -> None:
        # A CR before the line feed belongs to the line end; a second one goes, too.
        self._lines = [line.removesuffix("\r").removesuffix("\r") for line in text.split("\n")]
        self._next = 0
        self._checkpoint = checkpoint

    def next_outside(self) -> str | None:
        """Return the next line that is neither blank nor a comment; None at the end."""
        while (line := self._take()) is not None:
            begins = line.lstrip(WHITE_SPACE)
            if begins and not begins.startswith("#"):
                return line
        return None

    def block(self) -> list[str]:
        """Return the lines up to the line of one dot, one dot of those with two taken off."""
        block: list[str] = []
        while (line := self._take()) is not None:
            if not line.startswith("."):
                block.append(line)
            elif _last_line_of_block.fullmatch(line):
                return block
            elif line.startswith(".."):
                block.append(line[1:])
            else:
                raise Lp1Invalid("Dot-stuffed line must start with '..'")
        raise Lp1Invalid("Unterminated LP1 block")

    def _take(self) -> str | None:
        if self._next == len(self._lines):
            return None
        if self._next % _LINES_BETWEEN_CHECKS == 0:
            self._checkpoint()
        self._next += 1
        return self._lines[self._next - 1]


def _path_of(line: str) -> str:
    rest = line[1:].lstrip(WHITE_SPACE)
    if rest.startswith('"'):
        return _unquoted(rest[1:])
    bare = _bare_path.match(rest)
    if bare is None:
        raise Lp1Invalid("Missing file path")
    return bare[0]


def _unquoted(rest: str) -> str:
    """Return what stands before the closing quote."""
    parts: list[str] = []
    for part in _quoted_part.finditer(rest):
        if part[0] == '"':
            return "".join(parts)
        if part[1] is None:
            parts.append(part[0])
        elif part[1] in {'"', "\\"}:
            parts.append(part[1])
        elif part[1]:
            raise Lp1Invalid("Invalid escape in quoted path")
    raise Lp1Invalid("Unterminated quoted path")


def _operation(line: str, lines: _Lines) -> Operation:
    """Return the operation of a line, which is trimmed, and of the blocks behind it."""
    letter, rest = line[0], line[1:].lstrip(WHITE_SPACE)
    if letter in _SEARCHING:
        occurrence = _occurrence(rest)
        find = lines.block()
        return Operation(letter, find, occurrence, () if letter == "E" else lines.block())
    if letter in "TB":
        return Operation(letter, block=lines.block())
    if letter != "N":
        raise Lp1Invalid("Unknown LP1 operation")
    if rest not in {"+", "-"}:
        raise Lp1Invalid("Invalid N flag; expected + or -")
    return Operation(letter, ends_last_line=rest == "+")


def _occurrence(text: str) -> int | None:
    if not text:
        return None
    number = _number.fullmatch(text)
    if number is None or text == "+" or len(number[1]) > len(str(_MAX_OCCURRENCE)):
        raise Lp1Invalid("Invalid occurrence")
    occurrence = int(number[1] or "0")
    if occurrence > _MAX_OCCURRENCE:
        raise Lp1Invalid("Invalid occurrence")
    if occurrence == 0:
        raise Lp1Invalid("Occurrence must be >= 1")
    return occurrence
