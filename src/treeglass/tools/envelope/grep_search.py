"""The search behind `Grep`: which files, in which order, and which of their lines match."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import CallTimedOut, LimitExceeded, WorkspaceError
from treeglass.search.gathered_files import gathered
from treeglass.tools.envelope.errors import WordedError
from treeglass.tools.envelope.tree_walk import SearchRoot, from_search_root, walk_directories
from treeglass.utf8 import lossy_text
from treeglass.workspace.host import ALONE
from treeglass.workspace.lines import iter_text

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.search.regex import LinePattern
    from treeglass.tool import ToolContext
    from treeglass.workspace import Entry, ResolvedPath, Status

MAX_MATCHES = 100
"""Most matches of one answer."""

LEFT_OUT = frozenset(
    {
        ".git", "node_modules", "dist", "build", "__pycache__", ".venv", "venv", ".idea",
        ".vscode", ".DS_Store", ".hg", ".svn", ".mypy_cache", ".pytest_cache", ".ruff_cache",
        ".tox", ".cache", "site-packages",
    }
)  # fmt: skip
"""Names of directories and of files that are not searched."""

_NS_PER_SECOND = 1_000_000_000


class Match(NamedTuple):
    """One line."""

    file: str
    """Relative to the project root, in the host's names."""
    line: int
    text: str
    """Without its end."""


class _Candidate(NamedTuple):
    """A file to search; the order of these is that of the search."""

    newest_first: float
    shown: str
    file: str
    """Relative to the project root."""
    path: ResolvedPath
    size_bytes: int


class Found:
    """The matches of a search in order, the newest file first."""

    def __init__(self) -> None:
        self.matches: list[Match] = []
        self.has_more = False
        """True if lines beyond these match."""
        self.timed_out = False
        self.searched_files = 0
        self.known_files: int | None = None
        """Files to search; None while they are looked for."""
        self.has_one_time = False
        """True if all of several files have one time, so that their paths make the order."""
        self.skipped_long_lines = False
        """True if a line was too long for a pattern that only `re` can match."""


def search(
    root: SearchRoot, include: str | None, pattern: LinePattern, context: ToolContext
) -> Found:
    """Return the first lines that match, in files with the newest first."""
    found = Found()
    try:
        context.workspace.want()
        candidates = sorted(_candidates(root, include, context), key=lambda file: file[:2])
        found.known_files = len(candidates)
        times = {file.newest_first for file in candidates}
        found.has_one_time = len(candidates) > 1 and len(times) == 1
        _require_searchable(candidates, context)
        length = 0
        max_line_bytes = context.workspace.limits.max_line_bytes
        reads = gathered(context.workspace, [file.path for file in candidates], pattern)
        for file, read in zip(candidates, reads, strict=True):
            context.checkpoint()
            if isinstance(read, int) and ALONE < read <= max_line_bytes:
                continue
            for match in _matches_in(file, read, pattern, found, context):
                length += len(match.text)
                # An answer has room for no more, but may be all of one line.
                found.has_more = len(found.matches) == MAX_MATCHES or (
                    length > context.budget_bytes and bool(found.matches)
                )
                if found.has_more:
                    return found
                found.matches.append(match)
            found.searched_files += 1
    except CallTimedOut:
        found.timed_out = True
    return found


def _candidates(
    root: SearchRoot, include: str | None, context: ToolContext
) -> Iterator[_Candidate]:
    is_included = None
    for here in walk_directories(root.path, LEFT_OUT.__contains__, context):
        kept: list[tuple[Entry, str]] = []
        for entry in here.files:
            if entry.name in LEFT_OUT:
                continue
            # Compiled for the first file, since only then a wrong one is an error.
            is_included = is_included or compile_include(include, context.checkpoint)
            inside = here.prefix + entry.name
            if is_included(inside):
                context.checkpoint()
                kept.append((entry, root.path_of(inside)))
        yield from _candidates_in(here.path, kept, context)


def _candidates_in(
    directory: ResolvedPath, kept: list[tuple[Entry, str]], context: ToolContext
) -> Iterator[_Candidate]:
    """Yield what is a file among entries of one directory, its link followed."""
    workspace = context.workspace
    own = [(entry, file) for entry, file in kept if entry.kind != "symlink"]
    entries = [entry for entry, _ in own]
    paths = workspace.enter_all(directory, [entry.name for entry in entries])
    statuses = workspace.known_statuses(directory, entries)
    for (_, file), path, status in zip(own, paths, statuses, strict=True):
        if status is not None and status.kind == "file":
            yield _candidate(file, path, status)
    for entry, file in kept:
        if entry.kind == "symlink":
            context.checkpoint()
            try:
                path = workspace.resolve_entry(directory, entry)
                status = workspace.status(path)
            except WorkspaceError:
                continue
            if status.kind == "file":
                yield _candidate(file, path, status)


def _candidate(file: str, path: ResolvedPath, status: Status) -> _Candidate:
    # As a float of seconds, which takes times for equal that differ by less than its precision.
    seconds, ns = divmod(status.modified_ns or 0, _NS_PER_SECOND)
    return _Candidate(-(seconds + 1e-9 * ns), lossy_text(file), file, path, status.size_bytes)


def _require_searchable(candidates: list[_Candidate], context: ToolContext) -> None:
    limits = context.workspace.limits
    limits.require("max_searched_files", len(candidates))
    limits.require("max_searched_bytes", sum(file.size_bytes for file in candidates))
    if context.workspace.want([file.path for file in candidates]) < len(candidates):
        raise WordedError(
            "INTERNAL_ERROR",
            f"a search fetches at most {limits.max_fetched_files:,} files and "
            f"{limits.max_fetched_bytes:,} bytes; narrow path or include",
        )


def _matches_in(
    file: _Candidate, read: bytes | int, pattern: LinePattern, found: Found, context: ToolContext
) -> Iterator[Match]:
    """Yield the matching lines of a file; one that cannot be read has none."""
    number = 1
    try:
        for text in _whole_lines(file.path, read, context):
            counted = 0
            longest = pattern.max_line_characters
            if longest is not None and any(len(line) > longest for line in text.split("\n")):
                found.skipped_long_lines = True
            for start, end in pattern.matching_lines(text, context.checkpoint):
                number += text.count("\n", counted, start)
                counted = start
                yield Match(file.file, number, text[start:end])
            number += text.count("\n", counted)
    except LimitExceeded:
        raise
    except (OSError, WorkspaceError):
        return


def _whole_lines(path: ResolvedPath, read: bytes | int, context: ToolContext) -> Iterator[str]:
    """Yield a file's text in pieces that end where lines end."""
    workspace = context.workspace
    ceiling = workspace.limits.max_line_bytes
    with workspace.open(path) if isinstance(read, int) else BytesIO(read) as opened:
        unfinished = ""
        for text, _ in iter_text(opened, context.checkpoint):
            whole, feed, unfinished = (unfinished + text).rpartition("\n")
            yield whole + feed
            if len(unfinished) > ceiling:
                raise LimitExceeded("max_line_bytes", ceiling)
        yield unfinished


_ANY_DEPTH = "**/"


def compile_include(include: str | None, checkpoint: Checkpoint) -> Callable[[str], bool]:
    """Return a test of a file's path below the search root; a lone slash is a `WordedError`.

    The glob is matched part by part from the right, as by `PurePath.match`. `*` stays within one
    name, `**` is an ordinary `*`, and a leading `**/` may be left out.
    """
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
