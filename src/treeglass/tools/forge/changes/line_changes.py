"""Show what differs between two texts, and the lines next to it (docs/tools/forge_edit.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from treeglass.tools.forge.changes.line_script import MAX_STEPS, Part, shortest_script

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint


def compacted(
    script: list[Part], old: list[int], new: list[int], checkpoint: Checkpoint
) -> list[Part]:
    """Return a script in which each insertion was moved up and then down, as far as it goes.

    So does the crate `similar` behind its comparison: an insertion whose last line is the same as
    the line above it may as well begin one line higher. Insertions that meet are one from then on.
    The script's own parts are changed.
    """
    return _Compaction(script, old, new, checkpoint).run()


class _Compaction:
    """Holds the parts above and below an insertion as two stacks, so that a move is cheap."""

    def __init__(
        self, script: list[Part], old: list[int], new: list[int], checkpoint: Checkpoint
    ) -> None:
        self._old, self._new = old, new
        self._checkpoint = checkpoint
        self._above: list[Part] = []
        self._below = script[::-1]

    def run(self) -> list[Part]:
        while self._below:
            self._checkpoint()
            part = self._below.pop()
            if part.kind == "+":
                self._move_up(part)
                self._move_down(part)
            self._above.append(part)
        return self._above

    def _move_up(self, added: Part) -> None:
        above, below = self._above, self._below
        while above:
            self._checkpoint()
            part = above[-1]
            if part.kind == "-":
                below.append(above.pop())
            elif part.kind == "+":
                added.new, added.count = part.new, part.count + added.count
                above.pop()
            elif count := self._common_end(part, added):
                # What was above the insertion is now below it.
                if below and below[-1].kind == "=":
                    below[-1].old -= count
                    below[-1].new -= count
                    below[-1].count += count
                else:
                    old, new = part.old + part.count - count, added.new + added.count - count
                    below.append(Part("=", old, new, count))
                added.new -= count
                part.count -= count
                if not part.count:
                    above.pop()
            else:
                return

    def _move_down(self, added: Part) -> None:
        above, below = self._above, self._below
        while below:
            self._checkpoint()
            part = below[-1]
            if part.kind == "-":
                above.append(below.pop())
            elif part.kind == "+":
                added.count += part.count
                below.pop()
            elif count := self._common_beginning(part, added):
                if above and above[-1].kind == "=":
                    above[-1].count += count
                else:
                    above.append(Part("=", part.old, added.new, count))
                added.new += count
                part.old, part.new, part.count = (
                    part.old + count,
                    part.new + count,
                    part.count - count,
                )
                if not part.count:
                    below.pop()
            else:
                return

    def _common_end(self, kept: Part, added: Part) -> int:
        old_end, new_end = kept.old + kept.count, added.new + added.count
        count = 0
        while count < min(kept.count, added.count) and (
            self._old[old_end - count - 1] == self._new[new_end - count - 1]
        ):
            count += 1
        return count

    def _common_beginning(self, kept: Part, added: Part) -> int:
        count = 0
        while count < min(kept.count, added.count) and (
            self._old[kept.old + count] == self._new[added.new + count]
        ):
            count += 1
        return count


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
