"""From any exception of treeglass to an error envelope; each tool words its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from treeglass.errors import CallDenied, CallError, InternalFault, InvalidArguments
from treeglass.escaping import escape_controls
from treeglass.tool import MIN_ERROR_BYTES, ToolContext, ToolFailure, ToolResult
from treeglass.tools.envelope.envelope_building import (
    envelope_context,
    error_envelope,
    render_envelope,
)
from treeglass.utf8 import byte_length, cut_middle_to_bytes, lossy_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from treeglass.tools.envelope.envelope_building import ErrorCode


class CallFailed(CallError):
    """A call failed after its path was found to be in the project."""

    def __init__(self, cause: Exception, path_resolved: str, **more: object) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.path_resolved = path_resolved
        self.more = more
        """What the tool adds to the context."""


class WordedError(CallError):
    """An error whose code and sentence the tool has chosen."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def report_failure(
    error: Exception,
    context: ToolContext,
    *,
    cwd: str,
    word: Callable[[Exception, object], tuple[ErrorCode, str]],
) -> ToolResult:
    """Return the error envelope for an exception.

    The envelope is within the output budget; see `failed_answer`.

    Args:
        error: Any exception of `treeglass.errors`, or one of this module.
        context: Of the call.
        cwd: Working directory relative to the project root, in the host's names.
        word: Returns the code and the sentence for an exception and the arguments.
    """
    path_resolved, more = None, {}
    if isinstance(error, CallFailed):
        path_resolved, more, error = lossy_text(error.path_resolved), error.more, error.cause
    code, message = (
        (error.code, str(error))
        if isinstance(error, WordedError)
        else word(error, context.arguments)
    )
    if context.escape_names:
        message = escape_controls(message)
    return failed_answer(
        code,
        message,
        envelope_context(
            cwd=lossy_text(cwd), arguments=context.arguments, path_resolved=path_resolved, **more
        ),
        context,
    )


def failed_answer(
    code: ErrorCode,
    message: str,
    envelope_context: dict[str, Any],
    context: ToolContext,
    *,
    elapsed_seconds: float = 0.0,
) -> ToolResult:
    """Return the answer of a failed call.

    If the envelope would be over the output budget, its `params_input` is null, and if
    that does not do, the message loses its middle, where it repeats an argument.
    """

    def build(message: str) -> dict[str, Any]:
        return error_envelope(
            code=code, message=message, context=envelope_context, elapsed_seconds=elapsed_seconds
        )

    envelope = build(message)
    content = render_envelope(envelope)
    if byte_length(content) > context.budget_bytes:
        # The arguments may have any size, and their sender knows them.
        envelope_context["params_input"] = None
        # The message stands in the envelope twice.
        room = (context.budget_bytes - byte_length(render_envelope(build("")))) // 2
        if room < MIN_ERROR_BYTES:
            # A pattern stands in the context beside it.
            for name, member in envelope_context.items():
                if isinstance(member, str):
                    envelope_context[name] = _cut_as_json(member, MIN_ERROR_BYTES)
            room = (context.budget_bytes - byte_length(render_envelope(build("")))) // 2
        message = _cut_as_json(message, max(room, MIN_ERROR_BYTES))
        envelope = build(message)
        content = render_envelope(envelope)
    return ToolResult(content=content, structured=envelope, error=ToolFailure(code, message))


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


def word_common_error(error: Exception) -> tuple[ErrorCode, str]:
    """Return the code and the sentence of an exception that all tools word alike."""
    if isinstance(error, InvalidArguments):
        return "INVALID_PARAM", str(error)
    if isinstance(error, CallDenied):
        return "ACCESS_DENIED", str(error)
    return "INTERNAL_ERROR", str(error if isinstance(error, CallError) else InternalFault())
