"""The words of the envelope tools that only read for every error: error envelopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from treeglass import errors
from treeglass.escaping import escape_controls
from treeglass.tool import MIN_ERROR_BYTES, ToolContext, ToolFailure, ToolResult
from treeglass.tools.envelope.envelope_building import (
    ErrorCode,
    envelope_context,
    error_envelope,
    render_envelope,
)
from treeglass.tools.envelope.project_paths import ProjectPaths
from treeglass.utf8 import byte_length, cut_middle_to_bytes, lossy_text

SEARCH_CWD: Final = "."
"""The `cwd` of every answer of `Glob` and `Grep`: they take paths from the project root."""


class CallFailed(errors.CallError):
    """A call failed after its path was found to be in the project."""

    def __init__(self, cause: Exception, path_resolved: str, **more: object) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.path_resolved = path_resolved
        self.more = more
        """The fields that the tool adds to the context."""


@contextmanager
def resolved(path: str, **more: object) -> Iterator[None]:
    """Raise an error from within as `CallFailed` with the path; the innermost one wins."""
    try:
        yield
    except CallFailed:
        raise
    except errors.TreeglassError as error:
        raise CallFailed(error, path, **more) from error


class WordedError(errors.CallError):
    """An error whose code and sentence the tool has chosen."""

    def __init__(self, code: ErrorCode, message: str, **data: object) -> None:
        super().__init__(message)
        self.code = code
        self.data = data
        """The members of `data`; few errors have any."""


def report_error(error: Exception, context: ToolContext, *, tool_name: str) -> ToolResult:
    """Return the error envelope for an exception, in a tool's words (LSTool.md 7 for `LS`)."""
    path_resolved, more = None, {}
    if isinstance(error, CallFailed):
        path_resolved, more, error = lossy_text(error.path_resolved), error.more, error.cause
    code, message = worded(error, _WORDS[tool_name], context)
    is_search = tool_name in {"Glob", "Grep"}
    cwd = SEARCH_CWD if is_search else ProjectPaths(context.workspace).working_dir(context)
    described = envelope_context(
        cwd=lossy_text(cwd), arguments=context.arguments, path_resolved=path_resolved, **more
    )
    return failed_answer(code, message, described, context)


def failed_answer(
    code: ErrorCode,
    message: str,
    envelope_context: dict[str, Any],
    context: ToolContext,
    *,
    data: Mapping[str, Any] | None = None,
    elapsed_seconds: float = 0.0,
) -> ToolResult:
    """Return the answer of a failed call.

    If the envelope would be over the output budget, its `params_input` is null, and if
    that does not do, the message loses its middle, where it repeats an argument.
    """
    build = partial(
        error_envelope,
        code=code,
        context=envelope_context,
        data=data,
        elapsed_seconds=elapsed_seconds,
    )
    envelope = build(message=message)
    content = render_envelope(envelope)
    if byte_length(content) > context.budget_bytes:
        # The arguments may have any size, and their sender knows them.
        envelope_context["params_input"] = None
        # The message stands in the envelope twice.
        room = (context.budget_bytes - byte_length(render_envelope(build(message="")))) // 2
        if room < MIN_ERROR_BYTES:
            # A pattern stands in the context beside it.
            for name, member in envelope_context.items():
                if isinstance(member, str):
                    envelope_context[name] = _cut_as_json(member, MIN_ERROR_BYTES)
            room = (context.budget_bytes - byte_length(render_envelope(build(message="")))) // 2
        message = _cut_as_json(message, max(room, MIN_ERROR_BYTES))
        envelope = build(message=message)
        content = render_envelope(envelope)
    return ToolResult(
        content=content, structured_content=envelope, error=ToolFailure(code, message)
    )


def _cut_as_json(message: str, max_bytes: int) -> str:
    """Return a message without its middle, so that its JSON text has so many bytes at most."""
    kept, size = message, byte_length(message)
    while (written := byte_length(render_envelope({"": kept}))) > max_bytes:
        size = size * max_bytes // written
        kept = cut_middle_to_bytes(message, size)
    return kept


def path_argument(arguments: object) -> str:
    """Return the path as the caller wrote it, or the project root."""
    path: Any = arguments.get("path", ".") if isinstance(arguments, Mapping) else "."
    return path if isinstance(path, str) else "."


Words = tuple[tuple["type[Exception] | tuple[type[Exception], ...]", "ErrorCode", str], ...]
"""Kinds of errors, in the order in which they are looked for, their code and their sentence."""

_OF_LS: Final[Words] = (
    # Before `PathNotFound`, its base.
    (
        errors.PathEscapesWorkspace,
        "ACCESS_DENIED",
        "Access denied. Path must be within the project root.",
    ),
    ((errors.PathNotFound, errors.SymlinkLoop), "NOT_FOUND", "Path '{path}' does not exist."),
    (
        errors.NotADirectory,
        "INVALID_PARAM",
        "'{path}' is a file, not a directory. Use 'Read' tool to view its content.",
    ),
    (errors.PermissionDenied, "ACCESS_DENIED", "Permission denied accessing '{path}'."),
    (errors.NulInPath, "INVALID_PARAM", "path must not hold a NUL character."),
    (errors.WorkspaceError, "INTERNAL_ERROR", "Failed to list directory - {error.linux_text}"),
    (errors.CallTimedOut, "TIMEOUT", "Listing '{path}' {error}. Try one of its subdirectories."),
)
_OF_READ: Final[Words] = (
    (
        (errors.PathEscapesWorkspace, errors.NulInPath),
        "ACCESS_DENIED",
        "Access denied. Path '{path}' is outside project root.",
    ),
    (
        (errors.PathNotFound, errors.NotADirectory, errors.SymlinkLoop, errors.NameTooLong),
        "NOT_FOUND",
        "File '{path}' does not exist.",
    ),
    (errors.IsADirectory, "IS_DIRECTORY", "Path '{path}' is a directory. Use LS to explore it."),
    (errors.WorkspaceError, "INTERNAL_ERROR", "Failed to read file: {error.linux_text}"),
    (errors.CallTimedOut, "TIMEOUT", "Reading '{path}' {error}. Try a smaller file."),
)
_OF_SEARCH: Final[Words] = (
    (
        (errors.PathEscapesWorkspace, errors.NulInPath),
        "ACCESS_DENIED",
        "Access denied. Path must be within project root.",
    ),
    (
        (errors.PathNotFound, errors.SymlinkLoop),
        "NOT_FOUND",
        "Search root '{path}' does not exist.",
    ),
    (errors.NotADirectory, "INVALID_PARAM", "Search root '{path}' is not a directory."),
    (errors.WorkspaceError, "INTERNAL_ERROR", "Search failed ({error.linux_text})."),
    (errors.CallTimedOut, "TIMEOUT", "Searching '{path}' {error}. Try one of its subdirectories."),
)
_OF_ALL: Final[Words] = (
    (errors.InvalidArguments, "INVALID_PARAM", "{error}"),
    (errors.CallDenied, "ACCESS_DENIED", "{error}"),
    (errors.CallError, "INTERNAL_ERROR", "{error}"),
)
_WORDS: Final = {"LS": _OF_LS, "Read": _OF_READ, "Glob": _OF_SEARCH, "Grep": _OF_SEARCH}


def worded(error: Exception, words: Words, context: ToolContext) -> tuple[ErrorCode, str]:
    """Return the code and the sentence of an exception, in a tool's words."""
    code: ErrorCode = "INTERNAL_ERROR"
    message = str(errors.InternalFault())
    if isinstance(error, WordedError):
        code, message = error.code, str(error)
    else:
        for kinds, its_code, sentence in (*words, *_OF_ALL):
            if isinstance(error, kinds):
                path = path_argument(context.arguments)
                code, message = its_code, sentence.format(path=path, error=error)
                break
    return code, escape_controls(message) if context.escape_names else message
