"""Globs over the characters of a path, with the wildcards of `fnmatch` and `**`.

`*` and `?` stay within one name, `**` crosses slashes, `**/` also stands for nothing, and
`[...]` and `[!...]` are those of `fnmatch`, which may take a slash. Case counts. There are no
braces and no escapes; a bracket that nothing closes is itself.
"""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING, NamedTuple

from treeglass.search.checkpoint import Checkpoint, no_check

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_KEPT_TRANSITIONS = 20_000
"""Most transitions that are kept; when there are more, all are forgotten."""

MAX_KEPT_CHARACTERS = 2_000
"""Most characters whose places are kept, likewise."""

_STEPS_BETWEEN_CHECKS = 2_000


class _Masks(NamedTuple):
    """The places that take a character; bit N is the place before step N."""

    passing: int
    """Those that go on to the next place."""
    staying: int
    """Those that stay."""


class TextGlob:
    """A glob as an automaton: matching takes time in proportion to the path.

    A caller that walks keeps the state of a directory, and feeds only names.

    Args:
        pattern: The glob.
        checkpoint: Called while it is compiled and for characters that were not met before.

    Example:
        >>> glob = TextGlob("src/**/*.py")
        >>> [glob.is_match(glob.feed(glob.start, path)) for path in ("src/a.py", "a.py")]
        [True, False]
    """

    def __init__(self, pattern: str, checkpoint: Checkpoint = no_check) -> None:
        self._checkpoint = checkpoint
        self._asked = 0
        self._takes: list[Callable[[str], bool]] = []
        self._repeating = 0
        self._skipping = 0
        self._add_steps(pattern)
        self._end = 1 << len(self._takes)
        self._masks: dict[str, _Masks] = {}
        self._transitions: dict[tuple[int, str], int] = {}
        self.start = self._closed(1)
        """The state before the first character."""

    def is_match(self, state: int) -> bool:
        """Tell whether the characters that led to a state are a whole match."""
        return bool(state & self._end)

    def feed(self, state: int, text: str) -> int:
        """Return the state after more characters of the path; 0 if nothing can match any more."""
        for character in text:
            if not state:
                return 0
            following = self._transitions.get((state, character))
            if following is None:
                following = self._after(state, character)
            state = following
        return state

    def _add_steps(self, pattern: str) -> None:
        at = 0
        while at < len(pattern):
            if len(self._takes) % _STEPS_BETWEEN_CHECKS == _STEPS_BETWEEN_CHECKS - 1:
                self._checkpoint()
            if pattern.startswith("**/", at):
                self._add_folders()
                at += 3
            elif pattern.startswith("**", at):
                self._add(_takes_any, repeats=True)
                at += 2
            elif pattern[at] == "*":
                self._add(_takes_no_slash, repeats=True)
                at += 1
            elif pattern[at] == "?":
                self._add(_takes_no_slash)
                at += 1
            else:
                behind = _end_of_class(pattern, at) if pattern[at] == "[" else at + 1
                self._add(_takes_part(pattern[at:behind]))
                at = behind

    def _add_folders(self) -> None:
        """Append three places: the first leads to any text and a slash, or past both."""
        self._skipping |= 1 << len(self._takes)
        self._add(_takes_nothing)
        self._add(_takes_any, repeats=True)
        self._add("/".__eq__)

    def _add(self, takes: Callable[[str], bool], *, repeats: bool = False) -> None:
        if repeats:
            self._repeating |= 1 << len(self._takes)
        self._takes.append(takes)

    def _closed(self, places: int) -> int:
        """Return places with those that are reached without a character."""
        reached = 0
        while places != reached:
            reached = places
            skipping = places & self._skipping
            places |= (places & self._repeating) << 1 | skipping << 1 | skipping << 3
        return places

    def _after(self, state: int, character: str) -> int:
        masks = self._masks.get(character) or self._masks_of(character)
        following = self._closed((state & masks.passing) << 1 | state & masks.staying)
        if len(self._transitions) >= MAX_KEPT_TRANSITIONS:
            self._transitions.clear()
        self._transitions[state, character] = following
        return following

    def _masks_of(self, character: str) -> _Masks:
        self._asked += len(self._takes)
        if self._asked >= _STEPS_BETWEEN_CHECKS:
            self._asked = 0
            self._checkpoint()
        if len(self._masks) >= MAX_KEPT_CHARACTERS:
            self._masks.clear()
        taking = 0
        for place, takes in enumerate(self._takes):
            if takes(character):
                taking |= 1 << place
        masks = _Masks(taking & ~self._repeating, taking & self._repeating)
        self._masks[character] = masks
        return masks


def _takes_any(_character: str) -> bool:
    return True


def _takes_nothing(_character: str) -> bool:
    return False


def _takes_no_slash(character: str) -> bool:
    return character != "/"


def _takes_part(part: str) -> Callable[[str], bool]:
    """Return the test of one character by a literal or a class."""
    if len(part) == 1:
        return part.__eq__
    match = re.compile(fnmatch.translate(part)).match
    return lambda character: match(character) is not None


def _end_of_class(pattern: str, start: int) -> int:
    """Return the position behind a class, or behind its bracket if nothing closes it."""
    at = start + 1
    if pattern.startswith("!", at):
        at += 1
    # A bracket right here is a member.
    end = pattern.find("]", at + 1)
    return start + 1 if end < 0 else end + 1
