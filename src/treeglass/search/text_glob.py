"""Globs over the characters of a path, with the wildcards of `fnmatch` and `**`.

`*` and `?` stay within one name, `**` crosses slashes, `**/` also stands for nothing, and
`[...]` and `[!...]` are those of `fnmatch`, which may take a slash. Case counts. There are no
braces and no escapes; a bracket that nothing closes is itself.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import FOLDERS, Step

_PARTS = re.compile(r"\*\*/|\*\*|\[(?:!|(?!!)).[^]]*]|.", re.DOTALL)
_REPEATING = ("*", "**", "**/")


class TextGlob(GlobAutomaton):
    """A glob as an automaton: matching takes time in proportion to the path.

    A caller that walks keeps the state of a directory, and feeds only names. Above `MAX_PLACES`
    characters it is `GlobTooLarge`.
    """

    def __init__(self, pattern: str, checkpoint: Checkpoint = no_check) -> None:
        self._tests: list[Callable[[str], bool]] = []
        super().__init__([[tuple(self._steps(pattern))]], checkpoint)

    def is_match(self, state: int) -> bool:
        """Tell whether the characters that led to a state are a whole match."""
        return self.highest(state) is not None

    def _steps(self, pattern: str) -> Iterator[Step]:
        numbers: dict[str, int] = {}
        before = ""
        for part in _PARTS.findall(pattern):
            # Two of them in a row are one.
            if part == before and part in _REPEATING:
                continue
            before = part
            if part == "**/":
                yield FOLDERS
                continue
            if part not in numbers:
                numbers[part] = len(numbers)
                self._tests.append(_test_of(part))
            yield Step(numbers[part], repeats=part in _REPEATING)

    def _takes(self, accepted: int, value: int | str) -> bool:
        return isinstance(value, str) and self._tests[accepted](value)


def _test_of(part: str) -> Callable[[str], bool]:
    """Return the test of one character by a part of a glob."""
    if part == "**":
        return lambda _character: True
    if part in ("*", "?"):
        return lambda character: character != "/"
    if len(part) == 1:
        return part.__eq__
    match = re.compile(fnmatch.translate(part)).match
    return lambda character: match(character) is not None
