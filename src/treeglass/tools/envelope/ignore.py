"""The `ignore` patterns of `LS`: shell wildcards, the same on every platform.

Matching takes time in proportion to the product of the lengths of pattern and string: each `*`
except the last is an atomic group (`fnmatch.translate`), so nothing backtracks.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable

MAX_IGNORE_PATTERNS = 100
"""Most patterns of one call."""

MAX_IGNORE_PATTERN_LENGTH = 256
"""Longest pattern. Unit: code points."""

_ANY_DEPTH = "**/"


def compile_ignore(patterns: Iterable[str]) -> Callable[[str, str], bool]:
    r"""Return a test: does any pattern hide the entry of this name and this path?

    A pattern without `/` and `\` is matched against the name. Any other is
    matched against the path relative to the project root and against the name,
    which is the path relative to the listed directory; if it starts with `**/`,
    the rest is matched in the same two ways. Case counts, and `*` matches `/` too.

    Implements LSTool.md 5.2.
    """
    for_names: list[str] = []
    for_paths: list[str] = []
    for pattern in patterns:
        if "/" not in pattern and "\\" not in pattern:
            for_names.append(pattern)
            continue
        for_paths.append(pattern)
        if pattern.startswith(_ANY_DEPTH):
            for_paths.append(pattern.removeprefix(_ANY_DEPTH))
    hides_name = _match_any([*for_names, *for_paths])
    hides_path = _match_any(for_paths)

    def hides(name: str, path: str) -> bool:
        return hides_name(name) or (path != name and hides_path(path))

    return hides


def _match_any(patterns: list[str]) -> Callable[[str], bool]:
    if not patterns:
        return lambda _: False
    # Not `fnmatch.fnmatch`, which folds case on some platforms; and one expression
    # for all patterns, as calling a matcher costs more than its match.
    match = re.compile("|".join(map(fnmatch.translate, patterns))).match
    return lambda text: match(text) is not None
