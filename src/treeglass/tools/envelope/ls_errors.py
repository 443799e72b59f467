"""The errors of `LS`: every exception of treeglass as an error envelope.

The only module that words them. Implements LSTool 2.0.0, section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from treeglass.errors import (
    CallDenied,
    CallError,
    CallTimedOut,
    InternalFault,
    InvalidArguments,
    NotADirectory,
    NulInPath,
    PathEscapesWorkspace,
    PathNotFound,
    PermissionDenied,
    SymlinkLoop,
    WorkspaceError,
)
from treeglass.escaping import escape_controls
from treeglass.tool import ToolContext, ToolFailure, ToolResult
from treeglass.tools.envelope.envelope_building import (
    envelope_context,
    error_envelope,
    render_envelope,
)
from treeglass.tools.envelope.project_paths import ProjectPaths
from treeglass.utf8 import byte_length, lossy_text

if TYPE_CHECKING:
    from treeglass.tools.envelope.envelope_building import ErrorCode


class ListingFailed(CallError):
    """A call failed after its path was found to be in the project."""

    def __init__(self, cause: Exception, path_resolved: str) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.path_resolved = path_resolved


def report_error(error: Exception, context: ToolContext) -> ToolResult:
    """Return the error envelope for any exception of `treeglass.errors`.

    `params_input` is null if the envelope would otherwise be over the output
    budget; the sentence itself is never cut.
    """
    path_resolved = None
    if isinstance(error, ListingFailed):
        path_resolved, error = lossy_text(error.path_resolved), error.cause
    code, message = _word(error, _path_argument(context.arguments))
    if context.escape_names:
        message = escape_controls(message)
    envelope = error_envelope(
        code=code,
        message=message,
        context=envelope_context(
            cwd=lossy_text(ProjectPaths(context.workspace).working_dir(context)),
            arguments=context.arguments,
            path_resolved=path_resolved,
        ),
    )
    content = render_envelope(envelope)
    if byte_length(content) > context.budget_bytes:
        # The arguments may have any size, and their sender knows them.
        envelope["context"]["params_input"] = None
        content = render_envelope(envelope)
    return ToolResult(content=content, structured=envelope, error=ToolFailure(code, message))


def _path_argument(arguments: object) -> str:
    path: Any = arguments.get("path", ".") if isinstance(arguments, Mapping) else "."
    return path if isinstance(path, str) else "."


def _word(error: Exception, path: str) -> tuple[ErrorCode, str]:
    if isinstance(error, WorkspaceError):
        return _word_workspace_error(error, path)
    if isinstance(error, InvalidArguments):
        return "INVALID_PARAM", str(error)
    if isinstance(error, CallDenied):
        return "ACCESS_DENIED", str(error)
    if isinstance(error, CallTimedOut):
        return "TIMEOUT", f"Listing '{path}' {error}. Try one of its subdirectories."
    return "INTERNAL_ERROR", str(error if isinstance(error, CallError) else InternalFault())


def _word_workspace_error(error: WorkspaceError, path: str) -> tuple[ErrorCode, str]:
    if isinstance(error, PathEscapesWorkspace):  # before `PathNotFound`, its base
        return "ACCESS_DENIED", "Access denied. Path must be within the project root."
    if isinstance(error, PathNotFound | SymlinkLoop):
        return "NOT_FOUND", f"Path '{path}' does not exist."
    if isinstance(error, NotADirectory):
        hint = "Use 'Read' tool to view its content."
        return "INVALID_PARAM", f"'{path}' is a file, not a directory. {hint}"
    if isinstance(error, PermissionDenied):
        return "ACCESS_DENIED", f"Permission denied accessing '{path}'."
    if isinstance(error, NulInPath):
        return "INVALID_PARAM", "path must not hold a NUL character."
    return "INTERNAL_ERROR", f"Failed to list directory - {error.linux_text}"
