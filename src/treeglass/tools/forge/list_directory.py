"""`list_directory`: the entries of a directory as one canonical JSON object.

The answer bounds itself; nothing after this module may cut it (FR-LD-OUT-04).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from typing import Any, Literal

from treeglass.errors import OutputBudgetTooSmall
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.forge.arguments import ListDirectoryArgs, default_values
from treeglass.tools.forge.canonical_json import ArrayFrame
from treeglass.tools.forge.paths.sandbox import Sandbox
from treeglass.tools.forge.walk import ListedEntry, Walk

TruncatedReason = Literal["max_entries", "max_output_bytes"]


def run(args: ListDirectoryArgs, context: ToolContext) -> ToolResult:
    """Return the listing of one directory, within the call's budget.

    Implements FR-LD-VAL-07, FR-LD-VAL-08, FR-LD-LST-07 and FR-LD-OUT-01 to
    FR-LD-OUT-08. The walk goes one entry past ``max_entries``, to know whether an
    entry was left out.
    """
    sandbox = Sandbox(context)
    root = sandbox.resolve(args.path)
    context.workspace.require_directory(root)
    walk = Walk(args, context, sandbox)
    found = list(islice(walk.entries(root), args.max_entries + 1))
    kept = found[: args.max_entries]
    # Paths that lossy conversion makes equal keep the order of the walk: by raw bytes.
    kept.sort(key=lambda listed: listed.record["path"])
    reason: TruncatedReason | None = "max_entries" if len(found) > len(kept) else None
    return _answer(args, context, kept, reason=reason, denied_count=walk.denied_count)


def _answer(
    args: ListDirectoryArgs,
    context: ToolContext,
    kept: list[ListedEntry],
    *,
    reason: TruncatedReason | None,
    denied_count: int,
) -> ToolResult:
    """Return an answer with as many of the sorted entries as fit the budget."""
    frame = ArrayFrame({"path": args.path}, "entries", [listed.record for listed in kept])
    if frame.size_bytes(len(kept), _totals(args, len(kept), reason)) > context.budget_bytes:
        kept = kept[: _fitting_count(args, frame, len(kept), context.budget_bytes)]
        reason = "max_output_bytes"
    totals = _totals(args, len(kept), reason)
    return ToolResult(
        content=frame.render(len(kept), totals),
        structured_content={
            "path": args.path,
            "entries": [listed.record for listed in kept],
            **totals,
        },
        truncated=reason is not None,
        next_arguments=_next_arguments(args, context) if reason == "max_entries" else None,
        warnings=_warnings(args, context, kept, reason=reason, denied_count=denied_count),
    )


def _fitting_count(
    args: ListDirectoryArgs, frame: ArrayFrame, whole_count: int, budget_bytes: int
) -> int:
    """Return how many entries fit: at most all but one."""

    def size_bytes(count: int) -> int:
        return frame.size_bytes(count, _totals(args, count, "max_output_bytes"))

    fitting = bisect_right(range(whole_count), budget_bytes, key=size_bytes) - 1
    if fitting < 0:
        whole_bytes = frame.size_bytes(whole_count, _totals(args, whole_count, None))
        raise OutputBudgetTooSmall(budget_bytes, min(size_bytes(0), whole_bytes))
    return fitting


def _totals(
    args: ListDirectoryArgs, returned: int, reason: TruncatedReason | None
) -> dict[str, object]:
    return {
        "returned": returned,
        "max_entries": args.max_entries,
        "truncated": reason is not None,
        "truncated_reason": reason,
    }


def _next_arguments(args: ListDirectoryArgs, context: ToolContext) -> dict[str, Any] | None:
    """Return the same call with the most entries that a call may ask for, if that is more."""
    cap = context.config.tools.list_directory.max_entries
    if args.max_entries >= cap:
        return None
    defaults = default_values(context.config, is_recursive=args.recursive)
    asked = {
        name: value
        for name, value in args.model_dump().items()
        if name not in defaults or value != defaults[name]
    }
    return {**asked, "max_entries": cap}


def _warnings(
    args: ListDirectoryArgs,
    context: ToolContext,
    kept: list[ListedEntry],
    *,
    reason: TruncatedReason | None,
    denied_count: int,
) -> tuple[str, ...]:
    warnings = []
    if lossy := sum(listed.is_lossy for listed in kept):
        warnings.append(f"Names that are not valid UTF-8, shown with U+FFFD: {lossy}.")
    if unknown := sum(listed.record["type"] == "unknown" for listed in kept):
        warnings.append(f"Entries that cannot be inspected or read, see error_code: {unknown}.")
    if denied_count:
        warnings.append(f"Directories not entered because the sandbox denies them: {denied_count}.")
    if reason == "max_entries":
        cap = context.config.tools.list_directory.max_entries
        more = f" with max_entries up to {cap}, or" if args.max_entries < cap else ""
        warnings.append(
            f"Stopped at max_entries ({args.max_entries}); call again{more} for one subdirectory."
        )
    if reason == "max_output_bytes":
        warnings.append(
            f"Cut to {context.budget_bytes:,} bytes; call again for one subdirectory, "
            "or with fewer kinds of entries."
        )
    return tuple(warnings)
