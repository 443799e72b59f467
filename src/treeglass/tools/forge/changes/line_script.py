"""Find a shortest script of two sequences: which items to take out of one, and which to put in.

By Myers' algorithm in linear space: the middle of a shortest script is found from both ends, and
each half is compared by itself. Of scripts that are equally short, it is the one that the crate
`similar` finds, which the original uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint

MAX_STEPS = 4_000_000
"""Steps after which what is left to compare counts as different, as a whole."""

_STEPS_BETWEEN_CHECKS = 4096
_WORTH_A_LOOK = 64
"""Items of a comparison from which it is worth knowing whether it has a common one at all."""


@dataclass(slots=True)
class Part:
    """A run of a script: `=` keeps items, `-` takes some out, `+` puts some in."""

    kind: str
    old: int
    """The index in the old sequence; means nothing for `+`."""
    new: int
    """The index in the new sequence; means nothing for `-`."""
    count: int


class _Range(NamedTuple):
    """The parts of both sequences that are compared."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def shortest_script(
    old: list[int], new: list[int], checkpoint: Checkpoint, max_steps: int = MAX_STEPS
) -> list[Part]:
    """Return a script that makes one sequence, of numbers that stand for items, of the other.

    Between two `=`, it has each `+` as it was found, and then at most one `-`.
    """
    comparison = _Comparison(old, new, checkpoint, max_steps)
    comparison.run()
    return comparison.parts


class _Comparison:
    """The script of two sequences, as it grows."""

    def __init__(
        self, old: list[int], new: list[int], checkpoint: Checkpoint, max_steps: int
    ) -> None:
        self.old, self.new, self.checkpoint = old, new, checkpoint
        self._from_end = old[::-1], new[::-1]
        self.parts: list[Part] = []
        self._removal: Part | None = None
        self._steps_left = max_steps
        width = len(old) + len(new) + 4
        # By diagonal, negative ones from the end: how far a path has come in `old`.
        self._ahead, self._back = [0] * width, [0] * width

    def run(self) -> None:
        waiting: list[_Range | Part] = [_Range(0, len(self.old), 0, len(self.new))]
        while waiting:
            task = waiting.pop()
            if isinstance(task, Part):
                self._add(task)
            else:
                parts = self._compare(task)
                waiting += [
                    each for each in reversed(parts) if isinstance(each, _Range) or each.count
                ]
        self._add_removal()

    def _add(self, part: Part) -> None:
        if part.kind == "-" and self._removal is not None:
            self._removal.count += part.count
        elif part.kind == "-":
            self._removal = part
        else:
            if part.kind == "=":
                self._add_removal()
            self.parts.append(part)

    def _add_removal(self) -> None:
        if self._removal is not None:
            self.parts.append(self._removal)
            self._removal = None

    def _compare(self, task: _Range) -> list[_Range | Part]:
        """Return the parts of a range in order, or smaller ranges."""
        self.checkpoint()
        old_start, old_end, new_start, new_end = task
        begin = self._common(task, is_back=False)
        old_start, new_start = old_start + begin, new_start + begin
        end = self._common(_Range(old_start, old_end, new_start, new_end), is_back=True)
        middle = _Range(old_start, old_end - end, new_start, new_end - end)
        return [
            Part("=", task.old_start, task.new_start, begin),
            *self._split(middle),
            Part("=", middle.old_end, middle.new_end, end),
        ]

    def _split(self, middle: _Range) -> list[_Range | Part]:
        old_start, old_end, new_start, new_end = middle
        removed = Part("-", old_start, new_start, old_end - old_start)
        added = Part("+", old_start, new_start, new_end - new_start)
        if not (removed.count and added.count):
            return [removed, added]
        found = self._middle(middle)
        if found is None:
            return [removed, added]
        at_old, at_new = found
        return [
            _Range(old_start, at_old, new_start, at_new),
            _Range(at_old, old_end, at_new, new_end),
        ]

    def _seen(self, task: _Range, *, is_back: bool) -> tuple[list[int], list[int], int, int]:
        """Return both sequences and where a range begins in them, or the same from their ends."""
        if not is_back:
            return self.old, self.new, task.old_start, task.new_start
        return *self._from_end, len(self.old) - task.old_end, len(self.new) - task.new_end

    def _common(self, task: _Range, *, is_back: bool) -> int:
        """Return how many items are the same at the beginning of a range, or at its end."""
        old, new, old_start, new_start = self._seen(task, is_back=is_back)
        most = min(task.old_end - task.old_start, task.new_end - task.new_start)
        count = 0
        while count < most and old[old_start + count] == new[new_start + count]:
            count += 1
        return count

    def _middle(self, task: _Range) -> tuple[int, int] | None:
        """Return a point in both sequences that a shortest script passes; None if out of steps."""
        old_count, new_count = task.old_end - task.old_start, task.new_end - task.new_start
        if old_count + new_count >= _WORTH_A_LOOK:
            common = set(self.old[task.old_start : task.old_end])
            if common.isdisjoint(self.new[task.new_start : task.new_end]):
                at_old, at_new = _middle_without_common(old_count, new_count)
                return task.old_start + at_old, task.new_start + at_new
        self._ahead[1] = self._back[1] = 0
        for length in range((old_count + new_count + 1) // 2 + 1):
            self._steps_left -= 2 * length + 2
            if self._steps_left < 0:
                return None
            if length % 16 == 0 or length > _STEPS_BETWEEN_CHECKS:
                self.checkpoint()
            for is_back in (False, True):
                found = self._go(task, length, is_back=is_back)
                if found is not None:
                    return found
        return None

    def _go(self, task: _Range, length: int, *, is_back: bool) -> tuple[int, int] | None:
        """Go one step further on each path from the start, or end; return where two meet."""
        old, new, old_start, new_start = self._seen(task, is_back=is_back)
        own, other = (self._back, self._ahead) if is_back else (self._ahead, self._back)
        count, new_count = task.old_end - task.old_start, task.new_end - task.new_start
        shift = count - new_count
        may_meet = shift % 2 != is_back
        for diagonal in range(length, -length - 1, -2):
            below, above = own[diagonal - 1], own[diagonal + 1]
            goes_in_new = diagonal == -length or (diagonal != length and below < above)
            came = at = above if goes_in_new else below + 1
            at_new = at - diagonal
            while (
                at < count and at_new < new_count and old[old_start + at] == new[new_start + at_new]
            ):
                at, at_new = at + 1, at_new + 1
            own[diagonal] = at
            # A path from the end may also meet one that is as long.
            is_near = abs(diagonal - shift) < length + is_back
            if may_meet and is_near and at + other[shift - diagonal] >= count:
                if is_back:
                    return task.old_end - at, task.new_end - at_new
                return task.old_start + came, task.new_start + came - diagonal
        return None


def _middle_without_common(old_count: int, new_count: int) -> tuple[int, int]:
    """Return what the search in `_middle` finds if no item is common, without searching.

    Each path from the start is then `(length + diagonal) / 2` items of `old` long, and the first
    two that meet are on the highest diagonal that both directions reach.
    """
    shift = old_count - new_count
    length = (old_count + new_count + 1) // 2
    if shift % 2:
        diagonal = min(length, shift + length - 1)
        at = (length + diagonal) // 2
        return at, at - diagonal
    diagonal = min(length, shift + length)
    at = (length + diagonal) // 2
    return old_count - at, new_count - (at - diagonal)
