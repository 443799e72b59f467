"""The ToolError taxonomy: every way a call fails, and what the model then reads.

The only module of the family that words a failure. Texts hold virtual paths
only, and what an agent wrote is repeated spelled out and shortened.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from treeglass import errors
from treeglass.tool import ToolFailure, ToolResult
from treeglass.tools.forge.requested_path import shown

if TYPE_CHECKING:
    from collections.abc import Callable

ToolErrorKind = Literal[
    "BadArgs",
    "SandboxViolation",
    "ExecutionFailed",
    "Timeout",
    "Cancelled",
    "UnknownTool",
    "DuplicateTool",
    "DuplicateToolCallId",
    "PatchFailed",
    "StaleFile",
    "Panic",
    "UserDenied",
]
"""The kinds of the taxonomy, and the two answers it has no kind for: a caught
panic and a person's refusal."""


@dataclass(frozen=True, slots=True)
class ToolError:
    """One failure."""

    kind: ToolErrorKind
    message: str
    """What went wrong, without the words around it."""
    text: str
    """What the model reads."""

    def to_result(self) -> ToolResult:
        """Return the answer to the call that failed."""
        return ToolResult(content=self.text, error=ToolFailure(self.kind, self.message))


class SandboxViolation(errors.CallError):
    """The sandbox refused a path; the text is the reason as the model reads it."""


def bad_args(message: str) -> ToolError:
    """Return the failure for arguments that the tool cannot accept."""
    return ToolError("BadArgs", message, f"Bad args: {message}")


def sandbox_violation(reason: str) -> ToolError:
    """Return the failure for one of the denial reasons below."""
    return ToolError("SandboxViolation", reason, reason)


def execution_failed(tool: str, message: str) -> ToolError:
    """Return the failure of a tool that ran.

    A message that is itself a JSON object stands alone (FR-ERR-JSON-TOOL-01).
    """
    text = message if _is_json_object(message) else f"{tool} failed: {message}"
    return ToolError("ExecutionFailed", message, text)


def timeout(tool: str, elapsed_seconds: float) -> ToolError:
    """Return the failure of a call that overran its time."""
    message = f"Tool '{tool}' timed out after {elapsed_seconds:.0f}s"
    return ToolError("Timeout", message, message)


def cancelled() -> ToolError:
    """Return the failure of a call that the host gave up."""
    return ToolError("Cancelled", "Cancelled by user", "Cancelled by user")


def unknown_tool(name: str) -> ToolError:
    """Return the failure for a tool that nobody offers."""
    message = f"Unknown tool: {shown(name)}"
    return ToolError("UnknownTool", message, message)


def duplicate_tool(name: str) -> ToolError:
    """Return the failure for a second registration of a name."""
    message = f"Duplicate tool: {shown(name)}"
    return ToolError("DuplicateTool", message, message)


def duplicate_tool_call_id(call_id: str) -> ToolError:
    """Return the failure for a call id that was seen before."""
    message = f"Duplicate tool call id: {shown(call_id)}"
    return ToolError("DuplicateToolCallId", message, message)


def patch_failed(path: str, message: str) -> ToolError:
    """Return the failure for a patch that does not apply."""
    return ToolError("PatchFailed", message, f"Patch failed for {shown(path)}: {message}")


def stale_file(path: str, reason: str) -> ToolError:
    """Return the failure for a file that changed since it was read."""
    return ToolError("StaleFile", reason, f"Stale file {shown(path)}: {reason}")


def panic(message: str) -> ToolError:
    """Return the failure for a mistake inside the tool."""
    return ToolError("Panic", message, f"Tool panicked: {message}")


def user_denied() -> ToolError:
    """Return the failure for a call that a person refused."""
    return ToolError("UserDenied", "Tool call denied by user", "Tool call denied by user")


def denylisted(tool: str) -> str:
    """Return the denial reason for a tool that policy forbids."""
    return f"Tool '{tool}' is denylisted"


def disabled() -> str:
    """Return the denial reason while policy lets no tool run."""
    return "Tool execution disabled by policy"


def path_outside_sandbox(attempted: str, resolved: str) -> str:
    """Return the denial reason for a path that leaves the allowed roots."""
    return f"Path outside sandbox (attempted: {shown(attempted)}, resolved: {shown(resolved)})"


def denied_pattern_matched(path: str, pattern: str) -> str:
    """Return the denial reason for a path that a denied pattern covers."""
    return f"Path '{shown(path)}' matched denied pattern '{shown(pattern)}'"


def limits_exceeded(message: str) -> str:
    """Return the denial reason for a call that is too large: the message itself."""
    return message


def tool_error_of(  # noqa: PLR0911  # one answer for each kind of the taxonomy
    error: Exception, *, tool: str, path: str
) -> ToolError:
    """Return what a call's exception means in this taxonomy.

    Args:
        error: Any exception of `treeglass.errors`.
        tool: The tool that was called.
        path: The path that was asked for, `.` where there is none.
    """
    match error:
        case errors.InvalidArguments():
            return bad_args(str(error))
        case errors.NulInPath():
            return bad_args("path contains invalid control characters")
        case SandboxViolation():
            return sandbox_violation(str(error))
        case errors.PathEscapesWorkspace():
            return sandbox_violation(path_outside_sandbox(path, "outside of every mount"))
        case errors.CallDenied():
            return user_denied() if error.kind == "user_denied" else sandbox_violation(str(error))
        case errors.CallTimedOut():
            return timeout(tool, error.elapsed_seconds)
        case errors.CallCancelled():
            return cancelled()
        case errors.OutputBudgetTooSmall():
            return execution_failed(tool, str(error))
        case errors.WorkspaceError():
            return execution_failed(tool, _met(error, shown(path)))
    return panic(str(errors.InternalFault()))


def _met(error: errors.WorkspaceError, path: str) -> str:
    """Return what the listing met at the path, and what to do next."""
    for kind in type(error).__mro__:
        if kind in _WORDS:
            return _WORDS[kind](path, error)
    return _unreadable(path, error)


def _unreadable(path: str, error: errors.WorkspaceError) -> str:
    reason = error.linux_text.partition(" (os error ")[0]
    return f"cannot read directory: {path} ({reason}); choose another directory"


_WORDS: dict[type, Callable[[str, errors.WorkspaceError], str]] = {
    errors.PathNotFound: lambda path, _: (
        f"path does not exist: {path}; list its parent directory to see what is there"
    ),
    errors.NotADirectory: lambda path, _: (
        f"path is not a directory: {path}; list the directory that holds it"
    ),
    errors.NotARegularFile: lambda path, _: (
        f"path is not a directory: {path}; list the directory that holds it"
    ),
    errors.SymlinkLoop: lambda path, _: (
        f"cannot follow path: {path} (too many levels of symbolic links); choose another directory"
    ),
    errors.NameTooLong: lambda path, _: (
        f"path is too long: {path}; a name has at most 255 bytes and a path 4,095"
    ),
    errors.LimitExceeded: lambda path, error: f"cannot list directory: {path} ({error})",
}


def _is_json_object(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
