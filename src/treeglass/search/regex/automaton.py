"""Finds the lines that match, reading each character once.

A state is the set of places that the tree may have reached, as the bits of an integer,
and what the last character was to the looks. Each transition is computed once and kept;
whether a place is the end of a match is known one character later, when looks are settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import length_hint
from typing import TYPE_CHECKING, NamedTuple, cast

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.program import MATCH, Kind, Program
from treeglass.search.regex.text_lines import Spans, line_at

if TYPE_CHECKING:
    from treeglass.search.regex.tree import Node

MAX_KEPT_STATES = 2_000
"""Most states that are kept; when there are more, all are forgotten."""

MAX_KEPT_TRANSITIONS = 200_000
"""Most transitions that are kept, likewise: text may have many different characters."""

CHUNK_CHARACTERS = 65_536
"""Between two looks at the clock."""

_WORK_BETWEEN_CHECKS = 10_000_000
"""The work of new steps between two looks at the clock, in rough nanoseconds."""


class _Matched(Exception):
    """The line matches up to here."""


class _Reached(NamedTuple):
    """The places that a state stands for, and the kind of the last character."""

    places: int
    """As bits."""
    read: Kind


_State = dict[str | int, "_State"]
"""The transitions of a state by characters, and under `_SELF` what it stands for.

A plain dictionary: one with `__missing__` is read at half the speed. No character is the empty
text, so `_SELF` is never taken for one. A state that is forgotten loses its transitions alone.
"""

_SELF = ""


def _reached(state: _State) -> _Reached:
    return cast("_Reached", state[_SELF])


class LineAutomaton:
    """Searches lines for a tree; in Python's files the line feed belongs to the line."""

    def __init__(
        self, node: Node, checkpoint: Checkpoint = no_check, *, sees_line_feed: bool = False
    ) -> None:
        self._program = Program(node, checkpoint)
        self._reached = self._program.reached_without_a_character()
        self._work = 0
        # A new step asks each group of places, of which there may be as many as places.
        self._work_of_a_step = 2_000 + 100 * len(self._program.following)
        self._sees_line_feed = sees_line_feed
        self._masks: dict[str | int, int] = {}
        self._satisfied: dict[tuple[Kind, Kind], int] = {}
        self._states: dict[tuple[int, Kind], _State] = {}
        self._transitions = 0
        self._set_masks = self._masks_of_sets()
        self._steps = self._grouped_steps()
        self._looks = sum(1 << place for place in self._program.looks)
        self._start = self._mask(self._program.start)

    def _mask(self, place: int) -> int:
        reached = self._reached.get(place)
        return 1 << place if reached is None else reached

    def _masks_of_sets(self) -> list[int]:
        numbers = self._program.set_numbers
        masks = [0] * (max(numbers) + 1)
        for place, number in enumerate(numbers):
            if number >= 0:
                masks[number] |= 1 << place
        return masks

    def _grouped_steps(self) -> list[tuple[int, int, bool]]:
        """Return which places lead where: the places, where to, and whether to the one below."""
        groups: dict[tuple[int, bool], int] = {}
        masks: dict[int, int] = {}
        for place, number in enumerate(self._program.set_numbers):
            if number < 0:
                continue
            following = self._program.following[place]
            if following not in masks:
                masks[following] = self._mask(following)
            reached, below = masks[following], 1 << place - 1
            key = (reached & ~below, bool(reached & below))
            groups[key] = groups.get(key, 0) | 1 << place
        return [(places, reached, shifts) for (reached, shifts), places in groups.items()]

    def _state(self, places: int, read: Kind) -> _State:
        if not self._looks:
            read = Kind.EDGE
        key = (places, read)
        state = self._states.get(key)
        if state is None:
            if len(self._states) >= MAX_KEPT_STATES or self._transitions >= MAX_KEPT_TRANSITIONS:
                self._forget()
            state = {_SELF: cast("_State", _Reached(places, read))}
            self._states[key] = state
        return state

    def _forget(self) -> None:
        for state in self._states.values():
            reached = state[_SELF]
            state.clear()
            # A search that is under way may still hold it.
            state[_SELF] = reached
        self._states.clear()
        self._transitions = 0

    def _settled(self, places: int, read: Kind, coming: Kind) -> int:
        """Return places with those behind the looks that hold; raise at the end of a match."""
        looks = places & self._looks
        if looks:
            satisfied = self._satisfied.get((read, coming))
            if satisfied is None:
                satisfied = 0
                for place, look in self._program.looks.items():
                    if self._program.holds(look, read, coming):
                        satisfied |= 1 << place
                self._satisfied[read, coming] = satisfied
            done = 0
            while passed := places & self._looks & satisfied & ~done:
                done |= passed
                while passed:
                    place = passed.bit_length() - 1
                    passed ^= 1 << place
                    places |= self._mask(self._program.following[place])
        if places & 1 << MATCH:
            raise _Matched
        return places

    def _accepting(self, character: str | int) -> int:
        mask = self._masks.get(character)
        if mask is None:
            if len(self._masks) >= MAX_KEPT_STATES:
                self._masks.clear()
            mask = 0
            for number in self._program.accepted(character):
                mask |= self._set_masks[number]
            self._masks[character] = mask
        return mask

    def _follow(self, state: _State, character: str | int, checkpoint: Checkpoint) -> _State:
        """Compute and keep a transition; one that ends a match is not kept, but raised."""
        self._work += self._work_of_a_step
        if self._work >= _WORK_BETWEEN_CHECKS:
            self._work = 0
            checkpoint()
        before = _reached(state)
        is_end = character in ("\n", 10)
        if is_end and not self._sees_line_feed:
            self._settled(before.places, before.read, Kind.EDGE)
            following = self._state(self._start, Kind.EDGE)
        else:
            kind = self._program.kind(character)
            reached = self._start
            places = self._settled(before.places, before.read, kind)
            if hits := places & self._accepting(character):
                for members, to, shifts in self._steps:
                    if moved := hits & members:
                        reached |= to | moved >> 1 if shifts else to
            if is_end:
                self._settled(reached, kind, Kind.EDGE)
                following = self._state(self._start, Kind.EDGE)
            else:
                following = self._state(reached, kind)
        self._transitions += 1
        state[character] = following
        return following

    def matching_lines(
        self, text: str | bytes, start: int, end: int, checkpoint: Checkpoint
    ) -> Spans:
        """Yield the start and end of each line that matches, from one end of a line to another."""
        # The line feed that ends the last line is read, too.
        stop = min(end + 1, len(text))
        at = line_start = start
        state = self._state(self._start, Kind.EDGE)
        while at <= end:
            piece = text[at : min(at + CHUNK_CHARACTERS, stop)]
            characters: Iterator[str | int] = iter(piece)
            try:
                state = self._run(state, characters, checkpoint)
                if at + len(piece) < stop:
                    at += len(piece)
                    checkpoint()
                    continue
                if end == len(text):
                    self._settled(*_reached(state), Kind.EDGE)
            except _Matched:
                found = min(at + len(piece) - length_hint(characters), end + 1) - 1
            else:
                return
            line_start, line_end = line_at(text, line_start, max(found, line_start), end)
            yield line_start, line_end
            at = line_start = line_end + 1
            state = self._state(self._start, Kind.EDGE)

    def _run(
        self, state: _State, characters: Iterator[str | int], checkpoint: Checkpoint
    ) -> _State:
        """Return the state after more characters; raise where a match is noticed."""
        character: str | int = _SELF
        while True:
            try:
                for character in characters:
                    state = state[character]
            except KeyError:
                state = self._follow(state, character, checkpoint)
            else:
                return state
