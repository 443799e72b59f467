"""`Edit`: replace a text that occurs once in a file, as Edit.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treeglass.tools.envelope.changes.editing import Manner, edit_file
from treeglass.tools.envelope.changes.replacing import place_of

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.changes.arguments import EditArgs

_MANNER: Final = Manner("Edited", "edit", {"replacements": 1}, keeps_indentation=False)


def run(args: EditArgs, context: ToolContext) -> ToolResult:
    """Answer a call with what it changes."""
    return edit_file(
        args.path,
        lambda source: [place_of(source, args.replacement)],
        _MANNER,
        context,
        is_dry_run=args.dry_run,
    )
