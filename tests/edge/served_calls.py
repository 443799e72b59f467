"""Requests to a server of the tools, each with the answer that CPython gives to it."""

import http.client
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.browser.cpython_answers import without_duration
from treeglass import Config, ToolRegistry, Workspace
from treeglass.definition_formats import render_definitions

Json = dict[str, Any]

JSON_TYPE = {"Content-Type": "application/json"}
RPC_HEADERS = JSON_TYPE | {"Accept": "application/json, text/event-stream"}


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

    def call(self, tool: str, arguments: Json) -> Json:
        """Return a call over MCP, as a client of the older revision sends it, with its answer."""
        answer = self.content(tool, arguments)
        result = {key: value for key, value in answer.items() if key == "content" or value}
        body = _rpc("tools/call", {"name": tool, "arguments": arguments})
        return request(
            "POST /mcp", RPC_HEADERS, body, 200, {"jsonrpc": "2.0", "id": 7, "result": result}
        )

    def plain_call(self, tool: str, arguments: Json) -> Json:
        """Return a call over the example's plain HTTP, with its answer."""
        result = self._registry.call_tool(tool, arguments)
        answer = {"text": without_duration(result.content), "isError": result.is_error}
        body = {"name": tool, "arguments": arguments}
        return request("POST /tools/call", JSON_TYPE, body, 200, answer)

    def listing(self) -> Json:
        """Return the question for all tools, with its answer."""
        tools = [
            {key: value for key, value in tool.items() if key != "outputSchema"}
            for tool in self.definitions()
        ]
        answer = {"jsonrpc": "2.0", "id": 7, "result": {"tools": tools}}
        return request("POST /mcp", RPC_HEADERS, _rpc("tools/list", {}), 200, answer)


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


def refused(message: str, code: int = -32_000) -> Json:
    """Return the body that refuses a wrong request."""
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": None}


def wrong_requests() -> list[Json]:
    """Return requests that are no call of a tool, with their answers."""
    not_json = "The body is not valid JSON; send one JSON object."
    type_wanted = "The body has to be JSON in UTF-8; send it with Content-Type: application/json."
    compressed = "Compressed bodies are not read; send the body without Content-Encoding."
    call = _rpc("tools/call", {"name": "list_dir", "arguments": {"dir_path": "/repo"}})
    page = "https://other.example"
    page_refused = (
        f'Pages of "{page}" are not answered here; '
        "the server has to name their origin in allowedOrigins."
    )
    unknown = _rpc("tools/call", {"name": "rm", "arguments": {}})
    not_there = 'There is no tool "rm"; the tools are: grep_files, list_dir, read_file.'
    return [
        request("POST /mcp", RPC_HEADERS, "{", 400, refused(not_json, -32_700)),
        request("POST /mcp", RPC_HEADERS, "", 400, refused(not_json, -32_700)),
        request("DELETE /mcp", {}, None, 405, refused("Method not allowed.")),
        request("POST /mcp", {"Content-Type": "text/plain"}, call, 415, refused(type_wanted)),
        request(
            "POST /mcp", RPC_HEADERS | {"Content-Encoding": "gzip"}, call, 415, refused(compressed)
        ),
        request("POST /mcp", RPC_HEADERS | {"Origin": page}, call, 403, refused(page_refused)),
        request(
            "POST /mcp",
            RPC_HEADERS,
            unknown,
            200,
            {"jsonrpc": "2.0", "id": 7, "error": {"code": -32_602, "message": not_there}},
        ),
    ]


def _rpc(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
