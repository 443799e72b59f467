"""A call of `Search`: the checks, the search through the candidates, the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import InvalidArguments, SymlinkLoop, WorkspaceError
from treeglass.tools.forge.searching.candidates import Bounds, Candidate, CandidateFinder
from treeglass.tools.forge.searching.line_search import LineSearch
from treeglass.tools.forge.searching.path_sandbox import PathSandbox
from treeglass.tools.forge.searching.sanitising import WHITE_SPACE
from treeglass.tools.forge.searching.search_answer import (
    LEAST_EVENT_BYTES,
    Found,
    SearchEvent,
    Total,
    answer,
    place_of,
)
from treeglass.tools.forge.tool_error import ExecutionFailed
from treeglass.utf8 import lossy_text

if TYPE_CHECKING:
    from treeglass.config import SearchTable
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.forge.search import SearchArgs
    from treeglass.tools.forge.searching.candidates import Candidates

_BATCH_FILES = 500
_HELD_EVENTS = 1_000
_HELD_BYTES = 4_000_000
_MAX_FUZZY = 4
_MS_PER_SECOND = 1000


class _TimeIsUp(Exception):
    """The search took longer than the call allows."""


class _Caps(NamedTuple):
    max_matches_per_file: int
    max_files: int
    max_file_size_bytes: int


def run(args: SearchArgs, context: ToolContext) -> ToolResult:
    """Answer a call.

    Raises:
        InvalidArguments: An argument is refused.
        SandboxViolation: The path may not be searched.
        ExecutionFailed: It is neither a file nor a directory.
        WorkspaceError: It is missing, or holds more entries than one call may visit.
        OutputBudgetTooSmall: Not even an answer without matches fits.
    """
    table = context.config.tools.search
    pattern = args.pattern.strip(WHITE_SPACE)
    if not pattern:
        raise InvalidArguments("pattern must not be empty")
    sandbox = PathSandbox(context)
    root = sandbox.resolve("." if args.path is None else args.path)
    kind = context.workspace.status(root).kind
    if kind == "symlink":
        # The gate follows every link except those that loop.
        raise SymlinkLoop
    if kind not in {"file", "directory"}:
        raise ExecutionFailed("path is not a file or directory")
    if args.fuzzy is not None and not 1 <= args.fuzzy <= _MAX_FUZZY:
        raise InvalidArguments("fuzzy must be in range 1-4")
    caps = _caps(args, table)
    finder = CandidateFinder(
        args, context, sandbox, Bounds(caps.max_files, caps.max_file_size_bytes)
    )
    if args.fuzzy is not None:
        raise InvalidArguments("fuzzy search requires ugrep")
    context.workspace.want()
    candidates = finder.of_file(root) if kind == "file" else finder.below(root)
    total = Total(
        pattern,
        lossy_text(root.virtual),
        table.default_max_results if args.max_results is None else args.max_results,
        candidates.scanned,
        candidates.errors,
    )
    # A pattern is looked at only where there is something to search.
    if not candidates.files:
        found = Found([], None, is_timed_out=False, warnings=())
    else:
        most = min(total.max_results, context.budget_bytes // LEAST_EVENT_BYTES)
        search = LineSearch(args, pattern, most, context.checkpoint)
        matching = caps.max_matches_per_file
        found = _SearchRun(args, context, search, matching, most).found(candidates)
    result = answer(args, total, found, context)
    return replace(result, warnings=(*result.warnings, *candidates.warnings))


def _caps(args: SearchArgs, table: SearchTable) -> _Caps:
    values = []
    for name in _Caps._fields:
        asked, cap = getattr(args, name), getattr(table, name)
        if asked is not None and asked > cap:
            raise InvalidArguments(f"{name} exceeds configured cap ({cap})")
        values.append(cap if asked is None else asked)
    return _Caps(*values)


class _SearchRun:
    """The search of one call."""

    def __init__(
        self,
        args: SearchArgs,
        context: ToolContext,
        search: LineSearch,
        max_matches: int,
        max_events: int,
    ) -> None:
        self._max_events = max_events
        self._held_bytes = 0
        self._context = context
        self._search = search
        self._max_matches = max_matches
        default_ms = context.config.tools.search.default_timeout_ms
        timeout_ms = default_ms if args.timeout_ms is None else args.timeout_ms
        self._timeout_seconds = timeout_ms / _MS_PER_SECOND
        self._bytes = 0
        self._arrived = 0
        self._events: list[SearchEvent] = []

    def found(self, candidates: Candidates) -> Found:
        """Search the files; what cannot be read becomes an entry of the errors."""
        limits = self._context.workspace.limits
        files = candidates.files
        fetched_count = self._context.workspace.want([file.path for file in files])
        exit_code: int | None = 1
        warnings: tuple[str, ...] = ()
        try:
            for number, file in enumerate(files):
                place = number % _BATCH_FILES
                if place == 0:
                    exit_code = 1
                if (
                    number in {limits.max_searched_files, fetched_count}
                    or self._bytes > limits.max_searched_bytes
                ):
                    warnings = (f"{len(files) - number} files were not searched; narrow path.",)
                    break
                is_alone = place == 0 and number == len(files) - 1
                try:
                    has_match = self._search_file(file, is_alone=is_alone)
                except (OSError, WorkspaceError) as error:
                    candidates.errors.append(_unreadable(file, error))
                else:
                    exit_code = 0 if has_match else exit_code
        except _TimeIsUp:
            return Found(self._events, None, is_timed_out=True, warnings=())
        return Found(self._events, exit_code, is_timed_out=False, warnings=warnings)

    def _search_file(self, file: Candidate, *, is_alone: bool) -> bool:
        self._checkpoint()
        limits = self._context.workspace.limits
        with self._context.workspace.open(file.path) as opened:
            content = opened.read(limits.max_searched_bytes + 1)
        self._bytes += len(content)
        if not self._max_matches:
            return False
        found = self._search.search(content, self._max_matches, self._checkpoint, is_alone=is_alone)
        shown = lossy_text(file.inside)
        self._events += [
            SearchEvent(file.order, self._arrived + number, shown, event)
            for number, event in enumerate(found.events)
        ]
        self._arrived += len(found.events)
        self._held_bytes += sum(len(event.text) for event in found.events)
        if len(self._events) > 4 * self._max_events + _HELD_EVENTS or (
            self._held_bytes > 4 * self._context.budget_bytes + _HELD_BYTES
        ):
            self._forget()
        return found.has_match

    def _forget(self) -> None:
        """Forget the lines that the answer cannot hold, but the first of them."""
        self._events.sort(key=place_of)
        kept_bytes = 0
        for number, event in enumerate(self._events):
            if number > self._max_events or kept_bytes > self._context.budget_bytes:
                del self._events[number:]
                break
            kept_bytes += len(event.line.text)
        self._held_bytes = kept_bytes

    def _checkpoint(self) -> None:
        if self._context.elapsed_seconds > self._timeout_seconds:
            raise _TimeIsUp
        self._context.checkpoint()


def _unreadable(file: Candidate, error: OSError | WorkspaceError) -> dict[str, str]:
    reason = error.linux_text if isinstance(error, WorkspaceError) else "Input/output error"
    return {"path": lossy_text(file.inside), "error": reason}
