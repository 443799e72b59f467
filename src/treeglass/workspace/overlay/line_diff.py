"""The lines that differ between two contents: the fewest that bounded work finds.

Lines end at LF only, as for Git, and keep their line ends, so a line with a CR differs from one
without it. The same contents give the same answer everywhere: work is counted, never timed.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

MAX_STEPS = 2_000_000
"""Comparisons of one pair of contents; half a second of CPython. Above it the answer is coarse."""

_BEFORE_ALL = -1


class LineChange(NamedTuple):
    """Lines that stand for other lines; places count from 0, and each end is one past the last."""

    before_start: int
    before_end: int
    after_start: int
    after_end: int


class LineDiff(NamedTuple):
    """The lines of two contents and how they differ."""

    before: list[bytes]
    after: list[bytes]
    changes: list[LineChange]
    """In order; between two of them lie equal lines."""
    is_coarse: bool
    """True if the work was too much, and all between the common head and tail is one change."""


def diff_lines(
    before: bytes, after: bytes, checkpoint: Callable[[], None], *, max_steps: int = MAX_STEPS
) -> LineDiff:
    """Compare two contents line by line.

    A run of lines that could stand at several places stands at the last one, as Git shows it.
    After `max_steps` comparisons the answer is coarse.
    """
    old, new = split_lines(before), split_lines(after)
    head, tail = _common_ends(old, new)
    middle = _Middle(old[head : len(old) - tail], new[head : len(new) - tail], max_steps)
    is_coarse = not middle.match(checkpoint)
    if is_coarse:
        changes = [LineChange(head, len(old) - tail, head, len(new) - tail)]
    else:
        changes = _moved_down(list(middle.changes(head)), old, new)
    return LineDiff(old, new, changes, is_coarse)


def split_lines(content: bytes) -> list[bytes]:
    """Return the lines with their line ends; only LF ends one."""
    return io.BytesIO(content).readlines()


def _common_ends(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int]:
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


class _TooManyStepsError(Exception):
    """The ceiling of one comparison was reached."""


class _Middle:
    """The lines between the common head and tail, and which of them stay.

    A line that the other side lacks cannot stay, and takes no part in the search.
    """

    def __init__(self, old: Sequence[bytes], new: Sequence[bytes], max_steps: int) -> None:
        numbers: dict[bytes, int] = {}
        old_numbers = [numbers.setdefault(line, len(numbers)) for line in old]
        new_numbers = [numbers.setdefault(line, len(numbers)) for line in new]
        shared = set(old_numbers).intersection(new_numbers)
        self._old_places = [place for place, number in enumerate(old_numbers) if number in shared]
        self._new_places = [place for place, number in enumerate(new_numbers) if number in shared]
        self._old = [old_numbers[place] for place in self._old_places]
        self._new = [new_numbers[place] for place in self._new_places]
        self._sizes = len(old), len(new)
        self._stays_old, self._stays_new = bytearray(len(old)), bytearray(len(new))
        # Diagonals count from below zero; an index below zero counts from a list's end.
        reached = len(self._old) + len(self._new) + 3
        self._forward, self._backward = [0] * reached, [0] * reached
        self._steps_left = max_steps

    def match(self, checkpoint: Callable[[], None]) -> bool:
        """Find the lines that stay; tell whether the work was within its ceiling.

        Myers' search from both ends, in linear space: where both meet, the rest is two smaller
        searches.
        """
        boxes = [(0, len(self._old), 0, len(self._new))]
        try:
            while boxes:
                checkpoint()
                left, right, top, bottom = self._cut(*boxes.pop())
                if left < right and top < bottom:
                    x, y = self._meet(left, right, top, bottom, checkpoint)
                    boxes += [(x, right, y, bottom), (left, x, top, y)]
        except _TooManyStepsError:
            return False
        return True

    def _cut(self, left: int, right: int, top: int, bottom: int) -> tuple[int, int, int, int]:
        """Let equal lines at both ends of a box stay, and return what is between them."""
        old, new = self._old, self._new
        while left < right and top < bottom and old[left] == new[top]:
            self._stay(left, top)
            left, top = left + 1, top + 1
        while left < right and top < bottom and old[right - 1] == new[bottom - 1]:
            right, bottom = right - 1, bottom - 1
            self._stay(right, bottom)
        return left, right, top, bottom

    def _stay(self, old: int, new: int) -> None:
        self._stays_old[self._old_places[old]] = self._stays_new[self._new_places[new]] = True

    def _meet(
        self, left: int, right: int, top: int, bottom: int, checkpoint: Callable[[], None]
    ) -> tuple[int, int]:
        """Return a point of a shortest way through a box, neither of whose ends is equal."""
        start, goal = left - top, right - bottom
        self._forward[start], self._backward[goal] = left, right
        ahead, behind = (start, start), (goal, goal)
        meets_ahead = (start - goal) % 2 == 1
        lowest, highest = left - bottom, right - top
        while True:
            checkpoint()
            ahead = _widened(self._forward, ahead, (lowest, highest), _BEFORE_ALL)
            met = self._go_ahead(ahead, right, bottom, behind if meets_ahead else None)
            if met is not None:
                return met
            behind = _widened(self._backward, behind, (lowest, highest), right + 1)
            met = self._go_back(behind, left, top, None if meets_ahead else ahead)
            if met is not None:
                return met

    def _go_ahead(
        self, diagonals: tuple[int, int], right: int, bottom: int, other: tuple[int, int] | None
    ) -> tuple[int, int] | None:
        """Go one change further on each diagonal, and return where the other search is met."""
        old, new, reached, backward = self._old, self._new, self._forward, self._backward
        low, high = other or (1, 0)
        passed = 0
        for diagonal in range(diagonals[1], diagonals[0] - 1, -2):
            x = max(reached[diagonal - 1] + 1, reached[diagonal + 1])
            y = x - diagonal
            passed -= x
            while x < right and y < bottom and old[x] == new[y]:
                x += 1
                y += 1
            passed += x + 1
            reached[diagonal] = x
            if low <= diagonal <= high and backward[diagonal] <= x:
                return x, y
        self._count(passed)
        return None

    def _go_back(
        self, diagonals: tuple[int, int], left: int, top: int, other: tuple[int, int] | None
    ) -> tuple[int, int] | None:
        """Go one change back on each diagonal, as `_go_ahead`."""
        old, new, reached, forward = self._old, self._new, self._backward, self._forward
        low, high = other or (1, 0)
        passed = 0
        for diagonal in range(diagonals[1], diagonals[0] - 1, -2):
            x = min(reached[diagonal - 1], reached[diagonal + 1] - 1)
            y = x - diagonal
            passed += x
            while x > left and y > top and old[x - 1] == new[y - 1]:
                x -= 1
                y -= 1
            passed -= x - 1
            reached[diagonal] = x
            if low <= diagonal <= high and x <= forward[diagonal]:
                return x, y
        self._count(passed)
        return None

    def _count(self, passed: int) -> None:
        self._steps_left -= passed
        if self._steps_left < 0:
            raise _TooManyStepsError

    def changes(self, offset: int) -> list[LineChange]:
        """Return the runs of lines that do not stay, each place higher by an offset."""
        found: list[LineChange] = []
        old_size, new_size = self._sizes
        x = y = 0
        while x < old_size or y < new_size:
            old_end = _end_of_run(self._stays_old, x)
            new_end = _end_of_run(self._stays_new, y)
            if old_end > x or new_end > y:
                places = (x + offset, old_end + offset, y + offset, new_end + offset)
                found.append(LineChange(*places))
            kept = min(_kept(self._stays_old, old_end), _kept(self._stays_new, new_end))
            x, y = old_end + kept, new_end + kept
        return found


def _widened(
    reached: list[int], diagonals: tuple[int, int], bounds: tuple[int, int], nowhere: int
) -> tuple[int, int]:
    """Return the diagonals of the next round: one more on each side, or one less at a border."""
    low, high = diagonals
    if low > bounds[0]:
        low -= 1
        reached[low - 1] = nowhere
    else:
        low += 1
    if high < bounds[1]:
        high += 1
        reached[high + 1] = nowhere
    else:
        high -= 1
    return low, high


def _end_of_run(stays: bytearray, place: int) -> int:
    end = stays.find(1, place)
    return len(stays) if end < 0 else end


def _kept(stays: bytearray, place: int) -> int:
    end = stays.find(0, place)
    return (len(stays) if end < 0 else end) - place


def _moved_down(
    changes: Sequence[LineChange], old: Sequence[bytes], new: Sequence[bytes]
) -> list[LineChange]:
    """Move each run of only added or only removed lines down as far as it may stand.

    A run that reaches the next change becomes one with it.
    """
    moved: list[LineChange] = []
    for change in reversed(changes):
        x, x_end, y, y_end = change
        while x == x_end or y == y_end:
            if moved and x_end == moved[-1].before_start:
                _, x_end, _, y_end = moved.pop()
                continue
            lines, place, end = (new, y, y_end) if x == x_end else (old, x, x_end)
            if end == len(lines) or lines[place] != lines[end]:
                break
            x, x_end, y, y_end = x + 1, x_end + 1, y + 1, y_end + 1
        moved.append(LineChange(x, x_end, y, y_end))
    moved.reverse()
    return moved
