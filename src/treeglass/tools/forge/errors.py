"""The words of the forge tools that only read for every error of `treeglass.errors`.

Texts hold virtual paths only, and what an agent wrote is repeated spelled out and shortened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Literal

from treeglass import errors
from treeglass.tool import ToolContext, ToolFailure, ToolResult
from treeglass.tools.forge.requested_path import shown
from treeglass.workspace.limits import MAX_PATH_BYTES

ToolErrorKind = Literal[
    "BadArgs", "SandboxViolation", "ExecutionFailed", "Timeout", "Cancelled", "Panic", "UserDenied"
]
"""The kinds of the ToolError taxonomy that a call can meet, and the two answers
it has no kind for: a caught panic and a person's refusal."""


class SandboxViolation(errors.CallError):
    """The sandbox refused a path; the text is the reason as the model reads it."""


class ExecutionFailed(errors.CallError):
    """The call met something that it cannot go on with; the text is the reason."""


def path_outside_sandbox(attempted: str, resolved: str) -> str:
    """Return the reason to refuse a path that leaves the allowed roots."""
    return f"Path outside sandbox (attempted: {shown(attempted)}, resolved: {shown(resolved)})"


def denied_pattern_matched(path: str, pattern: str) -> str:
    """Return the reason to refuse a path that a denied pattern covers."""
    return f"Path '{shown(path)}' matched denied pattern '{shown(pattern)}'"


def report_error(error: Exception, context: ToolContext, *, tool_name: str) -> ToolResult:
    """Return the answer to a call of `Read`, `Glob` or `Search` that ended with an exception."""
    result = failed_call(error, tool=tool_name, path=requested_path(context), as_system=True)
    return clean_within_budget(result, context)


def clean_within_budget(result: ToolResult, context: ToolContext) -> ToolResult:
    """Return a failed call's answer without what a screen may not show, within the budget."""
    if result.error is None or result.content.isprintable():
        return _within_budget(result, context)
    # Imported late: most errors have nothing to take out.
    from treeglass.tools.forge.text import sanitized  # noqa: PLC0415

    message = sanitized(result.error.message)
    clean = replace(
        result, content=sanitized(result.content), error=replace(result.error, message=message)
    )
    return _within_budget(clean, context)


def report_listing_error(error: Exception, context: ToolContext) -> ToolResult:
    """Return the answer to a call of `list_directory` that ended with an exception."""
    path = requested_path(context).strip()
    result = _within_budget(failed_call(error, tool="list_directory", path=path), context)
    allows_absolute = context.config.tools.sandbox.allow_absolute
    if isinstance(error, SandboxViolation) and path.startswith("/") and not allows_absolute:
        return replace(result, warnings=_how_to_write(path, context))
    return result


def requested_path(context: ToolContext) -> str:
    """Return the path as the caller wrote it, or the project root."""
    asked = context.arguments
    path = asked.get("path") if isinstance(asked, Mapping) else None
    return path if isinstance(path, str) else "."


def _how_to_write(path: str, context: ToolContext) -> tuple[str, ...]:
    """Return what to write instead of an absolute path, which other families ask for."""
    base = PurePosixPath(context.working_dir)
    # A longer path names nothing, and to compare its parts takes the square of their number.
    asked = PurePosixPath(path if len(path) <= MAX_PATH_BYTES else "/")
    if ".." in asked.parts or not asked.is_relative_to(base):
        return (f"list_directory takes paths relative to {base}",)
    instead = json.dumps(str(asked.relative_to(base)))
    return (f"list_directory takes paths relative to {base}: write {instead}",)


def _within_budget(result: ToolResult, context: ToolContext) -> ToolResult:
    """Return a failed call's answer with texts that are not longer than the budget."""
    failure = result.error and replace(
        result.error, message=context.cut_error(result.error.message)
    )
    return replace(result, content=context.cut_error(result.content), error=failure)


def failed_call(error: Exception, *, tool: str, path: str, as_system: bool = False) -> ToolResult:
    """Return the answer to a call that met an exception.

    With `as_system`, a fault of the workspace is told in the system's words.
    """
    if as_system and isinstance(error, errors.WorkspaceError):
        error = _in_words_of_system(error)
    kind, message = _kind_and_message(error, tool, path)
    texts: dict[ToolErrorKind, str] = {
        "BadArgs": f"Bad args: {message}",
        "ExecutionFailed": f"{tool} failed: {message}",
        "Panic": f"Tool panicked: {message}",
    }
    return ToolResult(content=texts.get(kind, message), error=ToolFailure(kind, message))


def _in_words_of_system(error: errors.WorkspaceError) -> Exception:
    if isinstance(error, errors.NulInPath | errors.PathEscapesWorkspace):
        return error
    return ExecutionFailed(error.linux_text)


def _kind_and_message(  # noqa: PLR0911  # one answer for each kind of the taxonomy
    error: Exception, tool: str, path: str
) -> tuple[ToolErrorKind, str]:
    match error:
        case errors.InvalidArguments():
            return "BadArgs", str(error)
        case errors.NulInPath():
            return "BadArgs", "path contains invalid control characters"
        case errors.PathEscapesWorkspace():
            return "SandboxViolation", path_outside_sandbox(path, "outside of every mount")
        case errors.CallDenied(kind="user_denied"):
            return "UserDenied", "Tool call denied by user"
        case SandboxViolation() | errors.CallDenied():
            return "SandboxViolation", str(error)
        case errors.CallTimedOut():
            return "Timeout", f"Tool '{tool}' timed out after {error.elapsed_seconds:.0f}s"
        case errors.CallCancelled():
            return "Cancelled", "Cancelled by user"
        case ExecutionFailed() | errors.OutputBudgetTooSmall():
            return "ExecutionFailed", str(error)
        case errors.WorkspaceError():
            return "ExecutionFailed", _met(error, shown(path))
    return "Panic", str(errors.InternalFault())


def _met(error: errors.WorkspaceError, path: str) -> str:
    """Return what the listing met at the path, and what to do next."""
    match error:
        case errors.PathNotFound():
            return f"path does not exist: {path}; list its parent directory to see what is there"
        case errors.NotADirectory() | errors.NotARegularFile():
            return f"path is not a directory: {path}; list the directory that holds it"
        case errors.NameTooLong():
            return f"path is too long: {path}; a name has at most 255 bytes and a path 4,095"
        case errors.LimitExceeded():
            return f"cannot list directory: {path} ({error})"
    reason = error.linux_text.partition(" (os error ")[0]
    what = f"cannot read directory: {path} ({reason})"
    if isinstance(error, errors.SymlinkLoop):
        what = f"cannot follow path: {path} (too many levels of symbolic links)"
    return f"{what}; choose another directory"
