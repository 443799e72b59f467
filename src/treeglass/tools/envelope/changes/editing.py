"""The part that `Edit` and `MultiEdit` share: a file that was read, with texts replaced.

Implements Edit.md 2, from the check of what is there on, and 4; and the same of MultiEdit.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.tools.envelope.changes.changed_file import Outcome, answer, locate, read_text
from treeglass.tools.envelope.changes.lock import require_read, require_same
from treeglass.tools.envelope.changes.preview import preview_change
from treeglass.tools.envelope.changes.replacing import Place, Source, replaced, source_of
from treeglass.tools.envelope.errors import resolved
from treeglass.tools.envelope.project_paths import require_file
from treeglass.tools.envelope.read_store import with_expected

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult


class Manner(NamedTuple):
    """The differences between the tools."""

    done: str
    """The words for the change, before the file's name."""
    tried: str
    """The words for the change that a dry run shows."""
    data: dict[str, Any]
    """Members of `data` behind the preview."""
    keeps_indentation: bool
    """True if the preview does."""


def edit_file(
    path: str,
    find_places: Callable[[Source], list[Place]],
    manner: Manner,
    context: ToolContext,
    *,
    is_dry_run: bool,
) -> ToolResult:
    """Return the answer of a call; `find_places` returns what is replaced, in order, or raises."""
    context = with_expected(context)
    target = locate(path, context)
    with resolved(target.where):
        status = require_file(target.path, context)
        version = require_read(status, context)
        old = read_text(target, path, status, context)
        source = source_of(old)
        new = replaced(source, find_places(source), context)
        preview = preview_change(
            old, new, target.shown, context, keeps_indentation=manner.keeps_indentation
        )
        content = new.encode()
        require_same(target.path, version, context)
        plan = context.plan()
        plan.write(target.path, content)
        counts = f"+{preview.lines_added}/-{preview.lines_removed} lines"
        sentence = f"{manner.done} '{target.shown}' ({counts}, {len(content)} bytes)."
        if is_dry_run:
            sentence = f"[Dry Run] Would {manner.tried} '{target.shown}' ({counts})."
        outcome = Outcome(
            target=target,
            preview=preview,
            sentences=(sentence,),
            original_size=status.size_bytes,
            new_size=len(content),
            is_dry_run=is_dry_run,
            data_behind=manner.data,
            changes=plan.changes,
            warnings=source.warnings(target.shown),
        )
        return answer(outcome, context)
