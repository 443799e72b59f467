"""`MultiEdit`: replace several texts of one file, all or none, as MultiEdit.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.errors import LimitExceeded
from treeglass.tools.envelope.changes.editing import Manner, edit_file
from treeglass.tools.envelope.changes.replacing import Place, Source, in_order, place_of
from treeglass.tools.envelope.errors import WordedError

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.changes.arguments import MultiEditArgs


def run(args: MultiEditArgs, context: ToolContext) -> ToolResult:
    """Answer a call with what it changes."""
    count = len(args.replacements)
    _require_few(count, context)

    def find_places(source: Source) -> list[Place]:
        places = []
        for index, replacement in enumerate(args.replacements):
            context.checkpoint()
            places.append(place_of(source, replacement, index=index))
        return in_order(places)

    manner = Manner(
        f"Applied {count} edits to",
        f"apply {count} edits to",
        {"replacements": count, "failed_index": None},
        keeps_indentation=True,
    )
    return edit_file(args.path, find_places, manner, context, is_dry_run=args.dry_run)


def _require_few(count: int, context: ToolContext) -> None:
    """Refuse too many edits before the file is read, since each of them scans it."""
    try:
        context.workspace.limits.require("max_edits", count)
    except LimitExceeded as error:
        message = (
            f"Parameter 'edits' holds {count:,} edits, and one call may have at most "
            f"{error.value:,} ({error.limit}). Split them over several calls."
        )
        raise WordedError("INVALID_PARAM", message) from None
