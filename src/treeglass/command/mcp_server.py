"""The tools as an MCP server on stdin and stdout, by the official library, which is an extra.

The same answers as the npm package's adapter for MCP: an unknown tool is an error of the protocol,
and any other failure of a call is a result with `isError`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolResult,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    ListToolsResult,
    TextContent,
    Tool,
    jsonrpc_message_adapter,
)

from treeglass import __version__
from treeglass.command.call import result_as_json
from treeglass.command.mcp_calls import Calls
from treeglass.definition_formats import render_definitions
from treeglass.errors import CallError
from treeglass.utf8 import is_encodable

if TYPE_CHECKING:
    from anyio.abc import ObjectSendStream
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from treeglass.registry import ToolRegistry

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line of input that is read as a message; a longer one is skipped."""

_NOT_JSON = "The line cannot be read; send one JSON-RPC 2.0 message a line, not nested deeply."
_NOT_A_REQUEST = (
    "The request cannot be read; send JSON-RPC 2.0 with an id that is a text or a whole number, "
    "with params that are an object, and without lone surrogates or numbers of more than "
    "4,300 digits."
)


class Lines(anyio.AsyncFile[str]):
    """The lines of the stream that the client writes, as the library's transport reads them.

    The library drops a line that its parser refuses. That parser refuses valid JSON too: half of a
    surrogate pair, a whole number of thousands of digits, deep nesting. A client that sent such a
    request would wait for ever, so it gets a JSON-RPC error here.
    """

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


MAX_CALLS_AT_ONCE = 8
"""Calls that run at the same time, each in a thread of the process for calls; further ones wait."""

_MAX_SAID_LETTERS = 100
"""Most letters of an unknown name that an error repeats."""


def serve(
    registry: ToolRegistry, results: str, arguments: Sequence[str], limit_seconds: float
) -> None:
    """Serve one client until stdin ends; calls that still run then are stopped.

    As results, `text` sends the text that a tool's specification gives to the model, `structured`
    the same as data if the tool defines it, `both` both. A tool has an output schema only if its
    answers are sent as data.
    """
    anyio.run(_serve, registry, results, arguments, limit_seconds)


async def _serve(
    registry: ToolRegistry, results: str, arguments: Sequence[str], limit_seconds: float
) -> None:
    lines = Lines(sys.stdin)
    async with anyio.create_task_group() as tasks:
        calls = Calls(arguments, limit_seconds, tasks)
        tasks.start_soon(calls.run)
        server = _server(registry, results, calls)
        async with stdio_server(stdin=lines) as (read_stream, write_stream):
            lines.replies = write_stream
            await server.run(read_stream, write_stream, server.create_initialization_options())
        tasks.cancel_scope.cancel()


def _server(registry: ToolRegistry, results: str, calls: Calls) -> Server[Any]:
    """Return a server of the tools, not yet connected."""
    tools = [Tool.model_validate(tool) for tool in _definitions(registry, results)]
    names = [tool.name for tool in tools]
    slots = anyio.CapacityLimiter(MAX_CALLS_AT_ONCE)

    async def list_tools(
        _: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(
        _: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        if params.name not in names:
            raise MCPError(code=INVALID_PARAMS, message=_unknown(params.name, names))
        # Models send text, and bounds count its letters.
        sent = json.dumps(params.arguments or {}, ensure_ascii=False, separators=(",", ":"))
        try:
            async with slots:
                answer = await calls.call(params.name, sent)
        except CallError as error:
            answer = result_as_json(registry.report_failure(params.name, sent, error))
        return _as_mcp(answer, results)

    # The library's MCPServer would write schemas of its own, and word the refusal of
    # arguments, for which each tool has words.
    return Server(
        "treeglass",
        title="treeglass",
        version=__version__,
        instructions=_instructions(registry.workspace.mount_points),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _instructions(points: Sequence[str]) -> str:
    """Return where the files are, for a model; the adapter of the npm package says the same."""
    return (
        f"The files are mounted at {' and '.join(points)}. The paths that the tools take begin "
        "there."
    )


def _definitions(registry: ToolRegistry, results: str) -> list[dict[str, Any]]:
    """Return the definitions; an output schema is allowed only if data is sent."""
    definitions = render_definitions(registry.list_tools(), "mcp")
    if results == "text":
        for definition in definitions:
            definition.pop("outputSchema", None)
    return definitions


def _as_mcp(answer: Mapping[str, Any], results: str) -> CallToolResult:
    text = TextContent(type="text", text=answer["content"])
    structured = None if results == "text" else answer["structured"]
    return CallToolResult(
        content=[] if results == "structured" and structured is not None else [text],
        structured_content=structured,
        is_error=answer["is_error"],
    )


def _unknown(name: str, names: list[str]) -> str:
    said = json.dumps(name[:_MAX_SAID_LETTERS], ensure_ascii=False)
    return f"There is no tool {said}; the tools are: {', '.join(names)}."
