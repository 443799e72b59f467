"""Show what differs between two texts: the lines taken out and put in, and those next to them.

Specified in docs/tools/forge_edit.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treeglass.tools.forge.line_script import differences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treeglass.tools.forge.line_script import Difference

_MAX_SILENT_GAP = 3
"""Lines that are left out between two others without a mark."""

_line = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def line_count(text: str) -> int:
    """Return how many lines a text has; only a line feed ends one."""
    return text.count("\n") + (text[-1:] not in {"", "\n"})


def shown_changes(old: str, new: str, number_width: int, checkpoint: Callable[[], None]) -> str:
    """Return the changed lines with their numbers, and each unchanged line next to one.

    A line that is taken out or unchanged has its number in the old text, one that is put in
    that of the new text. Empty if nothing differs.

    Args:
        old: The text before.
        new: The text after.
        number_width: Characters of a line number.
        checkpoint: Called now and then; may raise to end the call.
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
