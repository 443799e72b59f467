"""`list_directory`: the entries of a directory as one canonical JSON object.

The answer bounds itself; nothing after this module may cut it (FR-LD-OUT-04).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from treeglass.errors import NotADirectory, OutputBudgetTooSmall, SymlinkLoop
from treeglass.tool import Tool, ToolContext, ToolResult
from treeglass.tools.forge.approval import approval_summary
from treeglass.tools.forge.arguments import (
    INPUT_SCHEMA,
    ListDirectoryArgs,
    default_values,
    parse_arguments,
)
from treeglass.tools.forge.canonical_json import ArrayFrame
from treeglass.tools.forge.sandbox import Sandbox
from treeglass.tools.forge.tool_error import SandboxViolation, failed_call, within_budget
from treeglass.tools.forge.walk import ERROR_TEXTS, ListedEntry, Walk
from treeglass.workspace.limits import MAX_PATH_BYTES

if TYPE_CHECKING:
    from treeglass.workspace import ResolvedPath

NAME = "list_directory"

TruncatedReason = Literal["max_entries", "max_output_bytes"]

_ENTRY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "File name (last path component)"},
        "path": {
            "type": "string",
            "description": "Relative path from the requested root (forward slashes)",
        },
        "depth": {"type": "integer", "minimum": 1},
        "type": {"enum": ["file", "dir", "symlink", "other", "unknown"]},
        "size_bytes": {"type": ["integer", "null"], "minimum": 0},
        "modified_epoch_ms": {"type": ["integer", "null"], "minimum": 0},
        "is_hidden": {"type": "boolean"},
        "error_code": {"enum": [*ERROR_TEXTS, None]},
        "error": {"type": ["string", "null"]},
    },
    "additionalProperties": False,
}
_ENTRY_SCHEMA["required"] = list(_ENTRY_SCHEMA["properties"])

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "Normalized requested path"},
        "entries": {"type": "array", "items": _ENTRY_SCHEMA},
        "returned": {"type": "integer", "minimum": 0},
        "max_entries": {"type": "integer", "minimum": 1},
        "truncated": {"type": "boolean"},
        "truncated_reason": {"enum": ["max_entries", "max_output_bytes", None]},
    },
    "additionalProperties": False,
}
"""JSON Schema of the answer's object."""
OUTPUT_SCHEMA["required"] = list(OUTPUT_SCHEMA["properties"])


def list_directory(args: ListDirectoryArgs, context: ToolContext) -> ToolResult:
    """Return the listing of one directory, within the call's budget.

    Implements FR-LD-VAL-07, FR-LD-VAL-08, FR-LD-LST-07 and FR-LD-OUT-01 to
    FR-LD-OUT-08. The walk goes one entry past ``max_entries``, to know whether an
    entry was left out.

    Raises:
        SandboxViolation: The path may not be listed.
        WorkspaceError: It does not exist, is not a directory or cannot be read.
        OutputBudgetTooSmall: Not even an answer without entries fits.
        CallTimedOut: The call ran longer than it may.
        CallCancelled: The host cancelled the call.
    """
    sandbox = Sandbox(context)
    root = sandbox.resolve(args.path)
    _require_directory(root, context)
    walk = Walk(args, context, sandbox)
    found = list(islice(walk.entries(root), args.max_entries + 1))
    kept = found[: args.max_entries]
    # Paths that lossy conversion makes equal keep the order of the walk: by raw bytes.
    kept.sort(key=lambda listed: listed.record["path"])
    reason: TruncatedReason | None = "max_entries" if len(found) > len(kept) else None
    return _answer(args, context, kept, reason=reason, denied_count=walk.denied_count)


def report_error(error: Exception, context: ToolContext) -> ToolResult:
    """Return the answer to a call that ended with an exception."""
    asked = context.arguments
    path = asked.get("path") if isinstance(asked, Mapping) else None
    path = path.strip() if isinstance(path, str) else "."
    result = within_budget(failed_call(error, tool=NAME, path=path), context)
    allows_absolute = context.config.tools.sandbox.allow_absolute
    if isinstance(error, SandboxViolation) and path.startswith("/") and not allows_absolute:
        return replace(result, warnings=_how_to_write(path, context))
    return result


def _how_to_write(path: str, context: ToolContext) -> tuple[str, ...]:
    """Return what to write instead of an absolute path, which other families ask for."""
    base = PurePosixPath(context.working_dir)
    # A longer path names nothing, and to compare its parts takes the square of their number.
    asked = PurePosixPath(path if len(path) <= MAX_PATH_BYTES else "/")
    if ".." in asked.parts or not asked.is_relative_to(base):
        return (f"{NAME} takes paths relative to {base}",)
    instead = json.dumps(str(asked.relative_to(base)))
    return (f"{NAME} takes paths relative to {base}: write {instead}",)


def _require_directory(root: ResolvedPath, context: ToolContext) -> None:
    kind = context.workspace.status(root).kind
    if kind == "symlink":
        # The gate follows every link except those that loop.
        raise SymlinkLoop
    if kind != "directory":
        raise NotADirectory


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
        structured={"path": args.path, "entries": [listed.record for listed in kept], **totals},
        truncated=reason is not None,
        next_arguments=_next_arguments(args, context) if reason == "max_entries" else None,
        warnings=_warnings(args, context, kept, reason=reason, denied_count=denied_count),
    )


def _fitting_count(
    args: ListDirectoryArgs, frame: ArrayFrame, whole_count: int, budget_bytes: int
) -> int:
    """Return how many entries fit: at most all but one.

    Raises:
        OutputBudgetTooSmall: Not even an answer without entries fits.
    """

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


LIST_DIRECTORY = Tool(
    name=NAME,
    title="List directory entries",
    description="List directory entries",
    family="forge",
    input_schema=INPUT_SCHEMA,
    output_schema=OUTPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=list_directory,
    report_error=report_error,
    approval_summary=approval_summary,
    is_side_effecting=False,
    requires_approval=False,
    risk_level="low",
    allow_truncation=False,
)
"""The tool as a value. Implements FR-LD-DEF-01 to FR-LD-DEF-04."""
