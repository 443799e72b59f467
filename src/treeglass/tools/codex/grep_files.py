"""`grep_files`: the files whose lines match, newest first, as docs/tools/grep_files.md says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import CallTimedOut, OutputBudgetTooSmall, WorkspaceError
from treeglass.escaping import escape_controls, escape_path
from treeglass.search.gathered_files import content_of, gathered
from treeglass.search.regex import LinePattern, RegexInvalid, compile_rust
from treeglass.search.searched_bytes import is_hidden_by_nul, without_mark
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.codex.arguments import MAX_LIMIT, GrepFilesArgs
from treeglass.tools.codex.errors import RespondToModel, report_error
from treeglass.tools.codex.file_walk import FileWalk, FoundFile, Include, sort_files
from treeglass.tools.codex.text import counted
from treeglass.utf8 import WHITE_SPACE, byte_length, is_encodable
from treeglass.workspace.host import ALONE

if TYPE_CHECKING:
    from treeglass.workspace import ResolvedPath

_NO_MATCH = "No matches found."
_NUL = (
    "failed to launch rg: nul byte found in provided data. Ensure ripgrep is installed and on PATH."
)


class _Root(NamedTuple):
    """The part of the tree to search."""

    path: ResolvedPath
    text: str
    """As the lines of the answer show it, without a slash at its end."""
    is_directory: bool


_MAX_NAMED_PATHS = 20
_SKIPPED_BETWEEN_CHECKS = 64


class _Searched:
    """Counters of a search, for the warnings."""

    def __init__(self) -> None:
        self.walk: FileWalk | None = None
        """None while the pattern is compiled."""
        self.lines: list[str] = []
        """Of the answer; one more than its limit if there are more."""
        self.known_files: int | None = None
        """Files to search; None while they are looked for."""
        self.files = 0
        self.total_bytes = 0
        self.unreadable = 0
        self.limit: str | None = None
        """The ceiling that ended the search."""

    @property
    def is_partial(self) -> bool:
        """True if something was not searched."""
        return self.limit is not None or self.unreadable > 0


def run(args: GrepFilesArgs, context: ToolContext) -> ToolResult:
    """Answer a call."""
    pattern = args.pattern.strip(WHITE_SPACE)
    if not pattern:
        raise RespondToModel("pattern must not be empty")
    if args.limit == 0:
        raise RespondToModel("limit must be greater than zero")
    root = _find_root(args.path or "", context)
    include = (args.include or "").strip(WHITE_SPACE)
    if "\0" in pattern + include:
        raise RespondToModel(_NUL)
    searched = _Searched()
    try:
        return _search(args, root, searched, context)
    except CallTimedOut as error:
        # The design has words for an error alone, and none for a part.
        return replace(
            report_error(error, context, tool_name="grep_files"), warnings=(_timed_out(searched),)
        )


def _search(
    args: GrepFilesArgs, root: _Root, searched: _Searched, context: ToolContext
) -> ToolResult:
    include = (args.include or "").strip(WHITE_SPACE)
    rule = Include(include, context.working_dir, context.checkpoint)
    lines = _compile(args.pattern.strip(WHITE_SPACE), context)
    searched.walk = walk = FileWalk(context, rule)
    context.workspace.want()
    files = walk.files(root.path) if root.is_directory else [walk.named(root.path)]
    sort_files(files)
    searched.known_files = len(files)
    fetched_count = context.workspace.want([file.path for file in files])
    limit = min(args.limit, MAX_LIMIT)
    shown = searched.lines
    for path in _matching(files[:fetched_count], lines, root, context, searched):
        shown += [line for line in path.split("\n") if line]
        # One more, to know whether there is one.
        if len(shown) > limit:
            break
    else:
        if searched.limit is None and fetched_count < len(files):
            limits = context.workspace.limits
            searched.limit = (
                f"A search fetches at most {limits.max_fetched_files:,} files and "
                f"{limits.max_fetched_bytes:,} bytes"
            )
    searched.unreadable += walk.unreadable
    warnings = (*_warnings(searched, files), *walk.warnings)
    return _answer(args, searched, limit, context, warnings)


def _find_root(text: str, context: ToolContext) -> _Root:
    joined = text if text.startswith("/") else f"{context.working_dir.rstrip('/')}/{text}"
    if not text:
        joined = context.working_dir
    try:
        path = context.resolve(joined)
        kind = context.workspace.status(path).kind
    except WorkspaceError as error:
        shown = escape_controls(joined) if context.escape_names else joined
        raise RespondToModel(f"unable to access `{shown}`: {error.linux_text}") from None
    return _Root(path, joined.removesuffix("/"), kind == "directory")


def _compile(pattern: str, context: ToolContext) -> LinePattern:
    try:
        return compile_rust(pattern, checkpoint=context.checkpoint)
    except RegexInvalid as error:
        raise RespondToModel(f"rg failed: rg: {str(error).rstrip()}\n") from None


def _matching(
    files: list[FoundFile],
    lines: LinePattern,
    root: _Root,
    context: ToolContext,
    searched: _Searched,
) -> Iterator[str]:
    """Yield the path of each file with a line that matches, as the answer shows it."""
    limits = context.workspace.limits
    too_many_bytes = f"max_searched_bytes is {limits.max_searched_bytes:,}"
    reads = gathered(context.workspace, [file.path for file in files], lines)
    for file, read in zip(files, reads, strict=True):
        is_skipped = isinstance(read, int) and read != ALONE
        # Files that are skipped take less time than a look at the clock.
        if not is_skipped or searched.files % _SKIPPED_BETWEEN_CHECKS == 0:
            context.checkpoint()
        if searched.files == limits.max_searched_files:
            searched.limit = f"max_searched_files is {limits.max_searched_files:,}"
            return
        if searched.total_bytes > limits.max_searched_bytes:
            searched.limit = too_many_bytes
            return
        try:
            content = read if is_skipped else content_of(context.workspace, file.path, read)
        except (OSError, WorkspaceError):
            searched.files += 1
            searched.unreadable += 1
            continue
        if isinstance(content, int):
            searched.files += 1
            searched.total_bytes += content
            continue
        searched.total_bytes += len(content)
        is_match = _has_match(content, lines, context, is_named=not root.is_directory)
        if len(content) > limits.max_searched_bytes and not is_match:
            # It was read up to the ceiling, and goes on.
            searched.limit = too_many_bytes
            return
        searched.files += 1
        if is_match and is_encodable(shown := _shown_path(file, root, context)):
            yield shown


def _shown_path(file: FoundFile, root: _Root, context: ToolContext) -> str:
    if not context.escape_names:
        return root.text + file.inside
    return escape_controls(root.text) + escape_path(file.inside)


def _has_match(content: bytes, lines: LinePattern, context: ToolContext, *, is_named: bool) -> bool:
    content = without_mark(content)
    text = content.decode("utf-8", "surrogateescape")
    if is_named or b"\0" not in content:
        return lines.is_match(text, context.checkpoint)
    first = next(iter(lines.matching_lines(text, context.checkpoint)), None)
    if first is None:
        return False
    end = len(text[: first[1] + 1].encode("utf-8", "surrogateescape"))
    return not is_hidden_by_nul(content, end)


def _answer(
    args: GrepFilesArgs,
    searched: _Searched,
    limit: int,
    context: ToolContext,
    warnings: tuple[str, ...],
) -> ToolResult:
    lines = searched.lines
    if not lines:
        return ToolResult(content=_NO_MATCH, truncated=searched.is_partial, warnings=warnings)
    kept = lines[:limit]
    sizes = [byte_length(line) + 1 for line in kept]
    size = sum(sizes) - 1
    while size > context.budget_bytes:
        size -= sizes.pop()
    if not sizes:
        raise OutputBudgetTooSmall(context.budget_bytes, byte_length(kept[0]))
    has_more = len(lines) > len(sizes)
    goes_on = has_more and len(sizes) == limit < MAX_LIMIT
    following = {**args.written(), "limit": min(2 * limit, MAX_LIMIT)} if goes_on else None
    return ToolResult(
        content="\n".join(kept[: len(sizes)]),
        truncated=has_more or searched.is_partial,
        next_arguments=following,
        warnings=warnings,
    )


def _timed_out(searched: _Searched) -> str:
    if searched.known_files is None:
        found_count = 0 if searched.walk is None else searched.walk.found_count
        return (
            "The time was up while files were looked for: "
            f"{found_count:,} were found, and none of them was searched; narrow path."
        )
    named = searched.lines[:_MAX_NAMED_PATHS]
    more = len(searched.lines) - len(named)
    matched = counted(len(searched.lines), "matches", "match")
    paths = f": {', '.join(named)}" if named else ""
    return (
        f"The time was up after {searched.files:,} of {searched.known_files:,} files were "
        f"searched, the newest first; narrow path or include. Of these {matched}"
        f"{paths}{f', and {more:,} more' if more else ''}."
    )


def _warnings(searched: _Searched, files: list[FoundFile]) -> tuple[str, ...]:
    warnings = []
    if searched.limit is not None:
        left = len(files) - searched.files
        warnings.append(
            f"{searched.limit}, so {counted(left, 'file was', 'files were')} not searched; "
            "narrow path or include."
        )
    if searched.unreadable:
        noun = counted(searched.unreadable, "file or directory was", "files or directories were")
        warnings.append(f"{noun} left out as unreadable.")
    if len(searched.lines) > 1 and len({file.newest_first for file in files}) == 1:
        warnings.append("All files have the same time, so they are sorted by path.")
    return tuple(warnings)
