"""The place of a run of lines in a file: exact, or without regard to white space and marks.

Implements the passes of apply_patch.md 4. Each pass gives every line of the patch that the file
has, too, a character, and looks for a run of lines as a text of these characters: the first place
is the same as by comparing lines, in linear time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from treeglass.errors import LimitExceeded
from treeglass.utf8 import WHITE_SPACE

STEP_LINES: Final = 10_000
"""Lines between two looks at the time."""

_NOT_IN_PATCH: Final = "\0"

_PLAIN: Final = {
    **dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-"),
    **dict.fromkeys(range(0x2018, 0x201C), "'"),
    **dict.fromkeys(range(0x201C, 0x2020), '"'),
    **dict.fromkeys([0xA0, *range(0x2002, 0x200B), 0x202F, 0x205F, 0x3000], " "),
}
"""Typographic marks and blanks, by code point, as they count in the last pass."""


def _in_plain_marks(line: str) -> str:
    stripped = line.strip(WHITE_SPACE)
    return stripped if stripped.isascii() else stripped.translate(_PLAIN)


_PASSES: Final[tuple[Callable[[str], str], ...]] = (
    lambda line: line.rstrip("\r\n"),
    lambda line: line.rstrip(WHITE_SPACE),
    lambda line: line.strip(WHITE_SPACE),
    _in_plain_marks,
)
"""The part of a line that is compared, pass by pass."""


class LineSearch:
    """The lines of one file, with their ends, for the runs of one patch."""

    def __init__(
        self, lines: Sequence[str], sought: Iterable[str], checkpoint: Callable[[], None]
    ) -> None:
        self._lines = lines
        self._sought = [*dict.fromkeys(sought)]
        self._checkpoint = checkpoint
        self._spelled: list[tuple[str, dict[str, str]]] = []

    def find(self, run: Sequence[str], start: int, *, is_at_end: bool = False) -> int | None:
        """Return the first place of the first pass in which a run fits, or None.

        The lines of a run have no ends; an empty one fits at the start. It may have to be at the
        end.
        """
        if not run:
            return start
        last = len(self._lines) - len(run)
        first = max(start, last) if is_at_end else start
        if first > last:
            return None
        for number, reduce in enumerate(_PASSES):
            self._checkpoint()
            text, characters = self._pass(number)
            spelled = [characters.get(reduce(line)) for line in run]
            if None not in spelled:
                place = text.find("".join(filter(None, spelled)), first)
                if place >= 0:
                    return place
        return None

    def _pass(self, number: int) -> tuple[str, dict[str, str]]:
        """Return the file as a text of one character a line, and the character of each line."""
        if number == len(self._spelled):
            reduce = _PASSES[number]
            in_patch = {reduce(line) for line in self._sought}
            characters: dict[str, str] = {}
            parts = []
            for begin in range(0, len(self._lines), STEP_LINES):
                self._checkpoint()
                reduced = [*map(reduce, self._lines[begin : begin + STEP_LINES])]
                for line in in_patch.intersection(reduced):
                    if line not in characters:
                        if len(characters) == sys.maxunicode:
                            raise LimitExceeded("the distinct lines of one patch", sys.maxunicode)
                        characters[line] = chr(1 + len(characters))
                parts += [characters.get(line, _NOT_IN_PATCH) for line in reduced]
            self._spelled.append(("".join(parts), characters))
        return self._spelled[number]
