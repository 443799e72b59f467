"""The tools as an MCP server on stdin and stdout, by the official library.

The same answers as the npm package's adapter for MCP: an unknown tool is an error
of the protocol, and any other failure of a call is a result with `isError`. Needs
the extra `mcp`; only `treeglass mcp` imports it.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from anyio.from_thread import check_cancelled
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, ListToolsResult, TextContent, Tool

from treeglass import __version__
from treeglass.command.mcp_lines import Lines
from treeglass.definition_formats import render_definitions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from treeglass.registry import ToolRegistry
    from treeglass.tool import ToolResult

MAX_CALLS_AT_ONCE = 8
"""Calls that run at the same time, each in a thread of its own; further ones wait."""

_MAX_SAID_LETTERS = 100
"""Most letters of an unknown name that an error repeats."""


def serve(registry: ToolRegistry, results: str) -> None:
    """Serve one client until stdin ends; calls that still run then are stopped.

    Args:
        registry: The tools; its policy and its budgets hold.
        results: `text` sends the text that a tool's specification gives to the
            model, `structured` the same as data if the tool defines it, `both` both.
            A tool has an output schema only if its answers are sent as data.
    """
    anyio.run(_serve, _server(registry, results))


async def _serve(server: Server[Any]) -> None:
    lines = Lines(sys.stdin)
    async with stdio_server(stdin=lines) as (read_stream, write_stream):
        lines.replies = write_stream
        await server.run(read_stream, write_stream, server.create_initialization_options())


def _server(registry: ToolRegistry, results: str) -> Server[Any]:
    """Return a server of the tools, not yet connected."""
    tools = [Tool.model_validate(tool) for tool in _definitions(registry, results)]
    names = [tool.name for tool in tools]
    # A limiter of its own: if calls took all threads, no message would be read.
    threads = anyio.CapacityLimiter(MAX_CALLS_AT_ONCE)

    async def list_tools(
        _: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(
        _: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        if params.name not in names:
            raise MCPError(code=INVALID_PARAMS, message=_unknown(params.name, names))
        call = partial(_call, registry, params.name, params.arguments or {}, results)
        return await anyio.to_thread.run_sync(call, limiter=threads)

    # The library's MCPServer would write schemas of its own, and word the refusal of
    # arguments, for which each tool has words.
    return Server(
        "treeglass",
        title="treeglass",
        version=__version__,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _definitions(registry: ToolRegistry, results: str) -> list[dict[str, Any]]:
    """Return the definitions; an output schema is allowed only if data is sent."""
    definitions = render_definitions(registry.list_tools(), "mcp")
    if results == "text":
        for definition in definitions:
            definition.pop("outputSchema", None)
    return definitions


def _call(
    registry: ToolRegistry, name: str, arguments: Mapping[str, Any], results: str
) -> CallToolResult:
    # Models send text, and bounds count its letters.
    sent = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return _as_mcp(registry.call_tool(name, sent, is_cancelled=_is_cancelled), results)


def _is_cancelled() -> bool:
    """Tell whether the client cancelled the call of this thread, or left."""
    try:
        check_cancelled()
    except anyio.get_cancelled_exc_class():
        return True
    return False


def _as_mcp(result: ToolResult, results: str) -> CallToolResult:
    if results == "text" or result.structured is None:
        return CallToolResult(content=_text(result.content), is_error=result.is_error)
    return CallToolResult(
        content=_text(result.content) if results == "both" else [],
        structured_content=result.structured,
        is_error=result.is_error,
    )


def _text(text: str) -> list[Any]:
    return [TextContent(type="text", text=text)]


def _unknown(name: str, names: list[str]) -> str:
    said = json.dumps(name[:_MAX_SAID_LETTERS], ensure_ascii=False)
    return f"There is no tool {said}; the tools are: {', '.join(names)}."
