"""The words of the codex tools for every error of `treeglass.errors`: codex.md 1, 2.2 and 3.2."""

from __future__ import annotations

from typing import Final, NamedTuple

from treeglass.errors import (
    CallTimedOut,
    ChangeRefused,
    InternalFault,
    InvalidArguments,
    LimitExceeded,
    TreeglassError,
    WorkspaceError,
)
from treeglass.tool import ToolContext, ToolFailure, ToolResult

PARSE_PREFIX: Final = "failed to parse function arguments: "
"""Begins every sentence about arguments (codex.md 1.2)."""


class RespondToModel(TreeglassError):
    """A codex tool's own refusal; its text is what the model reads."""


class _Words(NamedTuple):
    failed_to: str
    """The failed action, such as `read directory`."""
    limit_hint: str
    """Advice if a limit or the time was exceeded."""


_WORDS: Final = {
    "list_dir": _Words(
        "read directory", "ask for less, for example a smaller depth or one subdirectory"
    ),
    "read_file": _Words(
        "read file", "ask for less, for example a smaller limit, or use mode slice"
    ),
    "grep_files": _Words(
        "search", "ask for less, for example one subdirectory or a narrower include"
    ),
    "apply_patch": _Words(
        "apply the patch", "nothing was changed; send a smaller patch, for example of one file"
    ),
}


def report_error(error: Exception, context: ToolContext, *, tool_name: str) -> ToolResult:
    """Return the error answer for an exception of `treeglass.errors`, within the budget."""
    message = context.cut_error(_message(error, context, tool_name))
    return ToolResult(content=message, error=ToolFailure("RespondToModel", message))


def _message(error: Exception, context: ToolContext, tool_name: str) -> str:
    if isinstance(error, InvalidArguments):
        text = str(error)
        return text if text.startswith(PARSE_PREFIX) else f"{PARSE_PREFIX}{text}"
    if isinstance(error, WorkspaceError):
        return _message_of_workspace(error, tool_name)
    if isinstance(error, CallTimedOut):
        if tool_name == "grep_files":
            seconds = context.timeout_seconds
            shown = int(seconds) if seconds == int(seconds) else seconds
            return f"rg timed out after {shown} seconds"
        return f"Tool '{tool_name}' {error}; {_WORDS[tool_name].limit_hint}"
    return str(error) if isinstance(error, TreeglassError) else str(InternalFault())


def _message_of_workspace(error: WorkspaceError, tool_name: str) -> str:
    failed_to, limit_hint = _WORDS[tool_name]
    if isinstance(error, ChangeRefused):
        return f"patch rejected: {error}"
    if isinstance(error, LimitExceeded):
        return f"failed to {failed_to}: {error.limit} is {error.value:,}; {limit_hint}"
    return f"failed to {failed_to}: {error.linux_text}"
