"""Build Standard Envelopes from the protocol's words, and render them as JSON text.

If the given texts are not blank, they are valid by construction: pages are built in a hot path.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from typing import Any, Literal, get_args

from treeglass.errors import OutputBudgetTooSmall
from treeglass.utf8 import byte_length, is_encodable

EnvelopeStatus = Literal["success", "partial", "error"]

ErrorCode = Literal[
    "NOT_FOUND",
    "ACCESS_DENIED",
    "INVALID_PARAM",
    "TIMEOUT",
    "INTERNAL_ERROR",
    "PERMISSION_DENIED",
    "EXECUTION_ERROR",
    "CONFLICT",
    "IS_DIRECTORY",
    "BINARY_FILE",
    # From here on the protocol's later extensions.
    "CIRCUIT_OPEN",
    "ASK_USER_UNAVAILABLE",
    "MCP_PARAM_ERROR",
    "MCP_PARSE_ERROR",
    "MCP_EXECUTION_ERROR",
    "MCP_NETWORK_ERROR",
    "MCP_TIMEOUT",
    "MCP_NOT_FOUND",
]
"""Every code that `error.code` may have: ten of the core, eight extensions."""

STATUSES: tuple[EnvelopeStatus, ...] = get_args(EnvelopeStatus)
ERROR_CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)

TruncationDirection = Literal["head", "tail", "head_tail"]

MAX_ECHO_DEPTH = 64
"""Deepest nesting of arguments that `params_input` repeats. Unit: levels."""

_NS_PER_MS = 1_000_000


def milliseconds(modified_ns: int | None) -> int:
    """Return a file's time as answers and locks have it; 0 for a file without one."""
    return (modified_ns or 0) // _NS_PER_MS


def envelope_context(
    *, cwd: str, arguments: object, path_resolved: str | None = None, **more: object
) -> dict[str, Any]:
    """Return the `context` of an envelope, whose paths are relative to the project root."""
    context = {"cwd": cwd, "params_input": _echo(arguments)}
    resolved = {} if path_resolved is None else {"path_resolved": path_resolved}
    return {**context, **resolved, **more}


def _echo(arguments: object) -> object:
    """Return a copy of the arguments as JSON data; None if JSON cannot hold them."""
    if isinstance(arguments, str):
        return arguments.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    if not is_encodable(text) or _is_deep(arguments):
        return None
    return json.loads(text)


def _is_deep(value: object) -> bool:
    # Level by level: rendering recurses, on a stack whose height differs from host
    # to host.
    level = [value]
    for _ in range(MAX_ECHO_DEPTH):
        level = [
            child
            for parent in level
            if isinstance(parent, dict | list | tuple)
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
    return bool(level)


def answer_envelope(
    *,
    is_partial: bool,
    data: dict[str, Any],
    text: str,
    elapsed_seconds: float,
    counters: Mapping[str, int | float | str],
    context: dict[str, Any],
) -> dict[str, Any]:
    """Return the envelope of a call that has a result, keys in the protocol's order.

    It is partial if the result is discounted: truncated, from a fallback or a dry run, or with
    failed items. The text, which is not blank, tells the model the same. `time_ms` is at least 1;
    the counters are the other members of `stats`.
    """
    return {
        "status": "partial" if is_partial else "success",
        "data": data,
        "text": text,
        "stats": {"time_ms": max(1, int(elapsed_seconds * 1000)), **counters},
        "context": context,
    }


def error_envelope(
    *,
    code: ErrorCode,
    message: str,
    context: dict[str, Any],
    data: Mapping[str, Any] | None = None,
    elapsed_seconds: float = 0.0,
) -> dict[str, Any]:
    """Return the envelope of a failed call; its data may name the failed part of the arguments."""
    return {
        "status": "error",
        "data": dict(data or {}),
        "text": message,
        "error": {"code": code, "message": message},
        "stats": {"time_ms": int(elapsed_seconds * 1000)},
        "context": context,
    }


def largest_envelope(
    build: Callable[[int], dict[str, Any]], most: int, budget_bytes: int
) -> tuple[int, dict[str, Any], str]:
    """Return how many items fit the budget, their envelope, and its text.

    `build` makes the envelope of the first items, given how many. One more item never makes an
    incomplete envelope smaller. Neither all nor the first alone may fit: `OutputBudgetTooSmall`.
    """
    envelope = build(most)
    content = render_envelope(envelope)
    if byte_length(content) <= budget_bytes:
        return most, envelope, content
    fitting = bisect_right(
        range(1, most), budget_bytes, key=lambda count: byte_length(render_envelope(build(count)))
    )
    if fitting == 0:
        # Without a sentence about what is left out, the whole may be smaller than a part.
        least = min(byte_length(render_envelope(build(min(1, most)))), byte_length(content))
        raise OutputBudgetTooSmall(budget_bytes, least)
    envelope = build(fitting)
    return fitting, envelope, render_envelope(envelope)


def render_envelope(envelope: Mapping[str, Any]) -> str:
    """Return an envelope as JSON text: two-space indent, non-ASCII kept."""
    return _indented(envelope, "\n")


_encode = json.JSONEncoder(ensure_ascii=False).encode


def _indented(value: object, line_break: str) -> str:
    # The standard library's indenting encoder is written in Python too, and takes
    # twice as long: it yields every bracket, comma and blank separately.
    if isinstance(value, str):
        return encode_basestring(value)
    inner = line_break + "  "
    if isinstance(value, dict) and value:
        members = [
            f"{encode_basestring(key)}: {_indented(member, inner)}" for key, member in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(members)}{line_break}}}"
    if isinstance(value, list | tuple) and value:
        items = [_indented(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{line_break}]"
    return _encode(value)
