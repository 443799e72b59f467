"""Compare two sequences: which items to take out of one, and to put in, so that it is the other.

By Myers' algorithm in linear space: the middle of a shortest script is found from both ends, and
each half is compared by itself. Where scripts are equally short, the choice is that of the crate
`similar`, which the original uses: common beginnings and ends first, and insertions moved up and
then down as far as they go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

MAX_STEPS = 10_000_000
"""Steps after which what is left to compare counts as different, as a whole."""

_STEPS_BETWEEN_CHECKS = 4096
_WORTH_A_LOOK = 64
"""Items of a comparison from which it is worth knowing whether it has a common one at all."""


class Difference(NamedTuple):
    """A part that differs; the items around it are the same."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def differences(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    checkpoint: Callable[[], None],
    max_steps: int = MAX_STEPS,
) -> list[Difference]:
    """Return the parts that differ, in order; at least one common item lies between two of them.

    Args:
        old: What is changed.
        new: What it becomes.
        checkpoint: Called now and then; may raise to end the call.
        max_steps: As `MAX_STEPS`.
    """
    numbers: dict[Hashable, int] = {}
    as_numbers = [
        [numbers.setdefault(item, len(numbers)) for item in items] for items in (old, new)
    ]
    comparison = _Comparison(as_numbers[0], as_numbers[1], checkpoint, max_steps)
    comparison.run()
    return _joined(_Compaction(comparison).run())


@dataclass(slots=True)
class _Part:
    """A run of a script: `=` keeps items, `-` takes some out, `+` puts some in."""

    kind: str
    old: int
    """Where it begins in the old sequence; means nothing for `+`."""
    new: int
    """Where it begins in the new sequence; means nothing for `-`."""
    count: int


class _Range(NamedTuple):
    """What is compared with each other."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class _Comparison:
    """The script of two sequences, part by part; between two `=`, each `+` and then one `-`."""

    def __init__(
        self, old: list[int], new: list[int], checkpoint: Callable[[], None], max_steps: int
    ) -> None:
        self.old, self.new, self.checkpoint = old, new, checkpoint
        self.parts: list[_Part] = []
        self._removal: _Part | None = None
        self._steps_left = max_steps
        width = len(old) + len(new) + 4
        # By diagonal, negative ones from the end: how far a path has come in `old`.
        self._ahead, self._back = [0] * width, [0] * width

    def run(self) -> None:
        waiting: list[_Range | _Part] = [_Range(0, len(self.old), 0, len(self.new))]
        while waiting:
            task = waiting.pop()
            if isinstance(task, _Part):
                self._add(task)
            else:
                waiting.extend(reversed(self._compare(task)))
        self._add(_Part("=", len(self.old), len(self.new), 0))

    def _add(self, part: _Part) -> None:
        if part.kind == "-":
            if self._removal is None:
                self._removal = part
            else:
                self._removal.count += part.count
            return
        if part.kind == "=" and self._removal is not None:
            self.parts.append(self._removal)
            self._removal = None
        if part.count:
            self.parts.append(part)

    def _compare(self, task: _Range) -> list[_Range | _Part]:
        """Return the parts of a range in order, or smaller ranges."""
        self.checkpoint()
        old_start, old_end, new_start, new_end = task
        begin = self._common_beginning(task)
        old_start, new_start = old_start + begin, new_start + begin
        end = self._common_end(_Range(old_start, old_end, new_start, new_end))
        middle = _Range(old_start, old_end - end, new_start, new_end - end)
        return [
            _Part("=", task.old_start, task.new_start, begin),
            *self._split(middle),
            _Part("=", middle.old_end, middle.new_end, end),
        ]

    def _split(self, middle: _Range) -> list[_Range | _Part]:
        old_start, old_end, new_start, new_end = middle
        removed = _Part("-", old_start, new_start, old_end - old_start)
        added = _Part("+", old_start, new_start, new_end - new_start)
        if not (removed.count and added.count):
            return [part for part in (removed, added) if part.count]
        found = self._middle(middle)
        if found is None:
            return [removed, added]
        at_old, at_new = found
        return [
            _Range(old_start, at_old, new_start, at_new),
            _Range(at_old, old_end, at_new, new_end),
        ]

    def _common_beginning(self, task: _Range) -> int:
        old, new = self.old, self.new
        at_old, end, at_new, new_end = task
        end = min(end, at_old + new_end - at_new)
        start = at_old
        while at_old < end and old[at_old] == new[at_new]:
            at_old, at_new = at_old + 1, at_new + 1
        return at_old - start

    def _common_end(self, task: _Range) -> int:
        old, new = self.old, self.new
        start, at_old, new_start, at_new = task
        start = max(start, at_old - (at_new - new_start))
        end = at_old
        while at_old > start and old[at_old - 1] == new[at_new - 1]:
            at_old, at_new = at_old - 1, at_new - 1
        return end - at_old

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
            found = self._go_ahead(task, length) or self._go_back(task, length)
            if found is not None:
                return found
        return None

    def _go_ahead(self, task: _Range, length: int) -> tuple[int, int] | None:
        """Go one step further on each path from the start; return where one meets the others."""
        old, new, ahead, back = self.old, self.new, self._ahead, self._back
        old_start, old_end, new_start, new_end = task
        count = old_end - old_start
        new_count = new_end - new_start
        shift = count - new_count
        may_meet = shift % 2 == 1
        for diagonal in range(length, -length - 1, -2):
            below, above = ahead[diagonal - 1], ahead[diagonal + 1]
            if diagonal == -length or (diagonal != length and below < above):
                at = above
            else:
                at = below + 1
            came = at
            at_new = at - diagonal
            while (
                at < count and at_new < new_count and old[old_start + at] == new[new_start + at_new]
            ):
                at, at_new = at + 1, at_new + 1
            ahead[diagonal] = at
            if may_meet and abs(diagonal - shift) < length and at + back[shift - diagonal] >= count:
                return old_start + came, new_start + came - diagonal
        return None

    def _go_back(self, task: _Range, length: int) -> tuple[int, int] | None:
        """Go one step further on each path from the end; return where one meets the others."""
        old, new, ahead, back = self.old, self.new, self._ahead, self._back
        old_start, old_end, new_start, new_end = task
        count = old_end - old_start
        new_count = new_end - new_start
        shift = count - new_count
        may_meet = shift % 2 == 0
        for diagonal in range(length, -length - 1, -2):
            below, above = back[diagonal - 1], back[diagonal + 1]
            if diagonal == -length or (diagonal != length and below < above):
                at = above
            else:
                at = below + 1
            at_new = at - diagonal
            while (
                at < count
                and at_new < new_count
                and old[old_end - at - 1] == new[new_end - at_new - 1]
            ):
                at, at_new = at + 1, at_new + 1
            back[diagonal] = at
            if (
                may_meet
                and abs(diagonal - shift) <= length
                and at + ahead[shift - diagonal] >= count
            ):
                return old_end - at, new_end - at_new
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


class _Compaction:
    """Moves each insertion up and then down, as far as the items around it allow.

    The parts are two stacks, those above the insertion and those below it, so that no move
    takes time for the parts that it does not pass.
    """

    def __init__(self, comparison: _Comparison) -> None:
        self._old, self._new = comparison.old, comparison.new
        self._checkpoint = comparison.checkpoint
        self._above: list[_Part] = []
        self._below = comparison.parts[::-1]

    def run(self) -> list[_Part]:
        while self._below:
            self._checkpoint()
            part = self._below.pop()
            if part.kind == "+":
                self._move_up(part)
                self._move_down(part)
            self._above.append(part)
        return self._above

    def _move_up(self, added: _Part) -> None:
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
                    below.append(_Part("=", old, new, count))
                added.new -= count
                part.count -= count
                if not part.count:
                    above.pop()
            else:
                return

    def _move_down(self, added: _Part) -> None:
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
                    above.append(_Part("=", part.old, added.new, count))
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

    def _common_end(self, kept: _Part, added: _Part) -> int:
        old_end, new_end = kept.old + kept.count, added.new + added.count
        count = 0
        while count < min(kept.count, added.count) and (
            self._old[old_end - count - 1] == self._new[new_end - count - 1]
        ):
            count += 1
        return count

    def _common_beginning(self, kept: _Part, added: _Part) -> int:
        count = 0
        while count < min(kept.count, added.count) and (
            self._old[kept.old + count] == self._new[added.new + count]
        ):
            count += 1
        return count


def _joined(parts: list[_Part]) -> list[Difference]:
    """Return what lies between the `=` of a script."""
    found: list[Difference] = []
    old = new = old_start = new_start = 0
    for part in [*parts, _Part("=", 0, 0, 0)]:
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
