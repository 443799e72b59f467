"""A server of MCP as a process that reads and writes lines."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

OPENING = (
    {
        "id": "first",
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
)
OPENED = {
    "jsonrpc": "2.0",
    "id": "first",
    "result": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "treeglass", "title": "treeglass", "version": "0.1.0"},
        "instructions": (
            "The files are mounted at /repo. The paths that the tools take begin there."
        ),
    },
}
PING = {"id": "ping", "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": "ping", "result": {}}


def call(tool: str, arguments: object) -> dict[str, Any]:
    return {
        "id": "call",
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


class Server:
    """A server with the pipes to it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for message in messages:
            if isinstance(message, bytes):
                line = message
            else:
                line = json.dumps({"jsonrpc": "2.0", **message}).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ended(self) -> tuple[int, bytes, bytes]:
        """Close what is open, and return the code and what was not read."""
        printed, complaints = self.process.communicate()
        return self.process.returncode, printed, complaints


def serving(*arguments: str) -> AbstractContextManager[Server]:
    """Run `treeglass mcp` until the context ends."""
    return started([sys.executable, "-m", "treeglass", "mcp", *arguments])


@contextmanager
def started(command: Sequence[str]) -> Iterator[Server]:
    """Run the command of a server until the context ends."""
    server = Server(command)
    try:
        yield server
    finally:
        server.process.kill()
        with server.process:
            pass


def answered(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": "call",
        "result": {"content": [{"type": "text", "text": text}], "isError": is_error},
    }
