r"""The `ignore` patterns of `LS`: shell wildcards, the same on every platform.

Pure functions on names and paths. Matching a whole string takes time in
proportion to the product of both lengths, whatever the pattern: each `*`
but the last is an atomic group (`fnmatch.translate`), so nothing backtracks.
"""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_IGNORE_PATTERNS = 100
"""Most patterns of one call."""

MAX_IGNORE_PATTERN_LENGTH = 512
"""Longest pattern. Unit: code points."""

_ANY_DEPTH = "**/"


def compile_ignore(patterns: Iterable[str]) -> Callable[[str, str], bool]:
    r"""Return a test: does any pattern hide the entry of this name and this path?

    A pattern without `/` and `\` is matched against the name. Any other is
    matched against the path relative to the project root and against the name,
    which is the path relative to the listed directory; where it starts with
    `**/`, what follows is matched in the same two ways. Case counts, and `*`
    matches `/` too.

    Implements LSTool 2.0.0, section 5.2.
    """
    for_names: list[re.Pattern[str]] = []
    for_paths: list[re.Pattern[str]] = []
    for pattern in patterns:
        if "/" not in pattern and "\\" not in pattern:
            for_names.append(_compile(pattern))
            continue
        for_paths.append(_compile(pattern))
        if pattern.startswith(_ANY_DEPTH):
            for_paths.append(_compile(pattern.removeprefix(_ANY_DEPTH)))
    for_names += for_paths

    def hides(name: str, path: str) -> bool:
        return any(pattern.match(name) for pattern in for_names) or any(
            pattern.match(path) for pattern in for_paths
        )

    return hides


def _compile(pattern: str) -> re.Pattern[str]:
    # Not `fnmatch.fnmatch`, which folds case where the platform does.
    return re.compile(fnmatch.translate(pattern))
