"""The words of `Edit` and `Write` for every error of `treeglass.errors`, and errors of `Edit`."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from treeglass import errors
from treeglass.escaping import escape_controls
from treeglass.tool import ToolContext, ToolFailure, ToolResult
from treeglass.tools.forge.errors import (
    SandboxViolation,
    clean_within_budget,
    failed_call,
    requested_path,
)
from treeglass.tools.forge.requested_path import shown

ChangeErrorKind = Literal["PatchFailed", "StaleFile"]
"""The further kinds of `Edit`."""


class PatchFailed(errors.CallError):
    """A patch cannot be applied: ``path`` is the file, or what stands for the patch."""

    kind: ChangeErrorKind = "PatchFailed"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"Patch failed for {_quoted(path)}: {reason}")


class StaleFile(errors.CallError):
    """A file may not be edited after what was seen of it; ``path`` is the file."""

    kind: ChangeErrorKind = "StaleFile"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"Stale file: {_quoted(path)}: {reason}")


def _quoted(path: str) -> str:
    """Return a path in quotes, with what could end them or hide in them spelled out."""
    inside = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escape_controls(inside)}"'


def report_change_error(error: Exception, context: ToolContext, *, tool_name: str) -> ToolResult:
    """Return the answer to a call of `Edit` or `Write` that ended with an exception."""
    match error:
        case errors.ChangeRefused():
            error = SandboxViolation(_change_refused(error))
        case errors.LimitExceeded():
            what = "Patch" if tool_name == "Edit" else "Content"
            reason = f"{what} exceeds {error.limit} ({error.value:,}); change less in one call"
            error = errors.InvalidArguments(reason)
    if isinstance(error, PatchFailed | StaleFile):
        failure = ToolFailure(error.kind, str(error))
        result = ToolResult(content=failure.message, error=failure)
    else:
        path = requested_path(context)
        result = failed_call(error, tool=tool_name, path=path, as_system=True)
    return clean_within_budget(_with_beginning(result, tool_name), context)


def _with_beginning(result: ToolResult, tool_name: str) -> ToolResult:
    if result.error is None or result.error.kind not in _BEFORE:
        return result
    before = _BEFORE[result.error.kind].format(tool=tool_name)
    return replace(result, content=f"{before}{result.error.message}")


_BEFORE = {
    "BadArgs": "Bad tool args: ",
    "SandboxViolation": "Sandbox violation: ",
    "ExecutionFailed": "Tool execution failed: {tool}: ",
}


def _change_refused(error: errors.ChangeRefused) -> str:
    matched, _, _ = error.reason.partition(" of tools.edit.deny")
    if matched == error.reason:
        return f"Path '{shown(error.path)}' cannot be changed: {error.reason}"
    pattern = matched.removeprefix("it matches ")
    return f"Path '{shown(error.path)}' matched denied pattern {shown(pattern)}"
