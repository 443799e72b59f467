"""Many globs as one automaton, which reads each byte, or each character, of a path once.

The state is a set of places in the patterns, as the bits of an integer. Each transition is computed
once and kept. Matching takes time in proportion to the path, whatever the patterns are; making the
automaton takes time and memory in proportion to its places.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.glob_steps import FOLDERS, MAX_PLACES, GlobTooLarge, Steps

_SLASHES = (ord("/"), "/")

_MAX_KEPT_VALUES = 2_000
"""Most bytes or characters whose places are kept; when there are more, all are forgotten."""
_MAX_KEPT_BYTES = 1024 * 1024
"""Roughly the memory that kept transitions may take, and more for each place."""
_MAX_KEPT_BYTES_OF_A_PLACE = 150
_TRANSITION_BYTES = 150

_WORK_BETWEEN_CHECKS = 2_000_000
"""The work between two looks at the clock. Unit: places, roughly nanoseconds."""
_WORK_OF_A_STEP = 1_000


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

    A number has alternatives; one without any matches nothing. Together they have at most
    `MAX_PLACES`, else it is `GlobTooLarge`.
    """

    def __init__(
        self, patterns: Iterable[Iterable[Steps]], checkpoint: Checkpoint = no_check
    ) -> None:
        self._checkpoint = checkpoint
        self._work = 0
        self.place_count = 0
        self._passing: dict[int, list[int]] = {}
        """For each set of bytes, the places that go on with one of it."""
        self._staying: dict[int, list[int]] = {}
        self._number_by_end: dict[int, int] = {}
        folders: list[int] = []
        starts: list[int] = []
        for number, alternatives in enumerate(patterns):
            for steps in alternatives:
                self._spend(_WORK_OF_A_STEP * (len(steps) + 1))
                starts.append(self.place_count)
                self._number_by_end[self._add(steps, folders)] = number
        self._folders = self._bits(folders)
        self._within_folders = self._folders << 1
        self._repeating = self._bits(place for places in self._staying.values() for place in places)
        self._ends = self._bits(self._number_by_end)
        self._masks: dict[int | str, _Masks] = {}
        self._transitions: dict[int, dict[int | str, int]] = {}
        self._kept_bytes = 0
        self.start = self._closed(self._bits(starts))
        """The state before the first byte."""

    def _spend(self, work: int) -> None:
        """Look at the clock if enough was done since the last time."""
        self._work += work
        if self._work >= _WORK_BETWEEN_CHECKS:
            self._work = 0
            self._checkpoint()

    def _add(self, steps: Steps, folders: list[int]) -> int:
        """Append a pattern; return the place behind it."""
        place = self.place_count
        for step in steps:
            if step is FOLDERS:
                # Two places: at the start of a name, and within one.
                folders.append(place)
                place += 2
                continue
            groups = self._staying if step.repeats else self._passing
            groups.setdefault(step.accepted, []).append(place)
            place += 1
        if place >= MAX_PLACES:
            raise GlobTooLarge.of_places()
        # The place behind a pattern takes nothing.
        self.place_count = place + 1
        return place

    def _bits(self, places: Iterable[int]) -> int:
        # Not `|= 1 << place`, which copies all bits for each place.
        found = bytearray(self.place_count // 8 + 1)
        for place in places:
            found[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(found, "little")

    def _closed(self, places: int) -> int:
        """Return places with those that are reached without a byte."""
        reached = 0
        while places != reached:
            self._spend(_WORK_OF_A_STEP + self.place_count)
            reached = places
            places |= (places & self._folders) << 2 | (places & self._repeating) << 1
        return places

    def feed(self, state: int, text: bytes | str) -> int:
        """Return the state after more bytes of the path; 0 if nothing can match any more."""
        value: int | str
        for value in text:
            if not state:
                return 0
            known = self._transitions.get(state)
            if known is None:
                known = self._transitions[state] = {}
            following = known.get(value)
            if following is None:
                following = self._after(state, value)
                self._keep(state, value, following)
            state = following
        return state

    def _keep(self, state: int, value: int | str, following: int) -> None:
        ceiling = _MAX_KEPT_BYTES + _MAX_KEPT_BYTES_OF_A_PLACE * self.place_count
        self._kept_bytes += _TRANSITION_BYTES + self.place_count // 4
        if self._kept_bytes > ceiling:
            self._transitions.clear()
            self._kept_bytes = 0
        self._transitions.setdefault(state, {})[value] = following

    def _after(self, state: int, value: int | str) -> int:
        masks = self._masks.get(value) or self._masks_of(value)
        return self._closed(
            (state & masks.passing) << 1 | state & masks.staying | (state & masks.returning) >> 1
        )

    def _masks_of(self, value: int | str) -> _Masks:
        passing = self._taking(self._passing, value)
        staying = self._taking(self._staying, value)
        if value in _SLASHES:
            masks = _Masks(passing, staying | self._folders, self._within_folders)
        else:
            masks = _Masks(passing | self._folders, staying | self._within_folders, 0)
        if len(self._masks) >= _MAX_KEPT_VALUES:
            self._masks.clear()
        self._masks[value] = masks
        return masks

    def _taking(self, groups: dict[int, list[int]], value: int | str) -> int:
        self._spend(100 * (len(groups) + self.place_count))
        return self._bits(
            place
            for accepted, places in groups.items()
            if self._takes(accepted, value)
            for place in places
        )

    def _takes(self, accepted: int, value: int | str) -> bool:
        """Tell whether a step that takes these takes a byte; a glob of text has its own way."""
        return isinstance(value, int) and bool(accepted >> value & 1)

    def ends_of(self, numbers: Iterable[int]) -> int:
        """Return the ends of some patterns, for `highest`."""
        wanted = frozenset(numbers)
        return self._bits(end for end, number in self._number_by_end.items() if number in wanted)

    def highest(self, state: int, ends: int | None = None) -> int | None:
        """Return the highest number that matches the path read so far, or None.

        Only the patterns with these ends count, which are from `ends_of`; by default all do.
        """
        hits = state & (self._ends if ends is None else ends)
        return self._number_by_end[hits.bit_length() - 1] if hits else None
