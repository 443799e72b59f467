"""Show what differs between two texts, and the lines next to it (docs/tools/forge_edit.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from treeglass.tools.forge.changes.line_compaction import compacted
from treeglass.tools.forge.changes.line_script import MAX_STEPS, Part, shortest_script

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint

_MAX_SILENT_GAP = 3
"""Lines that are left out between two others without a mark."""

_line = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Difference(NamedTuple):
    """A part that differs; the lines around it are the same."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def differences(
    old: Sequence[str], new: Sequence[str], checkpoint: Checkpoint, max_steps: int = MAX_STEPS
) -> list[Difference]:
    """Return the parts that differ, in order; at least one common line lies between two of them."""
    numbers: dict[str, int] = {}
    old_numbers = [numbers.setdefault(line, len(numbers)) for line in old]
    new_numbers = [numbers.setdefault(line, len(numbers)) for line in new]
    script = shortest_script(old_numbers, new_numbers, checkpoint, max_steps)
    return _joined(compacted(script, old_numbers, new_numbers, checkpoint))


def _joined(parts: list[Part]) -> list[Difference]:
    """Return what lies between the `=` of a script."""
    found: list[Difference] = []
    old = new = old_start = new_start = 0
    for part in [*parts, Part("=", 0, 0, 0)]:
        if part.kind == "-":
            old += part.count
        elif part.kind == "+":
            new += part.count
        else:
            if (old, new) != (old_start, new_start):
                found.append(Difference(old_start, old, new_start, new))
            old, new = old + part.count, new + part.count
            old_start, new_start = old, new
    return found


def line_count(text: str) -> int:
    """Return how many lines a text has; only a line feed ends one."""
    return text.count("\n") + (text[-1:] not in {"", "\n"})


def shown_changes(old: str, new: str, number_width: int, checkpoint: Checkpoint) -> str:
    """Return the changed lines with their numbers, and each unchanged line next to one.

    A line that is taken out or unchanged has its number in the old text, one that is put in that of
    the new text. Empty if nothing differs.
    """
    texts = _ShownLines(_line.findall(old), _line.findall(new), number_width)
    for difference in differences(texts.old, texts.new, checkpoint):
        checkpoint()
        texts.add(difference)
    return "".join(texts.shown)


class _ShownLines:
    """The lines of an answer, as they grow."""

    def __init__(self, old: list[str], new: list[str], number_width: int) -> None:
        self.old, self.new, self._width = old, new, number_width
        self.shown: list[str] = []
        self._next = 0
        """The old line, from 0, that follows what is shown."""

    def add(self, difference: Difference) -> None:
        """Add a part that differs, below those before it."""
        old_start, old_end, new_start, new_end = difference
        before = max(self._next, old_start - 1)
        if self.shown and before - self._next > _MAX_SILENT_GAP:
            self.shown.append(f"{'...':>{self._width}}\n")
        self._show("  ", self.old, before, old_start)
        self._show(" -", self.old, old_start, old_end)
        self._show(" +", self.new, new_start, new_end)
        self._next = min(old_end + 1, len(self.old))
        self._show("  ", self.old, old_end, self._next)

    def _show(self, mark: str, lines: Sequence[str], start: int, end: int) -> None:
        self.shown += [
            f"{number + 1:>{self._width}}{mark}{lines[number].removesuffix(chr(10))}\n"
            for number in range(start, end)
        ]
