"""`Glob`: files whose path matches a pattern of `search.text_glob`, in a Standard Envelope."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

from treeglass.errors import CallTimedOut, LimitExceeded
from treeglass.escaping import escape_controls
from treeglass.search.text_glob import TextGlob
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.envelope.arguments import MAX_PATHS, GlobArgs
from treeglass.tools.envelope.envelope_building import (
    ErrorCode,
    answer_envelope,
    envelope_context,
    largest_envelope,
)
from treeglass.tools.envelope.errors import SEARCH_CWD, failed_answer, resolved
from treeglass.tools.envelope.project_paths import name_warnings
from treeglass.tools.envelope.tree_walk import (
    SearchRoot,
    find_root,
    from_search_root,
    shown_limit,
    walk_directories,
)
from treeglass.utf8 import lossy_text

if TYPE_CHECKING:
    from treeglass.workspace import ResolvedPath

PRUNED = frozenset(
    {
        ".git", ".hg", ".svn", "__pycache__", "node_modules", "target", "build", "dist",
        ".idea", ".vscode", ".DS_Store", "venv", ".venv", ".mypy_cache", ".pytest_cache",
        ".ruff_cache", ".tox", ".cache", "site-packages",
    }
)  # fmt: skip
"""Names of directories that are not searched unless ignored ones are asked for."""

_ITEMS_PER_CHECKPOINT = 64

AbortReason = Literal["count_limit", "time_limit"]

_NOTICES: Final[dict[tuple[AbortReason, bool], str]] = {
    ("count_limit", True): (
        "[Partial: Search stopped early (scanned too many items). Use a more specific 'path'.]"
    ),
    ("count_limit", False): (
        "[Error: Search aborted (scanned too many items without results). "
        "Use a more specific 'path'.]"
    ),
    ("time_limit", True): "[Partial: Search timed out (>{}s). Results are incomplete.]",
    ("time_limit", False): (
        "[Error: Search timed out (>{}s) without finding results. Try a more specific path.]"
    ),
}
_CODES: Final[dict[AbortReason, ErrorCode]] = {
    "count_limit": "INTERNAL_ERROR",
    "time_limit": "TIMEOUT",
}


class _Search:
    """One walk: directories top down, in each its files before what is below it."""

    def __init__(self, args: GlobArgs, context: ToolContext) -> None:
        self.args = args
        self.context = context
        self.paths: list[str] = []
        """Those that match, relative to the search root."""
        self.visited = 0
        self.aborted: AbortReason | None = None
        self.has_more = True
        """True if a path may match beyond the limit."""

    @property
    def max_seconds(self) -> float:
        """The time that this search has."""
        return min(self.context.config.tools.glob.max_seconds, self.context.timeout_seconds)

    def run(self, root: ResolvedPath) -> None:
        """Walk up to the limit, and on to the next path that matches."""
        try:
            matching = self._matching(root)
            for path in matching:
                self.paths.append(path)
                if len(self.paths) == self.args.limit:
                    break
            else:
                self.has_more = self.aborted is not None
                return
        except CallTimedOut:
            self.aborted = "time_limit"
            return
        visited = self.visited
        try:
            self.has_more = next(matching, None) is not None or self.aborted is not None
        except (CallTimedOut, LimitExceeded):
            self.has_more = True
        # The original stops where the limit is reached.
        self.visited, self.aborted = visited, None

    def _matching(self, root: ResolvedPath) -> Iterator[str]:
        glob = TextGlob(from_search_root(self.args.pattern), self.context.checkpoint)
        for here in walk_directories(root, self._is_pruned, self.context):
            state = glob.feed(glob.start, here.prefix)
            if not self._visit():
                return
            for entry in here.files:
                if not self._visit():
                    return
                is_shown = self.args.include_hidden or entry.name[0] != "."
                if is_shown and glob.is_match(glob.feed(state, entry.name)):
                    yield here.prefix + entry.name

    def _is_pruned(self, name: str) -> bool:
        is_ignored = name in PRUNED and not self.args.include_ignored
        return is_ignored or (name[0] == "." and not self.args.include_hidden)

    def _visit(self) -> bool:
        """Count an entry; tell whether the search goes on."""
        self.visited += 1
        table = self.context.config.tools.glob
        if self.visited > table.max_visited_entries:
            self.aborted = "count_limit"
        elif self.visited % _ITEMS_PER_CHECKPOINT == 1:
            self.context.checkpoint()
            if self.context.elapsed_seconds > table.max_seconds:
                self.aborted = "time_limit"
        return self.aborted is None


class _Found(NamedTuple):
    """The parts of an answer that do not depend on how many paths fit."""

    search: _Search
    paths: list[str]
    """Relative to the project root, in the host's names."""
    root: SearchRoot
    elapsed_seconds: float
    context: dict[str, Any]

    def is_truncated(self, count: int) -> bool:
        """Tell whether an answer of so many paths leaves some out."""
        return count == self.search.args.limit or count < len(self.paths)


def run(args: GlobArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the paths that match."""
    root = find_root(args.path, context)
    search = _Search(args, context)
    with resolved(root.where):
        search.run(root.path)
    found = _Found(
        search,
        [root.path_of(path) for path in search.paths],
        root,
        context.elapsed_seconds,
        envelope_context(
            cwd=SEARCH_CWD,
            arguments=context.arguments,
            path_resolved=lossy_text(root.where),
            pattern_normalized=args.pattern,
        ),
    )
    if search.aborted and not found.paths:
        code, message = _CODES[search.aborted], _text(found, 0)
        failed = failed_answer(
            code, message, found.context, context, elapsed_seconds=found.elapsed_seconds
        )
        return replace(failed, warnings=_warnings(found, 0))
    return _largest_answer(found, context)


def _largest_answer(found: _Found, context: ToolContext) -> ToolResult:
    """Return all paths, or as many of them as fit the budget."""
    with resolved(found.root.where, pattern_normalized=found.search.args.pattern):
        count, envelope, content = largest_envelope(
            lambda count: _envelope(found, count), len(found.paths), context.budget_bytes
        )
    return ToolResult(
        content=content,
        structured_content=envelope,
        truncated=count < len(found.paths) or found.search.has_more,
        next_arguments=_next_arguments(found, context) if count == len(found.paths) else None,
        warnings=_warnings(found, count),
    )


def _next_arguments(found: _Found, context: ToolContext) -> dict[str, Any] | None:
    """Return the call that shows more than the limit; a budget that is full has none."""
    limit = found.search.args.limit
    if len(found.paths) < limit or not found.search.has_more or limit == MAX_PATHS:
        return None
    arguments = cast("dict[str, Any]", context.arguments)  # the registry decoded them
    return {**arguments, "limit": min(2 * limit, MAX_PATHS)}


def _warnings(found: _Found, count: int) -> tuple[str, ...]:
    search, said = found.search, []
    if search.aborted == "count_limit":
        ceiling = search.context.config.tools.glob.max_visited_entries
        said.append(
            f"max_visited_entries is {ceiling:,}, so the search ended there, "
            "and how many entries are left is not known; narrow path."
        )
    elif search.aborted == "time_limit":
        said.append(
            f"The time was up after {search.visited:,} entries were looked at, and how many are "
            "left is not known; narrow path."
        )
    elif len(found.paths) == count == search.args.limit and not search.has_more:
        said.append("Exactly as many paths match as the limit; none is left out.")
    return (*said, *name_warnings(found.paths[:count], search.context, member="data.paths"))


def _envelope(found: _Found, count: int) -> dict[str, Any]:
    aborted, truncated = found.search.aborted, found.is_truncated(count)
    return answer_envelope(
        is_partial=truncated or aborted is not None,
        data={
            "paths": [lossy_text(path) for path in found.paths[:count]],
            "truncated": truncated,
            **({} if aborted is None else {"aborted_reason": aborted}),
        },
        text=_text(found, count),
        elapsed_seconds=found.elapsed_seconds,
        counters={"matched": count, "visited": found.search.visited},
        context=found.context,
    )


def _text(found: _Found, count: int) -> str:
    """Return what the model reads."""
    search, call = found.search, found.search.context
    pattern = escape_controls(search.args.pattern) if call.escape_names else search.args.pattern
    what = f"matching '{pattern}' in '{call.shown_path(found.root.where)}'"
    lines = [
        f"Found {count} files {what}" if found.paths else f"No files found {what}",
        f"(Scanned {search.visited} items in {int(found.elapsed_seconds * 1000)}ms)",
    ]
    if found.is_truncated(count):
        lines.append(
            f"[Truncated: Showing first {count} matches. Narrow pattern or increase limit.]"
        )
    elif search.aborted is not None:
        notice = _NOTICES[search.aborted, bool(found.paths)]
        lines.append(notice.format(shown_limit(search.max_seconds)))
    if found.paths:
        lines += ["", *map(call.shown_path, found.paths[:count])]
    return "\n".join(lines)
