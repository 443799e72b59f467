"""The errors of `LS`: every exception of treeglass as an error envelope.

The only module that words them. Implements LSTool.md 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.errors import (
    CallTimedOut,
    NotADirectory,
    NulInPath,
    PathEscapesWorkspace,
    PathNotFound,
    PermissionDenied,
    SymlinkLoop,
    WorkspaceError,
)
from treeglass.tools.envelope.failures import path_argument, report_failure, word_common_error
from treeglass.tools.envelope.project_paths import ProjectPaths

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.envelope_building import ErrorCode


def report_error(error: Exception, context: ToolContext) -> ToolResult:
    """Return the error envelope for any exception of `treeglass.errors`."""
    cwd = ProjectPaths(context.workspace).working_dir(context)
    return report_failure(error, context, cwd=cwd, word=_word)


def _word(error: Exception, arguments: object) -> tuple[ErrorCode, str]:
    path = path_argument(arguments)
    if isinstance(error, WorkspaceError):
        return _word_workspace_error(error, path)
    if isinstance(error, CallTimedOut):
        return "TIMEOUT", f"Listing '{path}' {error}. Try one of its subdirectories."
    return word_common_error(error)


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
