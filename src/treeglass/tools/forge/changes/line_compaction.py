"""Move the insertions of a script, as the crate `similar` does behind its comparison.

An insertion whose last line is the same as the line above it may as well begin one line higher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.tools.forge.changes.line_script import Part

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint


def compacted(
    script: list[Part], old: list[int], new: list[int], checkpoint: Checkpoint
) -> list[Part]:
    """Return a script in which each insertion was moved up and then down, as far as it goes.

    Insertions that meet are one from then on. The script's own parts are changed.
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
