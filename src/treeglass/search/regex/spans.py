"""The place in a line where a tree matches: the leftmost, and there the preferred way.

Two automata take turns. One reads forward and keeps its places in the order of preference,
which gives the end of the match; the other reads back from there to the furthest start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from treeglass.search.regex.program import MATCH, Kind, Program

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.search.regex.text_lines import Spans
    from treeglass.search.regex.tree import Node

MAX_KEPT_STATES = 2_000
"""Most states that one automaton keeps; when there are more, all are forgotten."""

_MAX_KEPT_TRANSITIONS = 100_000
_MAX_KEPT_PLACES = 1_000_000
_WORK_BETWEEN_CHECKS = 20_000
"""The places visited between two looks at the clock, in steps not taken before."""
_WORK_OF_A_STEP = 10
_END = ""
_CLOCK_MASK = 0xFFFF

_Key = tuple[tuple[int, ...], Kind, bool, bool]


class _State(dict[str | int, "_State"]):
    """Places in order, before their choices are followed, and the transitions from them."""

    __slots__ = ("automaton", "is_searching", "key", "places", "read", "was_matched")

    def __init__(self, automaton: _Ordered, key: _Key) -> None:
        super().__init__()
        self.automaton = automaton
        self.places, self.read, self.is_searching, self.was_matched = key

    def __missing__(self, character: str | int) -> _State:
        return self.automaton.follow(self, character)


class _Ordered:
    """An automaton whose states keep the order of their places; backwards, it never stops early."""

    def __init__(self, node: Node, checkpoint: Checkpoint, *, is_backwards: bool) -> None:
        self._program = Program(node, checkpoint, is_backwards=is_backwards)
        self._checkpoint = checkpoint
        self._work = 0
        self._kept_places = 0
        self._is_backwards = is_backwards
        self._states: dict[_Key, _State] = {}
        self._transitions = 0

    def begin(self, line: str | bytes, at: int) -> _State:
        """Return the state at a place of a line, before anything was read."""
        behind = at if self._is_backwards else at - 1
        read = self._program.kind(line[behind]) if 0 <= behind < len(line) else Kind.EDGE
        return self._state(((self._program.start,), read, not self._is_backwards, False))

    def _state(self, key: _Key) -> _State:
        state = self._states.get(key)
        if state is None:
            self._kept_places += len(key[0])
            if (
                len(self._states) >= MAX_KEPT_STATES
                or self._transitions >= _MAX_KEPT_TRANSITIONS
                or self._kept_places > _MAX_KEPT_PLACES
            ):
                for each in self._states.values():
                    each.clear()
                self._states.clear()
                self._transitions = 0
                self._kept_places = len(key[0])
            state = self._states[key] = _State(self, key)
        return state

    def _settled(self, state: _State, coming: Kind) -> tuple[list[int], bool]:
        """Return the places whose sets may take the next character, and if a match ends here."""
        program = self._program
        found: list[int] = []
        seen: set[int] = set()
        self._work += 2 * len(state.places) + _WORK_OF_A_STEP
        waiting = list(reversed(state.places))
        is_match = False
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            look = program.looks.get(place)
            options = program.choices.get(place)
            if options is not None:
                self._work += len(options)
                # A choice counts as seen, too, or an empty round of a loop would be preferred.
                waiting += reversed(options)
            elif place == MATCH:
                is_match = True
                if not self._is_backwards:
                    # Whatever is preferred less cannot win any more.
                    break
            elif look is None:
                found.append(place)
            elif program.holds(look, state.read, coming):
                waiting.append(program.following[place])
        return found, is_match

    def follow(self, state: _State, character: str | int) -> _State:
        """Compute and keep a transition."""
        program = self._program
        kind = Kind.EDGE if character == _END else program.kind(character)
        places, is_match = self._settled(state, kind)
        reached: dict[int, None] = {}
        is_searching = state.is_searching and not is_match
        if character != _END:
            accepted = program.accepted(character)
            for place in places:
                if program.set_numbers[place] in accepted:
                    reached[program.following[place]] = None
            if is_searching:
                reached[program.start] = None
        ordered = tuple(sorted(reached) if self._is_backwards else reached)
        following = self._state((ordered, kind, is_searching, is_match))
        self._transitions += 1
        if self._work >= _WORK_BETWEEN_CHECKS:
            self._work = 0
            self._checkpoint()
        state[character] = following
        return following


class SpanFinder:
    """Finds the matches of a tree in one line."""

    def __init__(self, node: Node, checkpoint: Checkpoint) -> None:
        self._forward = _Ordered(node, checkpoint, is_backwards=False)
        self._backward = _Ordered(node, checkpoint, is_backwards=True)

    def find(self, line: str | bytes, start: int, checkpoint: Checkpoint) -> tuple[int, int] | None:
        """Return the start and end of the first match at or behind a place."""
        end = None
        state = self._forward.begin(line, start)
        for at in range(start, len(line)):
            state = state[line[at]]
            if state.was_matched:
                end = at
            if not state.places:
                break
            if not at & _CLOCK_MASK:
                checkpoint()
        else:
            if state[_END].was_matched:
                end = len(line)
        if end is None:
            return None
        return self._furthest_start(line, start, end, checkpoint), end

    def _furthest_start(
        self, line: str | bytes, start: int, end: int, checkpoint: Checkpoint
    ) -> int:
        begin = end
        state = self._backward.begin(line, end)
        for at in range(end - 1, -1, -1):
            state = state[line[at]]
            if state.was_matched:
                begin = at + 1
            if not state.places or at < start:
                return begin
            if not at & _CLOCK_MASK:
                checkpoint()
        if state[_END].was_matched:
            begin = 0
        return begin


def every_span(find: Callable[[int], tuple[int, int] | None], length: int) -> Spans:
    """Yield one match after another; an empty one never touches the one before, as in Rust.

    `find` returns the first match at or behind a place; at the end of a line it may be empty.
    """
    at, last_end = 0, -1
    while at <= length and (span := find(at)) is not None:
        start, end = span
        if start == end == last_end:
            at, last_end = end + 1, -1
            continue
        yield start, end
        at = last_end = end
