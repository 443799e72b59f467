"""The file that a call changes, from its path to the answer; for `Write`, `Edit`, `MultiEdit`.

Implements Write.md 3, 5 and 9, and what `Edit` and `MultiEdit` share of Edit.md 2 and 4.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import NameTooLong, WorkspaceError, from_os_error
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.envelope.envelope_building import (
    answer_envelope,
    largest_envelope,
    render_envelope,
)
from treeglass.tools.envelope.errors import WordedError
from treeglass.tools.envelope.project_paths import ProjectPaths, name_warnings
from treeglass.tools.envelope.read_store import seen_of_change
from treeglass.utf8 import byte_length, lossy_text

if TYPE_CHECKING:
    from treeglass.tools.envelope.changes.preview import Preview
    from treeglass.workspace import ResolvedPath, Status
    from treeglass.workspace.nodes import Change

_BINARY_HEAD_BYTES = 8192


class Target(NamedTuple):
    """The file that a call changes; it need not exist."""

    path: ResolvedPath
    where: str
    """Relative to the project root, in the host's names."""
    shown: str
    """The same as a text shows it."""


def locate(text: str, context: ToolContext) -> Target:
    """Return the target of a path as the agent wrote it, in the project; links are followed."""
    workspace = context.workspace
    try:
        path, where = ProjectPaths(workspace).resolve(text, context)
    except NameTooLong as error:
        cause = cause_of(error, posixpath.join(workspace.project_root, text))
        raise WordedError("EXECUTION_ERROR", f"Disk full or IO error: {cause}") from None
    return Target(path, where, context.shown_path(where))


def cause_of(error: WorkspaceError, virtual: str) -> str:
    """Return an error of the system as Python words it, with a virtual path."""
    sentence, _, number = error.linux_text.rpartition(" (os error ")
    return f"[Errno {number.removesuffix(')')}] {sentence}: {virtual!r}" if sentence else number


def read_text(target: Target, said: str, status: Status, context: ToolContext) -> str:
    """Return the text of a file with its own line ends (Edit.md 2 and 6)."""
    limits = context.workspace.limits
    limits.require("max_changed_file_bytes", status.size_bytes)
    try:
        with context.workspace.open(target.path) as file:
            try:
                raw = file.read(limits.max_changed_file_bytes + 1)
            except OSError as error:
                raise from_os_error(error) from None
    except WorkspaceError as error:
        cause = cause_of(error, target.path.virtual)
        raise WordedError("EXECUTION_ERROR", f"Failed to read file: {cause}") from None
    limits.require("max_changed_file_bytes", len(raw))
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        # A replacement character would take the place of bytes far from the edit.
        text = None
    if text is None or b"\0" in raw[:_BINARY_HEAD_BYTES]:
        message = f"File '{said}' appears to be binary. Cannot edit binary files."
        raise WordedError("BINARY_FILE", message)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a call, for its answer."""

    target: Target
    preview: Preview
    sentences: tuple[str, ...]
    """The text, less the sentence on a cut preview."""
    original_size: int
    """Bytes of the file before; 0 for a new one."""
    new_size: int
    """Bytes of the file after."""
    is_dry_run: bool
    data_before: dict[str, Any] = field(default_factory=dict)
    """Members of `data` in front of the preview."""
    data_behind: dict[str, Any] = field(default_factory=dict)
    """Members of `data` behind the preview."""
    changes: tuple[Change, ...] = ()
    """The planned change; a dry run does not propose it."""
    warnings: tuple[str, ...] = ()


def answer(outcome: Outcome, context: ToolContext) -> ToolResult:
    """Return the answer of a call that succeeds (Write.md 5); the context has what it repeats.

    An answer over the output budget repeats no arguments. If that does not do, its preview has
    fewer pieces, of which one stays.
    """
    target = outcome.target
    envelope, content, is_whole = _fitting_envelope(outcome, context)
    names = name_warnings([target.where], context, member="context.path_resolved")
    result = ToolResult(
        content=content,
        structured_content=envelope,
        truncated=not is_whole or outcome.preview.is_cut,
        warnings=(*outcome.warnings, *names),
    )
    if outcome.is_dry_run:
        return result
    return replace(
        result,
        changes=outcome.changes,
        seen=seen_of_change(target.where, outcome.new_size, context),
    )


def _fitting_envelope(outcome: Outcome, context: ToolContext) -> tuple[dict[str, Any], str, bool]:
    """Return the envelope within the budget, its text, and whether it is complete."""
    elapsed_seconds = context.elapsed_seconds
    paths = ProjectPaths(context.workspace)
    around = paths.envelope_context(context, lossy_text(outcome.target.where))

    def build(count: int) -> dict[str, Any]:
        return _envelope(outcome, count, elapsed_seconds, around)

    count = len(outcome.preview.pieces)
    envelope = build(count)
    content = render_envelope(envelope)
    if byte_length(content) <= context.budget_bytes:
        return envelope, content, True
    # They may have any size, and their sender knows them.
    around["params_input"] = None
    _, envelope, content = largest_envelope(build, count, context.budget_bytes)
    return envelope, content, False


def _envelope(
    outcome: Outcome, count: int, elapsed_seconds: float, around: dict[str, Any]
) -> dict[str, Any]:
    preview = outcome.preview
    is_cut = preview.is_cut_at(count)
    sentences = list(outcome.sentences)
    if is_cut:
        sentences.append("(Diff preview truncated. Use Read to verify full content.)")
    return answer_envelope(
        is_partial=outcome.is_dry_run or is_cut,
        data={
            "applied": not outcome.is_dry_run,
            **outcome.data_before,
            "diff_preview": preview.text(count),
            "diff_truncated": is_cut,
            **outcome.data_behind,
            **({"dry_run": True} if outcome.is_dry_run else {}),
        },
        text="\n".join(sentences),
        elapsed_seconds=elapsed_seconds,
        counters={
            "bytes_written": outcome.new_size,
            "original_size": outcome.original_size,
            "new_size": outcome.new_size,
            "lines_added": preview.lines_added,
            "lines_removed": preview.lines_removed,
        },
        context=around,
    )
