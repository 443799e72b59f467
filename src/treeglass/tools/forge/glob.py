"""`Glob`: the files whose path below a directory matches, as docs/tools/forge_glob.md says."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeGuard

from treeglass.errors import CallTimedOut, InvalidArguments, LimitExceeded, WorkspaceError
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid, GlobTooLarge, Steps
from treeglass.search.glob_syntax import MAX_ALTERNATIVES, MAX_GLOB_BYTES, RIPGREP, parse_glob
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.forge.arguments import DEFAULT_PATHS, MAX_PATHS, GlobArgs
from treeglass.tools.forge.errors import ExecutionFailed
from treeglass.tools.forge.paths.path_sandbox import PathSandbox
from treeglass.tools.forge.text import cut_to_lines, sanitized
from treeglass.tools.forge.tree_walk import TreeWalk, Visited, WalkFault, WalkRules
from treeglass.utf8 import WHITE_SPACE, lossy_text, raw_bytes

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint


_ALL_SHOWN = "Exactly as many paths match as the limit; none is left out."


def run(args: GlobArgs, context: ToolContext) -> ToolResult:
    """Answer a call."""
    if not args.pattern.strip(WHITE_SPACE):
        raise InvalidArguments("pattern must not be empty")
    sandbox = PathSandbox(context)
    asked_path = "." if args.path is None else args.path
    root = sandbox.resolve(asked_path)
    try:
        kind = context.workspace.arrived(root).kind
    except WorkspaceError:
        missing = lossy_text(sandbox.missing_path(asked_path))
        raise ExecutionFailed(f"base path does not exist: {missing}") from None
    if kind != "directory":
        raise ExecutionFailed(f"base path is not a directory: {lossy_text(root.virtual)}")
    asked = DEFAULT_PATHS if args.limit is None else args.limit
    limit = min(max(asked, 1), MAX_PATHS)
    glob = _compile(args.pattern, context.checkpoint)
    walk = TreeWalk(root, WalkRules(hidden=args.hidden), context)
    base = root.virtual.rstrip("/")
    paths = (f"{base}/{visited.inside}" for visited in walk.visit() if _matches(glob, visited))
    allowed = (path for path in paths if sandbox.denied_by(path) is None)
    # Those that the walk meets first, sorted as bytes.
    found = sorted(islice(allowed, limit), key=raw_bytes)
    has_more = len(found) == limit and _goes_on(allowed)
    result = _answer(args, found, limit, context, has_more=has_more)
    return replace(result, warnings=(*result.warnings, *walk.warnings))


def _goes_on(paths: Iterator[str]) -> bool:
    """Tell whether there is another path, or may be one."""
    try:
        return next(paths, None) is not None
    except (CallTimedOut, LimitExceeded):
        return True


def _compile(pattern: str, checkpoint: Checkpoint) -> GlobAutomaton:
    if len(pattern) > MAX_GLOB_BYTES:
        raise InvalidArguments(
            f"the pattern has {len(pattern):,} characters, and at most {MAX_GLOB_BYTES:,} are "
            "read; give a shorter one"
        )
    written_out = _without_braces(pattern, checkpoint)
    alternatives = (steps for each in written_out for steps in _parsed(each, checkpoint))
    try:
        return GlobAutomaton([alternatives], checkpoint)
    except GlobTooLarge as error:
        message = f"the pattern is above a ceiling: {error}; give a shorter one"
        raise InvalidArguments(message) from None


def _parsed(pattern: str, checkpoint: Checkpoint) -> list[Steps]:
    checkpoint()
    # To globset, a brace that is left over has no meaning, and a last slash fits no file.
    try:
        return parse_glob(raw_bytes(pattern), RIPGREP)
    except GlobTooLarge:
        raise
    except GlobInvalid as error:
        raise InvalidArguments(
            f"invalid glob pattern '{pattern}': error parsing glob '{pattern}': {error}"
        ) from None


def _without_braces(pattern: str, checkpoint: Checkpoint) -> list[str]:
    """Return the patterns that the braces stand for, at most `MAX_ALTERNATIVES` of them."""
    waiting, done = deque([pattern]), list[str]()
    while waiting:
        checkpoint()
        current = waiting.popleft()
        close = current.find("}")
        start = current.rfind("{", 0, close) if close >= 0 else -1
        if start < 0:
            done.append(current)
        else:
            before, behind = current[:start], current[close + 1 :]
            options = current[start + 1 : close].split(",")
            # Counted before they are made.
            if len(waiting) + len(options) + len(done) > MAX_ALTERNATIVES:
                raise InvalidArguments(f"the pattern has more than {MAX_ALTERNATIVES} alternatives")
            waiting += [before + option + behind for option in options]
    return done


def _matches(glob: GlobAutomaton, visited: Visited | WalkFault) -> TypeGuard[Visited]:
    if isinstance(visited, WalkFault):
        return False
    state = glob.feed(glob.start, raw_bytes(visited.inside))
    return glob.highest(state) is not None


def _answer(
    args: GlobArgs, found: list[str], limit: int, context: ToolContext, *, has_more: bool
) -> ToolResult:
    if not found:
        text = f"No files match pattern: {args.pattern}"
        return ToolResult(content=cut_to_lines(sanitized(text), context.budget_bytes).text)
    shown = [*map(context.shown_path, found)]
    is_full = len(found) == limit
    notice = f"\n\n[truncated at {limit} matches]" if is_full else ""
    cut = cut_to_lines(sanitized("\n".join(shown) + notice), context.budget_bytes)
    following: dict[str, Any] | None = None
    if has_more and cut.kept_lines is None and limit < MAX_PATHS:
        following = {**args.written(), "limit": min(2 * limit, MAX_PATHS)}
    return ToolResult(
        content=cut.text,
        truncated=has_more or cut.kept_lines is not None,
        next_arguments=following,
        warnings=(_ALL_SHOWN,) if is_full and not has_more and cut.kept_lines is None else (),
    )
