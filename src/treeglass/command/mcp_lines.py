"""What an MCP client writes: one message a line, each of which that asks gets an answer.

The library drops a line that its parser refuses, and the parser refuses valid JSON too:
half of a surrogate pair, a whole number of thousands of digits, deep nesting. Here such a
call is read by its members, and the tool gets its arguments as they were written.
"""

from __future__ import annotations

import json
import re
import secrets
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO, TextIO

    from anyio.abc import ObjectSendStream

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line of input that is read as a message; a longer one is passed over."""

# Possessive, and with an end that may be missing: no text takes longer than its length.
_MARKS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},:]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
# Made anew by each process, so that no client writes it by chance or by intent.
_AS_WRITTEN = f"arguments as written {secrets.token_hex(16)}"


class Lines(anyio.AsyncFile[str]):
    """The lines of a stream, as the library's transport reads them.

    Args:
        stream: Where the client writes.
    """

    replies: ObjectSendStream[SessionMessage]
    """Where a request is refused that the library would drop; to be set before the first line."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._bytes = stream.buffer

    async def readline(self) -> str:
        """Return the next line that is a message, or that is none at all; nothing at the end."""
        while True:
            line, refusal = await anyio.to_thread.run_sync(
                _next_message, self._bytes, abandon_on_cancel=True
            )
            if refusal is None:
                return line
            await self.replies.send(SessionMessage(refusal))


def arguments_text(arguments: Mapping[str, Any]) -> str:
    """Return the JSON of a call's arguments: models send text, and bounds count its letters."""
    as_written = arguments.get(_AS_WRITTEN)
    if as_written is not None:
        return str(as_written)
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


def _next_message(stream: BinaryIO) -> tuple[str, JSONRPCError | None]:
    """Return a line, or in its place the refusal of it."""
    line = _next_line(stream)
    if not line or _is_read_as_meant(line) or not _asks(members := _members(line)):
        return line, None
    request_id = _request_id(members["id"])
    rewritten = _with_arguments_as_text({**members, "id": json.dumps(request_id)})
    if request_id is not None and _is_read_as_meant(rewritten):
        return rewritten, None
    return line, _refusal(request_id)


def _next_line(stream: BinaryIO) -> str:
    while _is_cut(line := stream.readline(MAX_LINE_BYTES)):
        while _is_cut(stream.readline(MAX_LINE_BYTES)):
            pass
    return line.decode("utf-8", "replace")


def _is_cut(line: bytes) -> bool:
    return len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")


def _is_read_as_meant(line: str) -> bool:
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return False
    # A request whose id is none of MCP's is taken for a notification, and gets no answer.
    return not (isinstance(message, JSONRPCNotification) and '"id"' in line)


def _asks(members: Mapping[str, str]) -> bool:
    return members.get("id", "null") != "null" and isinstance(
        _value(members.get("method", "")), str
    )


def _request_id(text: str) -> int | str | None:
    """Return what an answer can name; None where no answer can."""
    found = _value(text)
    if isinstance(found, float) and found.is_integer():
        # As in JavaScript, where 1.0 is 1.
        return int(found)
    if isinstance(found, str) and not _SURROGATE.search(found):
        return found
    return found if type(found) is int else None


def _with_arguments_as_text(members: Mapping[str, str]) -> str:
    """Return a request, and if it calls a tool, one whose arguments any parser takes."""
    params = _members(members.get("params", ""))
    name = _value(params.get("name", ""))
    if _value(members["method"]) != "tools/call" or not isinstance(name, str):
        return _object(members)
    # No tool has a name with a lone surrogate, and no message can hold it.
    params["name"] = json.dumps(_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", name))
    if "arguments" in params:
        params["arguments"] = _object({_AS_WRITTEN: json.dumps(params["arguments"])})
    return _object({**members, "params": _object(params)})


def _refusal(request_id: int | str | None) -> JSONRPCError:
    return JSONRPCError(
        jsonrpc="2.0",
        id=request_id,
        error=ErrorData(
            code=INVALID_REQUEST,
            message="The request cannot be read; send JSON-RPC 2.0 with an id that is a text or "
            "a whole number, with params that are an object, and without lone surrogates.",
        ),
    )


def _object(members: Mapping[str, str]) -> str:
    pairs = (f"{json.dumps(key)}:{value}" for key, value in members.items())
    return "{" + ",".join(pairs) + "}"


def _value(text: str) -> object:
    """Return what JSON stands for; None where it is none, or none that can be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _members(text: str) -> dict[str, str]:
    """Return the JSON text of each member of an object, of repeated ones the last.

    By brackets alone, so that no value has to be read, however long or deep; of what is no
    object there are no members.
    """
    text = text.strip()
    members: dict[str, str] = {}
    key: object = None
    depth, starts_at = 0, 1
    if not text.startswith("{"):
        return members
    for found in _MARKS.finditer(text):
        mark, at = found.group(), found.start()
        if depth == 1 and mark == ":" and key is None:
            key, starts_at = _value(text[starts_at:at]), at + 1
        elif depth == 1 and mark in ",}":
            if isinstance(key, str):
                members[key] = text[starts_at:at].strip()
            key, starts_at = None, at + 1
        depth += 1 if mark in "[{" else -1 if mark in "]}" else 0
        if depth == 0 and (mark != "}" or found.end() != len(text)):
            return {}
    return members if depth == 0 else {}
