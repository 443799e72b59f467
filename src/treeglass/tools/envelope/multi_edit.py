"""`MultiEdit`: replace several texts of one file, all or none, in a Standard Envelope.

Implements MultiEdit.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.errors import LimitExceeded
from treeglass.tools.envelope.changed_file import (
    Outcome,
    answer,
    locate,
    read_text,
    require_file,
)
from treeglass.tools.envelope.errors import WordedError, resolved
from treeglass.tools.envelope.lock import require_read, require_same
from treeglass.tools.envelope.preview import preview_change
from treeglass.tools.envelope.read_store import with_expected
from treeglass.tools.envelope.replacing import in_order, place_of, replaced, source_of

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.change_arguments import MultiEditArgs
    from treeglass.tools.envelope.replacing import Place, Source


def run(args: MultiEditArgs, context: ToolContext) -> ToolResult:
    """Answer a call with what it changes.

    Raises:
        CallFailed: The file cannot be edited; nothing is proposed.
        WordedError: There are more edits than `Limits.max_edits`.
        WorkspaceError: The path is not in the project.
        CallError: The answer does not fit, or not in time.
    """
    _require_few(args, context)
    context = with_expected(context)
    target = locate(args.path, context)
    with resolved(target.where):
        status = require_file(target, context)
        version = require_read(status, context)
        old = read_text(target, args.path, status, context)
        source = source_of(old)
        new = replaced(source, in_order(_places(source, args, context)), context)
        preview = preview_change(old, new, target.shown, context)
        content = new.encode()
        require_same(target.path, version, context)
        plan = context.plan()
        plan.write(target.path, content)
        count = len(args.replacements)
        lines = f"+{preview.lines_added}/-{preview.lines_removed} lines"
        sentence = (
            f"[Dry Run] Would apply {count} edits to '{target.shown}' ({lines})."
            if args.dry_run
            else f"Applied {count} edits to '{target.shown}' ({lines}, {len(content)} bytes)."
        )
        outcome = Outcome(
            target=target,
            preview=preview,
            sentences=(sentence,),
            original_size=status.size_bytes,
            new_size=len(content),
            is_dry_run=args.dry_run,
            data_behind={"replacements": count, "failed_index": None},
            changes=plan.changes,
            warnings=source.warnings(target.shown),
        )
        return answer(outcome, context)


def _require_few(args: MultiEditArgs, context: ToolContext) -> None:
    """Refuse too many edits before the file is read, since each of them scans it."""
    count = len(args.replacements)
    try:
        context.workspace.limits.require("max_edits", count)
    except LimitExceeded as error:
        message = (
            f"Parameter 'edits' holds {count:,} edits, and one call may have at most "
            f"{error.value:,} ({error.limit}). Split them over several calls."
        )
        raise WordedError("INVALID_PARAM", message) from None


def _places(source: Source, args: MultiEditArgs, context: ToolContext) -> list[Place]:
    places = []
    for index, replacement in enumerate(args.replacements):
        context.checkpoint()
        places.append(place_of(source, replacement, index=index))
    return places
