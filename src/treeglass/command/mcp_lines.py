"""The lines that an MCP client writes, and an error for each request that the library drops.

The library drops a line that its parser refuses. That parser refuses valid JSON too: half of a
surrogate pair, a whole number of thousands of digits, deep nesting. A client that sent such a
request would wait for ever, so it gets a JSON-RPC error here.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, TextIO

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)

from treeglass.utf8 import is_encodable

if TYPE_CHECKING:
    from anyio.abc import ObjectSendStream

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line of input that is read as a message; a longer one is skipped."""

_NOT_JSON = "The line cannot be read; send one JSON-RPC 2.0 message a line, not nested deeply."
_NOT_A_REQUEST = (
    "The request cannot be read; send JSON-RPC 2.0 with an id that is a text or a whole number, "
    "with params that are an object, and without lone surrogates or numbers of more than "
    "4,300 digits."
)


class Lines(anyio.AsyncFile[str]):
    """The lines of the stream that the client writes, as the library's transport reads them."""

    replies: ObjectSendStream[SessionMessage]
    """Takes the errors for requests that the library would drop; set before the first line."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._bytes = stream.buffer

    async def readline(self) -> str:
        """Return the next line that needs no error of ours; an empty text at the end."""
        while True:
            line, error = await anyio.to_thread.run_sync(
                _next_message, self._bytes, abandon_on_cancel=True
            )
            if error is None:
                return line
            await self.replies.send(SessionMessage(error))


def _next_message(stream: BinaryIO) -> tuple[str, JSONRPCError | None]:
    line = _next_line(stream)
    return line, _error_for(line)


def _next_line(stream: BinaryIO) -> str:
    while _is_cut(line := stream.readline(MAX_LINE_BYTES)):
        while _is_cut(stream.readline(MAX_LINE_BYTES)):
            pass
    return line.decode("utf-8", "replace")


def _is_cut(line: bytes) -> bool:
    return len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")


def _error_for(line: str) -> JSONRPCError | None:
    """Return the error for a line; None if the library reads it, or it asks for no answer."""
    if not line.strip() or _is_read_by_library(line):
        return None
    try:
        message = json.loads(line, parse_int=_whole_number)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, _NOT_JSON)
    if not isinstance(message, dict):
        return _error(None, INVALID_REQUEST, _NOT_A_REQUEST)
    if message.get("id") is None or "method" not in message:
        return None  # a notification, or a reply
    return _error(_id_of(message), INVALID_REQUEST, _NOT_A_REQUEST)


def _is_read_by_library(line: str) -> bool:
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return False
    # If MCP does not allow a request's id, the library takes it for a notification.
    return not (isinstance(message, JSONRPCNotification) and '"id"' in line)


def _whole_number(digits: str) -> int | None:
    # Python refuses such a number; without it, the id beside it can still be read.
    with suppress(ValueError):
        return int(digits)
    return None


def _id_of(message: dict[str, object]) -> int | str | None:
    """Return the id that an error can repeat; None if no error can."""
    found = message["id"]
    if isinstance(found, str) and is_encodable(found):
        return found
    return found if type(found) is int else None


def _error(request_id: int | str | None, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))
