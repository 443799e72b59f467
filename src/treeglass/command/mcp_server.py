"""The tools as an MCP server on stdin and stdout, by the official library, which is an extra.

The same answers as the npm package's adapter for MCP: an unknown tool is an error of the protocol,
and any other failure of a call is a result with `isError`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, ListToolsResult, TextContent, Tool

from treeglass import __version__
from treeglass.command.call import result_as_json
from treeglass.command.mcp_calls import Calls
from treeglass.command.mcp_lines import Lines
from treeglass.definition_formats import render_definitions
from treeglass.errors import CallError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from treeglass.registry import ToolRegistry

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
