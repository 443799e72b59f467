"""Many globs as one automaton, which reads each byte of a path once.

The state is a set of places in the patterns, as the bits of an integer. Each
transition is computed once and kept, so a byte usually costs one lookup. Matching
takes time in proportion to the path, whatever the patterns are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treeglass.search.glob_syntax import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treeglass.search.glob_syntax import Steps

_SLASH = ord("/")

MAX_KEPT_STATES = 10_000
"""Most states whose transitions are kept; when there are more, all are forgotten."""


class _Masks(NamedTuple):
    """The places that take a byte; bit N is the place before step N."""

    passing: int
    """Those that go on to the next place."""
    staying: int
    """Those that stay."""
    returning: int
    """Those that go back to the place before."""


class GlobAutomaton:
    """Patterns with a number each; tells the highest number that matches a path.

    Args:
        patterns: For each number, its alternatives. A number without alternatives
            matches nothing.
    """

    def __init__(self, patterns: Sequence[Iterable[Steps]]) -> None:
        self._steps: list[tuple[int, bool]] = []
        self._folders = 0
        self._repeating = 0
        self._numbers_by_end: list[tuple[int, int]] = []
        start = 0
        for number, alternatives in enumerate(patterns):
            ends = 0
            for steps in alternatives:
                start |= 1 << len(self._steps)
                ends |= 1 << self._add(steps)
            if ends:
                self._numbers_by_end.append((ends, number))
        self._numbers_by_end.reverse()
        self._masks: dict[int, _Masks] = {}
        self._transitions: dict[int, dict[int, int]] = {}
        self.start = self._closed(start)
        """The state before the first byte."""

    def _add(self, steps: Steps) -> int:
        """Append a pattern; return the place behind it."""
        for step in steps:
            place = 1 << len(self._steps)
            self._steps.append((step.accepted, step.repeats))
            if step is FOLDERS:
                # Two places: at the start of a name, and within one.
                self._steps.append((0, False))
                self._folders |= place
            elif step.repeats:
                self._repeating |= place
        # The place behind a pattern takes nothing.
        self._steps.append((0, False))
        return len(self._steps) - 1

    def _closed(self, places: int) -> int:
        """Return places with those that are reached without a byte."""
        reached = 0
        while places != reached:
            reached = places
            places |= (places & self._folders) << 2 | (places & self._repeating) << 1
        return places

    def feed(self, state: int, text: bytes) -> int:
        """Return the state after more bytes of the path; 0 if nothing can match any more."""
        for value in text:
            if not state:
                return 0
            known = self._transitions.get(state)
            if known is None:
                if len(self._transitions) >= MAX_KEPT_STATES:
                    self._transitions.clear()
                known = self._transitions[state] = {}
            following = known.get(value)
            if following is None:
                following = known[value] = self._after(state, value)
            state = following
        return state

    def _after(self, state: int, value: int) -> int:
        masks = self._masks.get(value) or self._masks_of(value)
        return self._closed(
            (state & masks.passing) << 1 | state & masks.staying | (state & masks.returning) >> 1
        )

    def _masks_of(self, value: int) -> _Masks:
        passing = staying = 0
        for place, (accepted, repeats) in enumerate(self._steps):
            if accepted >> value & 1:
                if repeats:
                    staying |= 1 << place
                else:
                    passing |= 1 << place
        within = self._folders << 1
        if value == _SLASH:
            masks = _Masks(passing, staying | self._folders, within)
        else:
            masks = _Masks(passing | self._folders, staying | within, 0)
        self._masks[value] = masks
        return masks

    def numbers(self, state: int) -> Iterable[int]:
        """Yield the numbers that match the path read so far, the highest first."""
        return (number for ends, number in self._numbers_by_end if state & ends)
