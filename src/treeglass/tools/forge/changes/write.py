"""`Write`: make a new file and the directories above it, as docs/tools/forge_write.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.errors import (
    ChangeRefused,
    InvalidArguments,
    LimitExceeded,
    NotADirectory,
    OutputBudgetTooSmall,
    PathNotFound,
    WorkspaceError,
)
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.forge.errors import ExecutionFailed
from treeglass.tools.forge.paths.path_sandbox import PathSandbox
from treeglass.tools.forge.seen_lines import kept_as, lines_in
from treeglass.tools.forge.text import sanitized
from treeglass.utf8 import WHITE_SPACE, byte_length, lossy_text

if TYPE_CHECKING:
    from treeglass.tools.forge.changes.arguments import WriteArgs
    from treeglass.workspace import ResolvedPath


def run(args: WriteArgs, context: ToolContext) -> ToolResult:
    """Answer a call."""
    if not args.path.strip(WHITE_SPACE):
        raise InvalidArguments("path must not be empty")
    content = args.content.encode()
    if len(content) > context.workspace.limits.max_patch_bytes:
        raise InvalidArguments("Content exceeds max_patch_bytes")
    sandbox = PathSandbox(context)
    try:
        path = sandbox.resolve(args.path, needs_parent=False)
    except WorkspaceError as error:
        missing = lossy_text(sandbox.missing_path(args.path))
        raise ExecutionFailed(f"failed to write {missing}: {error.linux_text}") from None
    shown = context.shown_path(path.virtual)
    plan = context.plan()
    try:
        taken = path.virtual if _exists(path, context) else sandbox.link_to_nothing(args.path)
        if taken is not None:
            where = context.shown_path(taken)
            raise ExecutionFailed(
                f"file already exists: {where}. Use Edit to modify existing files."
            )
        plan.write(path, content)
    except (ChangeRefused, LimitExceeded):
        raise
    except WorkspaceError as error:
        what = "write" if _has_parent(path, context) else "create parent directories for"
        raise ExecutionFailed(f"failed to {what} {shown}: {error.linux_text}") from None
    text = f"Created {shown} ({len(content)} bytes)"
    if byte_length(text) > context.budget_bytes:
        raise OutputBudgetTooSmall(context.budget_bytes, byte_length(text))
    lines = content.count(b"\n") + (content[-1:] not in {b"", b"\n"})
    return ToolResult(
        content=sanitized(text) if context.config.tools.forge_read.sanitize else text,
        changes=plan.changes,
        seen=kept_as(path, lines_in(content, 1, lines, context.checkpoint)),
    )


def _exists(path: ResolvedPath, context: ToolContext) -> bool:
    try:
        context.workspace.status(path)
    except (NotADirectory, PathNotFound):
        return False
    return True


def _has_parent(path: ResolvedPath, context: ToolContext) -> bool:
    try:
        context.workspace.resolve(path.virtual.rpartition("/")[0] or "/")
    except WorkspaceError:
        return False
    return True
