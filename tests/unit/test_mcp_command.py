"""`treeglass mcp`, started as an MCP client starts it: a process that is spoken to by lines."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "treeglass", "mcp", *arguments],
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


@contextmanager
def serving(*arguments: str) -> Iterator[Server]:
    server = Server(arguments)
    try:
        yield server
    finally:
        server.process.kill()
        with server.process:
            pass


@pytest.fixture
def mount(make_tree: Callable[..., Path]) -> str:
    tree = make_tree({"a.txt": "hello\n", "src/é.txt": "x"})
    return f"/repo={tree}"


@pytest.fixture
def endless(mount: str, tmp_path: Path) -> tuple[str, ...]:
    """The options of a server, one of whose files takes longer to read than any test lasts."""
    with (tmp_path / "tree" / "endless.bin").open("wb") as file:
        file.truncate(1 << 40)
    config = tmp_path / "treeglass.toml"
    config.write_text("[tools.timeouts]\nfile_operations_seconds = 3600\n")
    return "--mount", mount, "--config", str(config)


ENDLESS = call("read_file", {"file_path": "/repo/endless.bin"})


def test_a_session_is_answered_by_lines_and_ends_with_stdin(mount: str) -> None:
    with serving("--mount", mount) as server:
        answers: list[Any] = []
        for message in (
            call("read_file", {"file_path": "/repo/a.txt"}),
            call("read_file", {"file_path": "/repo/nope"}),
            call("read_file", None),
            call("rm", {}),
            PING,
        ):
            server.send(*(() if answers else OPENING), message)
            answers += [server.answer()] if answers else [server.answer(), server.answer()]

        assert answers == [
            OPENED,
            answered("L1: hello"),
            answered("failed to read file: No such file or directory (os error 2)", is_error=True),
            answered(
                "failed to parse function arguments: `file_path` is missing; expected for example "
                '{"file_path": "/repo/main.py", "offset": 1, "limit": 200}',
                is_error=True,
            ),
            {
                "jsonrpc": "2.0",
                "id": "call",
                "error": {
                    "code": -32602,
                    "message": 'There is no tool "rm"; '
                    "the tools are: LS, list_dir, list_directory, read_file.",
                },
            },
            PONG,
        ]
        assert server.ended() == (0, b"", b"")


def answered(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": "call",
        "result": {"content": [{"type": "text", "text": text}], "isError": is_error},
    }


def test_what_is_no_message_or_too_long_is_passed_over(mount: str) -> None:
    too_long = json.dumps({"jsonrpc": "2.0", **PING, "id": "long"}).encode() + b" " * (17 << 20)
    broken = (b"", b"no JSON", b"\xff\xfe", b"[]", b'{"jsonrpc": "2.0", "id": 1}', b"[" * 9_999)

    with serving("--mount", mount) as server:
        server.send(*OPENING, *broken, too_long, PING)

        assert [server.answer(), server.answer()] == [OPENED, PONG]
        assert server.ended() == (0, b"", b"")


def test_a_server_without_input_ends_at_once(mount: str) -> None:
    with serving("--mount", mount) as server:
        assert server.ended() == (0, b"", b"")


def test_the_end_of_stdin_stops_a_call_that_runs(endless: tuple[str, ...]) -> None:
    with serving(*endless) as server:
        server.send(*OPENING, ENDLESS, PING)
        assert [server.answer(), server.answer()] == [OPENED, PONG]

        assert server.ended() == (0, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_silence_whatever_runs(
    endless: tuple[str, ...], number: signal.Signals
) -> None:
    with serving(*endless) as server:
        server.send(*OPENING, ENDLESS, PING)
        assert [server.answer(), server.answer()] == [OPENED, PONG]

        server.process.send_signal(number)

        assert server.process.wait() == 130
        assert server.ended() == (130, b"", b"")


def test_a_client_that_reads_no_more_ends_it_in_silence(endless: tuple[str, ...]) -> None:
    with serving(*endless) as server:
        server.send(*OPENING, ENDLESS, PING)
        assert [server.answer(), server.answer()] == [OPENED, PONG]
        assert server.process.stdout is not None
        assert server.process.stderr is not None

        server.process.stdout.close()
        server.send(PING)

        assert (server.process.wait(), server.process.stderr.read()) == (1, b"")


def test_a_person_at_a_terminal_is_told_who_starts_it(mount: str) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "treeglass", "mcp", "--mount", mount],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(theirs)
        assert process.stderr is not None
        told = process.stderr.readline()
        os.write(ours, b"\x04")
        printed, complaints = process.communicate()
    os.close(ours)

    assert told == b"treeglass: an MCP client starts this command; Ctrl-C ends it.\n"
    assert (process.returncode, printed, complaints) == (0, b"", b"")


def test_without_the_library_a_sentence_says_what_to_install(mount: str) -> None:
    without = "import sys; sys.modules['mcp'] = None; from treeglass.__main__ import main"
    script = f"{without}; sys.exit(main())"

    done = run("-c", script, "mcp", "--mount", mount)

    assert done == (
        2,
        "",
        "treeglass: to serve MCP takes the package mcp: install treeglass[mcp]\n",
    )


def test_no_other_command_imports_the_library() -> None:
    script = "import sys, treeglass.__main__; print({'anyio', 'mcp', 'mcp_types'} & {*sys.modules})"

    assert run("-c", script) == (0, "set()\n", "")


def test_wrong_usage_exits_with_two() -> None:
    code, printed, complaints = run("-m", "treeglass", "mcp", "--results")

    assert (code, printed, complaints.splitlines()[-1]) == (
        2,
        "",
        "treeglass mcp: error: argument --results: expected one argument",
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ("--mount", "/repo=nowhere"),
            "mount point '/repo': No such file or directory (os error 2)",
            id="no such directory",
        ),
        pytest.param(
            ("--mount", "/repo=.", "--config", "nowhere.toml"),
            "cannot read nowhere.toml: No such file or directory",
            id="no such configuration",
        ),
    ],
)
def test_what_cannot_be_served_exits_with_two(arguments: tuple[str, ...], sentence: str) -> None:
    assert run("-m", "treeglass", "mcp", *arguments) == (2, "", f"treeglass: {sentence}\n")


def run(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr
