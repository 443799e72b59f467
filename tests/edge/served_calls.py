"""Requests to a server of the tools, each with the answer that CPython gives to it."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any

from tests.browser.cpython_answers import without_duration
from treeglass import Config, ToolRegistry, Workspace
from treeglass.definition_formats import render_definitions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from treeglass import ToolResult

Json = dict[str, Any]

JSON_TYPE = {"Content-Type": "application/json"}
_RPC_HEADERS = JSON_TYPE | {"Accept": "application/json, text/event-stream"}

LISTED = (
    "There is nothing at this path; GET /tools lists the tools, and POST /tools/call calls one."
)


class ServedTools:
    """The answers that a server must give with its folder mounted at `/repo`."""

    def __init__(self, directory: Path) -> None:
        workspace = Workspace({"/repo": directory}, project_root="/repo", working_dir="/repo")
        self._registry = ToolRegistry(workspace, Config().with_default_family())

    def definitions(self) -> Sequence[Json]:
        """Return the tools in MCP's shape."""
        described = render_definitions(self._registry.list_tools(), "mcp")
        return list(json.loads(json.dumps(described)))

    def content(self, tool: str, arguments: Json | str) -> Json:
        """Return an answer as an MCP client has it."""
        result = self._registry.call_tool(tool, arguments)
        text = without_duration(result.content)
        return {"content": [{"type": "text", "text": text}], "isError": result.is_error}

    def call(self, tool: str, arguments: object, **bounds: Any) -> Json:
        """Return a call over HTTP, with its answer."""
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        result = self._registry.call_tool(
            tool,
            text,
            max_output_bytes=bounds.get("maxOutputBytes"),
            available_capacity_bytes=bounds.get("availableCapacityBytes"),
            working_dir=bounds.get("workingDir"),
        )
        body = {"name": tool, "arguments": arguments, **bounds}
        return request("POST /tools/call", JSON_TYPE, body, 200, _as_sent(result))

    def mcp_call(self, tool: str, arguments: Json) -> Json:
        """Return a call over MCP, as a client of the older revision sends it, with its answer."""
        answer = self.content(tool, arguments)
        result = {key: value for key, value in answer.items() if key == "content" or value}
        body = _rpc("tools/call", {"name": tool, "arguments": arguments})
        return request(
            "POST /mcp", _RPC_HEADERS, body, 200, {"jsonrpc": "2.0", "id": 7, "result": result}
        )

    def listing(self) -> Json:
        """Return the question for all tools, with its answer."""
        return request("GET /tools", {}, None, 200, {"tools": self.definitions()})


def request(
    asked: str,
    headers: Mapping[str, str],
    body: object,
    status: int,
    answer: object,
) -> Json:
    """Return a request such as `GET /tools` with its answer; a body of no text is sent as JSON."""
    method, path = asked.split(" ")
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    return {
        "method": method,
        "path": path,
        "headers": dict(headers),
        "body": text,
        "status": status,
        "answer": answer,
    }


def sent(port: int, asked: Json) -> Json:
    """Return a request with the answer that the server at a port gave to it, without times."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = asked["body"]
    connection.request(
        asked["method"],
        asked["path"],
        body.encode() if isinstance(body, str) else body,
        asked["headers"],
    )
    response = connection.getresponse()
    text = response.read().decode().removeprefix("event: message\ndata: ")
    connection.close()
    answer = json.loads(text, object_hook=_timeless) if text else None
    return asked | {"status": response.status, "answer": answer}


def _timeless(found: Json) -> Json:
    # A schema has a property of such a name too.
    times = {
        name: 0 for name in ("elapsedMs", "time_ms") if isinstance(found.get(name), int | float)
    }
    texts = {
        name: without_duration(found[name])
        for name in ("content", "text")
        if isinstance(found.get(name), str)
    }
    return found | times | texts


def refused(kind: str, message: str) -> Json:
    """Return the body that refuses a wrong request."""
    return {"error": {"kind": kind, "message": message}}


def wrong_requests() -> list[Json]:
    """Return requests that are no call of a tool, with their answers."""
    not_json = "The body is not valid JSON; send one JSON object."
    members = "name, arguments, maxOutputBytes, availableCapacityBytes, workingDir"
    type_wanted = "The body has to be JSON in UTF-8; send it with Content-Type: application/json."
    call = {"name": "list_dir", "arguments": {"dir_path": "/repo"}}
    page = "https://other.example"
    page_refused = (
        f'Pages of "{page}" are not answered here; '
        "the server has to name their origin in allowedOrigins."
    )
    unknown = 'There is no tool "rm"; the tools are: grep_files, list_dir, read_file.'
    method_refused = "DELETE is not answered at this path; use GET, HEAD, OPTIONS."
    member_refused = f'The body has no member "args"; it has {members}.'
    of_page, plain = JSON_TYPE | {"Origin": page}, {"Content-Type": "text/plain"}
    rpc_call = _rpc("tools/call", {"name": "rm", "arguments": {}})
    calls = [
        (JSON_TYPE, "{", 400, refused("BadRequest", not_json)),
        (plain, call, 415, refused("UnsupportedMediaType", type_wanted)),
        (JSON_TYPE, {**call, "args": 1}, 400, refused("BadRequest", member_refused)),
        (of_page, call, 403, refused("Forbidden", page_refused)),
    ]
    return [
        request("DELETE /tools", {}, None, 405, refused("MethodNotAllowed", method_refused)),
        request("GET /tools/none", {}, None, 404, refused("NotFound", LISTED)),
        *(request("POST /tools/call", *asked) for asked in calls),
        request("POST /mcp", _RPC_HEADERS, "{", 400, _rpc_error(None, -32700, not_json)),
        request("POST /mcp", _RPC_HEADERS, rpc_call, 200, _rpc_error(7, -32602, unknown)),
    ]


def _rpc(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def _rpc_error(about: int | None, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": about, "error": {"code": code, "message": message}}


def _as_sent(result: ToolResult) -> Json:
    error = result.error
    answer = {
        "content": result.content,
        "structured": result.structured,
        "isError": result.is_error,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "truncated": result.truncated,
        "nextArguments": result.next_arguments,
        "warnings": list(result.warnings),
        "elapsedMs": 0,
    }
    timeless: Json = json.loads(json.dumps(answer), object_hook=_timeless)
    return timeless
