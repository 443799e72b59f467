"""The `include` globs of `Grep`: matched part by part from the right, as `PurePath.match` does.

`*` stays within one name, `**` is an ordinary `*`, and a leading `**/` may be left out.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from treeglass.tools.envelope.errors import WordedError
from treeglass.tools.envelope.tree_walk import from_search_root

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint

_ANY_DEPTH = "**/"


def compile_include(include: str | None, checkpoint: Checkpoint) -> Callable[[str], bool]:
    """Return a test of a file's path below the search root; a lone slash is a `WordedError`."""
    if include is None or not include.strip():
        return lambda _path: True
    glob = from_search_root(include.replace("\\", "/").strip())
    tests = [_compile(glob, checkpoint)]
    if glob.startswith(_ANY_DEPTH) and glob != _ANY_DEPTH:
        tests.append(_compile(glob.removeprefix(_ANY_DEPTH), checkpoint))
    return lambda path: any(test(path) for test in tests)


def _compile(glob: str, checkpoint: Checkpoint) -> Callable[[str], bool]:
    parts = [part for part in glob.split("/") if part not in {"", "."}]
    if not parts:
        raise WordedError("INTERNAL_ERROR", "Search failed (empty pattern).")
    matches = [_matcher(part, checkpoint) for part in reversed(parts)]

    def is_included(path: str) -> bool:
        names = path.split("/")[::-1]
        return len(names) >= len(matches) and all(
            match(name) for match, name in zip(matches, names, strict=False)
        )

    return is_included


def _matcher(part: str, checkpoint: Checkpoint) -> Callable[[str], object]:
    checkpoint()
    # `translate` looks for the end of a class from each bracket again; one that nothing
    # closes is itself.
    last = part.rfind("]") + 1
    return re.compile(fnmatch.translate(part[:last] + part[last:].replace("[", "[[]"))).match
