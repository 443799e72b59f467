"""`Search`: the lines that match a regular expression, as docs/tools/Search.md says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treeglass.errors import CallTimedOut, InvalidArguments, WorkspaceError
from treeglass.search.gathered_files import content_of, gathered
from treeglass.tools.forge.candidates import Candidate, CandidateFinder, Candidates
from treeglass.tools.forge.errors import ExecutionFailed
from treeglass.tools.forge.left_out import Bounds, LeftOut
from treeglass.tools.forge.line_search import LineSearch
from treeglass.tools.forge.paths.path_sandbox import PathSandbox
from treeglass.tools.forge.search_answer import (
    LEAST_EVENT_BYTES,
    Found,
    SearchEvent,
    Total,
    answer,
    place_of,
)
from treeglass.utf8 import WHITE_SPACE, lossy_text

if TYPE_CHECKING:
    from treeglass.config_tables import SearchTable
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.forge.arguments import SearchArgs

_BATCH_FILES = 500
_HELD_EVENTS = 1_000
_HELD_BYTES = 4_000_000
_MAX_FUZZY = 4
_MS_PER_SECOND = 1000


def run(args: SearchArgs, context: ToolContext) -> ToolResult:
    """Answer a call."""
    table = context.config.tools.search
    pattern = args.pattern.strip(WHITE_SPACE)
    if not pattern:
        raise InvalidArguments("pattern must not be empty")
    sandbox = PathSandbox(context)
    root = sandbox.resolve("." if args.path is None else args.path)
    kind = context.workspace.arrived(root).kind
    if kind not in {"file", "directory"}:
        raise ExecutionFailed("path is not a file or directory")
    if args.fuzzy is not None and not 1 <= args.fuzzy <= _MAX_FUZZY:
        raise InvalidArguments("fuzzy must be in range 1-4")
    bounds = _bounds(args, table)
    left_out = LeftOut(args, table, bounds)
    try:
        finder = CandidateFinder(args, context, sandbox, bounds, left_out)
        if args.fuzzy is not None:
            raise InvalidArguments("fuzzy search requires ugrep")
        context.workspace.want()
        candidates = finder.of_file(root) if kind == "file" else finder.below(root)
    except CallTimedOut:
        candidates = Candidates([], 0, [], is_timed_out=True)
    most = table.default_max_results if args.max_results is None else args.max_results
    path = lossy_text(root.virtual)
    total = Total(pattern, path, most, candidates.scanned, candidates.errors)
    # A pattern is looked at only where there is something to search.
    found = Found([], None, is_timed_out=False)
    if candidates.is_timed_out:
        found = Found([], None, is_timed_out=True, warnings=(_unfound(candidates.scanned),))
    elif candidates.files:
        most = min(most, context.budget_bytes // LEAST_EVENT_BYTES)
        found = _SearchRun(args, context, bounds, left_out).found(candidates, pattern, most)
    if not found.is_timed_out:
        left_out.count_files(lambda: _check_time(args, context))
    result = answer(args, total, found, left_out, context)
    return replace(result, warnings=(*result.warnings, *candidates.warnings))


def _unfound(count: int) -> str:
    return (
        f"The time was up while files were looked for: {count:,} were found, "
        "and none of them was searched; narrow path."
    )


def _check_time(args: SearchArgs, context: ToolContext) -> None:
    """End the search if the call's own time or that of any call is over."""
    default_ms = context.config.tools.search.default_timeout_ms
    timeout_ms = default_ms if args.timeout_ms is None else args.timeout_ms
    if context.elapsed_seconds > timeout_ms / _MS_PER_SECOND:
        raise CallTimedOut(context.elapsed_seconds)
    context.checkpoint()


def _bounds(args: SearchArgs, table: SearchTable) -> Bounds:
    values = []
    for name in Bounds._fields:
        asked, cap = getattr(args, name), getattr(table, name)
        if asked is not None and asked > cap:
            raise InvalidArguments(f"{name} exceeds configured cap ({cap})")
        values.append(cap if asked is None else asked)
    return Bounds(*values)


class _SearchRun:
    """The search of one call."""

    def __init__(
        self, args: SearchArgs, context: ToolContext, bounds: Bounds, left_out: LeftOut
    ) -> None:
        self._max_events = 0
        self._held_bytes = 0
        self._context = context
        self._max_matches = bounds.max_matches_per_file
        self._left_out = left_out
        self._args = args
        self._bytes = 0
        self._is_file_cut = False
        """True if the last file goes on beyond what was read of it."""
        self._arrived = 0
        self._events: list[SearchEvent] = []

    def found(self, candidates: Candidates, pattern: str, max_events: int) -> Found:
        """Search the files for at most so many events; what cannot be read becomes an error."""
        self._max_events = max_events
        limits = self._context.workspace.limits
        files = candidates.files
        paths = [file.path for file in files]
        fetched_count = self._context.workspace.want(paths)
        exit_code: int | None = 1
        warnings: tuple[str, ...] = ()
        number = 0
        try:
            search = LineSearch(self._args, pattern, max_events, self._context.checkpoint)
            reads = gathered(self._context.workspace, paths, search.pattern)
            for number, (file, read) in enumerate(zip(files, reads, strict=True)):
                place = number % _BATCH_FILES
                if place == 0:
                    exit_code = 1
                if (
                    number in {limits.max_searched_files, fetched_count}
                    or self._bytes > limits.max_searched_bytes
                ):
                    warnings = (_unsearched(len(files) - number + self._is_file_cut),)
                    break
                is_alone = place == 0 and number == len(files) - 1
                try:
                    has_match = self._search_file(search, file, read, is_alone=is_alone)
                except (OSError, WorkspaceError) as error:
                    candidates.errors.append(_unreadable(file, error))
                else:
                    exit_code = 0 if has_match else exit_code
        except CallTimedOut:
            warning = (
                f"The time was up after {number:,} of {len(files):,} files were searched; "
                "narrow path or include_glob."
            )
            return Found(self._events, None, is_timed_out=True, warnings=(warning,))
        if self._is_file_cut and not warnings:
            warnings = (_unsearched(1),)
        facts = {"is_timed_out": False, "is_limited": bool(warnings)}
        return Found(self._events, exit_code, **facts, warnings=warnings)

    def _search_file(
        self, search: LineSearch, file: Candidate, read: bytes | int, *, is_alone: bool
    ) -> bool:
        self._checkpoint()
        content = content_of(self._context.workspace, file.path, read)
        size_bytes = content if isinstance(content, int) else len(content)
        self._bytes += size_bytes
        self._is_file_cut = size_bytes > self._context.workspace.limits.max_searched_bytes
        if isinstance(content, int):
            return False
        found = search.search(
            content,
            self._max_matches,
            self._checkpoint,
            is_alone=is_alone,
            max_counted=self._left_out.countable_lines,
        )
        self._left_out.add_lines(found.left_out)
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
        _check_time(self._args, self._context)


def _unsearched(count: int) -> str:
    files = "1 file was" if count == 1 else f"{count:,} files were"
    return f"{files} not searched; narrow path."


def _unreadable(file: Candidate, error: OSError | WorkspaceError) -> dict[str, str]:
    reason = error.linux_text if isinstance(error, WorkspaceError) else "Input/output error"
    return {"path": lossy_text(file.inside), "error": reason}
