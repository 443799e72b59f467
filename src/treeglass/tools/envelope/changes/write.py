"""`Write`: a whole file, created or replaced, as a proposal in an envelope, as Write.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import NotADirectory, PathNotFound, WorkspaceError, from_os_error
from treeglass.tools.envelope.changes.changed_file import Outcome, Target, answer, cause_of, locate
from treeglass.tools.envelope.changes.lock import Version, require_same, require_unchanged
from treeglass.tools.envelope.changes.preview import Preview, count_lines, preview_change
from treeglass.tools.envelope.errors import WordedError, resolved
from treeglass.tools.envelope.project_paths import require_file
from treeglass.tools.envelope.read_store import was_read, with_expected
from treeglass.utf8 import byte_length
from treeglass.workspace.lines import iter_text

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.changes.arguments import WriteArgs
    from treeglass.workspace.nodes import Change


class _Old(NamedTuple):
    """The file that is replaced."""

    version: Version
    size_bytes: int
    text: str


def run(args: WriteArgs, context: ToolContext) -> ToolResult:
    """Answer a call with what it creates or replaces."""
    context = with_expected(context)
    target = locate(args.path, context)
    with resolved(target.where):
        old = _old_file(target, context)
        size = byte_length(args.content)
        context.workspace.limits.require("max_patch_bytes", size)
        preview = preview_change(old.text if old else "", args.content, target.shown, context)
        made = _missing_parent(target, context)
        changes = _propose(target, args, old, made, context)
        is_overwritten = old is not None and not args.dry_run
        outcome = Outcome(
            target=target,
            preview=preview,
            sentences=_sentences(args, target, old, made, preview),
            original_size=old.size_bytes if old else 0,
            new_size=size,
            is_dry_run=args.dry_run,
            data_before={"operation": "update" if old else "create"},
            changes=changes,
            warnings=(
                (f"'{target.shown}' was replaced, and was not read in this session.",)
                if is_overwritten and not was_read(target.where, context)
                else ()
            ),
        )
        return answer(outcome, context)


def _old_file(target: Target, context: ToolContext) -> _Old | None:
    """Return the file that is there, or None (Write.md 2)."""
    try:
        status = require_file(target.path, context)
    except (PathNotFound, NotADirectory):
        return None
    version = require_unchanged(status, context)
    context.workspace.limits.require("max_proposal_bytes", status.size_bytes)
    try:
        with context.workspace.open(target.path) as file:
            try:
                blocks = [block.text for block in iter_text(file, context.checkpoint)]
            except OSError as error:
                raise from_os_error(error) from None
    except WorkspaceError as error:
        cause = cause_of(error, target.path.virtual)
        raise WordedError("INTERNAL_ERROR", f"Failed to read original file: {cause}") from None
    return _Old(version, status.size_bytes, "".join(blocks))


def _missing_parent(target: Target, context: ToolContext) -> Target | None:
    """Return the directory that the file is to lie in, if nothing is there."""
    workspace = context.workspace
    above = target.path.virtual.rpartition("/")[0] or "/"
    parent = workspace.resolve(above, strict=False)
    try:
        workspace.status(parent)
    except (PathNotFound, NotADirectory):
        where = target.where.rpartition("/")[0]
        return Target(parent, where, target.shown.rpartition("/")[0])
    return None


def _propose(
    target: Target, args: WriteArgs, old: _Old | None, made: Target | None, context: ToolContext
) -> tuple[Change, ...]:
    """Return the changes (Write.md 2)."""
    if old is not None:
        require_same(target.path, old.version, context)
    plan = context.plan()
    try:
        plan.write(target.path, args.content.encode())
    except NotADirectory as error:
        # A dry run makes no directories, and does not meet the file in their way.
        if args.dry_run:
            return ()
        if made is not None:
            cause = cause_of(error, made.path.virtual)
            raise WordedError("INTERNAL_ERROR", f"Failed to create directory: {cause}") from None
        cause = cause_of(error, target.path.virtual)
        raise WordedError("EXECUTION_ERROR", f"Disk full or IO error: {cause}") from None
    return plan.changes


def _sentences(
    args: WriteArgs, target: Target, old: _Old | None, made: Target | None, preview: Preview
) -> tuple[str, ...]:
    where, size = target.shown, byte_length(args.content)
    added, removed = preview.lines_added, preview.lines_removed
    if args.dry_run and old is None:
        sentence = f"[Dry Run] Would create '{where}' (+{added} lines)."
    elif args.dry_run:
        sentence = f"[Dry Run] Would update '{where}' (+{added}/-{removed} lines)."
    elif old is None:
        sentence = f"Created '{where}' ({count_lines(args.content)} lines, {size} bytes)."
    else:
        sentence = f"Updated '{where}' (+{added}/-{removed} lines, {size} bytes)."
    return (sentence,) if made is None else (sentence, f"(Created directory: {made.shown}/)")
