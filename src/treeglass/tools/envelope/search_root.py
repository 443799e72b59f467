"""The directory that `Glob` and `Grep` search, and the sentences for one that they cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import (
    CallTimedOut,
    NotADirectory,
    NulInPath,
    PathEscapesWorkspace,
    PathNotFound,
    SymlinkLoop,
    WorkspaceError,
)
from treeglass.tools.envelope.failures import (
    CallFailed,
    path_argument,
    report_failure,
    word_common_error,
)
from treeglass.tools.envelope.project_paths import ProjectPaths, require_directory

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult
    from treeglass.tools.envelope.envelope_building import ErrorCode
    from treeglass.workspace import ResolvedPath

CWD = "."
"""The working directory of every answer: both tools take paths from the project root."""


_ORIGINAL_SECONDS = 2


def shown_limit(seconds: float) -> str:
    """Return the seconds that the sentence about the time names.

    Those that the call had, and never fewer than the original's two, which it always names.
    """
    return f"{max(seconds, _ORIGINAL_SECONDS):g}"


class SearchRoot(NamedTuple):
    """A directory of the project."""

    path: ResolvedPath
    where: str
    """Relative to the project root, in the host's names."""

    def path_of(self, inside: str) -> str:
        """Return a path below the directory, relative to the project root."""
        return inside if self.where == "." else f"{self.where}/{inside}"


def find_root(text: str, context: ToolContext) -> SearchRoot:
    """Return the directory that an argument names.

    Raises:
        CallFailed: It is missing or no directory.
        WorkspaceError: It is not in the project.
    """
    root = SearchRoot(*ProjectPaths(context.workspace).resolve(text, context))
    try:
        require_directory(root.path, context)
    except WorkspaceError as error:
        raise CallFailed(error, root.where) from error
    return root


def report_error(error: Exception, context: ToolContext) -> ToolResult:
    """Return the error envelope for any exception of `treeglass.errors`."""
    return report_failure(error, context, cwd=CWD, word=_word)


def _word(error: Exception, arguments: object) -> tuple[ErrorCode, str]:
    path = path_argument(arguments)
    if isinstance(error, PathEscapesWorkspace | NulInPath):  # before `PathNotFound`, its base
        return "ACCESS_DENIED", "Access denied. Path must be within project root."
    if isinstance(error, PathNotFound | SymlinkLoop):
        return "NOT_FOUND", f"Search root '{path}' does not exist."
    if isinstance(error, NotADirectory):
        return "INVALID_PARAM", f"Search root '{path}' is not a directory."
    if isinstance(error, WorkspaceError):
        return "INTERNAL_ERROR", f"Search failed ({error.linux_text})."
    if isinstance(error, CallTimedOut):
        return "TIMEOUT", f"Searching '{path}' {error}. Try one of its subdirectories."
    return word_common_error(error)
