"""The words of `Write`, `Edit` and `MultiEdit` for every error of `treeglass.errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treeglass import errors
from treeglass.tools.envelope.errors import (
    CallFailed,
    WordedError,
    Words,
    failed_answer,
    path_argument,
    worded,
)
from treeglass.tools.envelope.project_paths import ProjectPaths
from treeglass.tools.envelope.read_store import with_expected
from treeglass.utf8 import lossy_text

if TYPE_CHECKING:
    from treeglass.tool import ToolContext, ToolResult


def report_change_error(error: Exception, context: ToolContext, *, tool_name: str) -> ToolResult:
    """Return the error envelope for an exception, within the output budget."""
    path_resolved, more = None, {}
    if isinstance(error, CallFailed):
        path_resolved, more, error = lossy_text(error.path_resolved), error.more, error.cause
    code, message = worded(error, _WORDS[tool_name], context)
    context = with_expected(context)
    if code == "ACCESS_DENIED":
        path_resolved = None
    elif path_resolved is None:
        path_resolved = _path_of_commit(error, context)
    described = ProjectPaths(context.workspace).envelope_context(context, path_resolved, **more)
    data = error.data if isinstance(error, WordedError) else {}
    return failed_answer(code, message, described, context, data=data)


def _path_of_commit(error: Exception, context: ToolContext) -> str | None:
    """Return the path of a call whose changes were not recorded, as `path_resolved` has it."""
    if not isinstance(error, errors.WorkspaceError):
        return None
    text = path_argument(context.arguments)
    try:
        return lossy_text(ProjectPaths(context.workspace).resolve(text, context)[1])
    except errors.WorkspaceError:
        return None


_OUT_OF_PROJECT: Final = "Path must be within project root."
_OF_WRITING: Final[Words] = (
    # Before `PermissionDenied`, its base.
    (errors.ChangeRefused, "PERMISSION_DENIED", "Permission denied writing to file. {error}."),
    (errors.PermissionDenied, "PERMISSION_DENIED", "Permission denied writing to file."),
    (
        errors.LimitExceeded,
        "EXECUTION_ERROR",
        "Disk full or IO error: {error.limit} is {error.value:,}; write less at once.",
    ),
    (errors.WorkspaceError, "EXECUTION_ERROR", "Disk full or IO error: {error.linux_text}"),
    (
        errors.CallTimedOut,
        "TIMEOUT",
        "Changing '{path}' {error}; nothing was changed. Try a smaller file.",
    ),
)
_OF_WRITE: Final[Words] = (
    # A link that loops is not replaced, and what is not mounted is outside.
    ((errors.PathNotFound, errors.NulInPath, errors.SymlinkLoop), "ACCESS_DENIED", _OUT_OF_PROJECT),
    (errors.IsADirectory, "IS_DIRECTORY", "Target path is a directory."),
    *_OF_WRITING,
)


def _of_edit(what_next: str) -> Words:
    return (
        ((errors.PathEscapesWorkspace, errors.NulInPath), "ACCESS_DENIED", _OUT_OF_PROJECT),
        (
            (errors.PathNotFound, errors.NotADirectory, errors.SymlinkLoop),
            "NOT_FOUND",
            f"File '{{path}}' does not exist. {what_next}",
        ),
        (errors.IsADirectory, "IS_DIRECTORY", "Path '{path}' is a directory, not a file."),
        *_OF_WRITING,
    )


_WORDS: Final[dict[str, Words]] = {
    "Write": _OF_WRITE,
    "Edit": _of_edit("Use Write to create new files."),
    "MultiEdit": _of_edit("MultiEdit cannot create files, use Write instead."),
}
