"""`Edit`: replace a text that occurs once in a file, as a proposal in a Standard Envelope.

Implements Edit.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.tools.envelope.changed_file import (
    Outcome,
    answer,
    locate,
    read_text,
    require_file,
)
from treeglass.tools.envelope.errors import resolved
from treeglass.tools.envelope.lock import require_read, require_same
from treeglass.tools.envelope.preview import preview_change
from treeglass.tools.envelope.read_store import with_expected
from treeglass.tools.envelope.replacing import place_of, replaced, source_of

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.change_arguments import EditArgs


def run(args: EditArgs, context: ToolContext) -> ToolResult:
    """Answer a call with what it changes.

    Raises:
        CallFailed: The file cannot be edited; nothing is proposed.
        WorkspaceError: The path is not in the project.
        CallError: The answer does not fit, or not in time.
    """
    context = with_expected(context)
    target = locate(args.path, context)
    with resolved(target.where):
        status = require_file(target, context)
        version = require_read(status, context)
        old = read_text(target, args.path, status, context)
        source = source_of(old)
        new = replaced(source, [place_of(source, args.replacement)], context)
        preview = preview_change(old, new, target.shown, context, keeps_indentation=False)
        content = new.encode()
        require_same(target.path, version, context)
        plan = context.plan()
        plan.write(target.path, content)
        counts = f"+{preview.lines_added}/-{preview.lines_removed} lines"
        sentence = (
            f"[Dry Run] Would edit '{target.shown}' ({counts})."
            if args.dry_run
            else f"Edited '{target.shown}' ({counts}, {len(content)} bytes)."
        )
        outcome = Outcome(
            target=target,
            preview=preview,
            sentences=(sentence,),
            original_size=status.size_bytes,
            new_size=len(content),
            is_dry_run=args.dry_run,
            data_behind={"replacements": 1},
            changes=plan.changes,
            warnings=source.warnings(target.shown),
        )
        return answer(outcome, context)
