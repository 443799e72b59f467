"""Sessions with MCP servers over stdio, by the official clients of Python and of TypeScript."""

import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeVar, cast

import anyio
from mcp import StdioServerParameters, stdio_client
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from build_steps.folders import WEB
from build_steps.programs import find_program
from tests.support.programs import printed_by

Result = TypeVar("Result")
Call = tuple[str, dict[str, Any]]
"""The name of a tool, and the arguments."""

_TYPESCRIPT_CLIENT = Path(__file__).with_name("mcp_stdio_client.mjs")


class Session(NamedTuple):
    """The outcome of one session, all of it JSON."""

    server: dict[str, Any]
    instructions: str | None
    protocol: str
    tools: list[dict[str, Any]]
    answers: list[dict[str, Any]]
    """Of each call: `content`, `structuredContent` and `isError`, or `code` and `message`."""
    complaints: str
    """The server's standard error."""


def treeglass_server(*arguments: str) -> list[str]:
    """Return the command that starts our server."""
    return [sys.executable, "-m", "treeglass", "mcp", *arguments]


def python_session(command: Sequence[str], calls: Sequence[Call], *, mode: str) -> Session:
    """Make the calls by the Python client; `mode` is `auto` or `legacy`."""
    return run_apart(partial(_python_session, command, calls, mode))


def run_apart(work: Callable[[], Awaitable[Result]]) -> Result:
    """Return the result of work done in a thread of its own.

    The thread of the tests may have a loop already: the browsers of another module run one.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(anyio.run, work).result()


async def _python_session(command: Sequence[str], calls: Sequence[Call], mode: str) -> Session:
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]))
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
        async with Client(
            stdio_client(parameters, errlog=cast("TextIO", complaints)), mode=mode
        ) as client:
            assert client.server_info is not None
            server = client.server_info.model_dump(exclude_none=True)
            instructions = client.instructions
            protocol = client.protocol_version
            tools = (await client.list_tools()).tools
            answers = [await answer(client, *call) for call in calls]
        complaints.seek(0)
        return Session(
            server=server,
            instructions=instructions,
            protocol=protocol,
            tools=[
                tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools
            ],
            answers=answers,
            complaints=complaints.read(),
        )


async def answer(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make one call."""
    try:
        result = await client.call_tool(name, arguments)
    except MCPError as error:
        return {"code": error.code, "message": str(error)}
    return {
        "content": [block.model_dump(by_alias=True, exclude_none=True) for block in result.content],
        "structuredContent": result.structured_content,
        "isError": result.is_error,
    }


def typescript_session(command: Sequence[str], calls: Sequence[Call], *, mode: str) -> Session:
    """Make the calls by the TypeScript client; `mode` is `auto` or `legacy`."""
    task = {"command": command[0], "args": command[1:], "mode": mode, "calls": calls}
    client = (find_program("node"), _TYPESCRIPT_CLIENT, WEB / "package.json")
    return Session(**json.loads(printed_by(*client, given=json.dumps(task))))


CLIENTS: dict[str, Callable[..., Session]] = {
    "python": python_session,
    "typescript": typescript_session,
}
