"""`treeglass mcp`, started as an MCP client starts it: a process that reads and writes lines."""

import json
import os
import re
import signal
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.mcp_process import OPENED, OPENING, PING, PONG, answered, call, serving
from tests.support.terminal_support import open_terminal
from tests.unit.command.conftest import RunCommand
from tests.unit.command.test_mcp_lines import NOT_A_REQUEST


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


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Put back the handlers that a server sets in the process of the test."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


ENDLESS = call("read_file", {"file_path": "/repo/endless.bin"})


def test_a_session_is_answered_by_lines_and_ends_with_stdin(mount: str) -> None:
    with serving("--mount", mount) as server:
        answers: list[Any] = []
        for message in (
            call("read_file", {"file_path": "/repo/a.txt"}),
            call("read_file", {"file_path": "/repo/nope"}),
            call("read_file", None),
            call("rm", {}),
            rb'{"jsonrpc": "2.0", "id": "call", "method": "\ud83d"}',
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
                    "the tools are: grep_files, list_dir, read_file.",
                },
            },
            {
                "jsonrpc": "2.0",
                "id": "call",
                "error": {"code": -32600, "message": NOT_A_REQUEST},
            },
            PONG,
        ]
        assert server.ended() == (0, b"", b"")


def test_the_end_of_stdin_stops_a_call_that_runs(endless: tuple[str, ...]) -> None:
    with serving(*endless) as server:
        server.send(*OPENING, ENDLESS, PING)
        assert [server.answer(), server.answer()] == [OPENED, PONG]

        code, printed, complaints = server.ended()

        closed = {"code": -32000, "message": "Connection closed"}
        assert (code, complaints) == (0, b"")
        assert json.loads(printed) == {"jsonrpc": "2.0", "id": "call", "error": closed}


@pytest.fixture
def deaf(endless: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options of a server whose calls may take a second, and never look at the clock."""
    patch = "from treeglass.tool import ToolContext\nToolContext.checkpoint = lambda self: None\n"
    (tmp_path / "patched").mkdir()
    (tmp_path / "patched" / "sitecustomize.py").write_text(patch)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "patched"))
    (tmp_path / "treeglass.toml").write_text("[tools.timeouts]\nfile_operations_seconds = 1\n")
    return [*endless]


READ = call("read_file", {"file_path": "/repo/a.txt"})


def test_a_call_that_never_looks_at_the_clock_is_ended_and_the_next_is_answered(
    deaf: list[str],
) -> None:
    with serving(*deaf) as server:
        server.send(*OPENING, *({**ENDLESS, "id": number} for number in range(8)))
        assert server.answer() == OPENED
        ends = [server.answer() for _ in range(8)]
        server.send(READ)

        assert {end["id"] for end in ends} == set(range(8))
        texts = {end["result"]["content"][0]["text"] for end in ends}
        assert [text.partition(";")[0] for text in texts] == ["Tool 'read_file' timed out after 1s"]
        assert server.answer() == answered("L1: hello")
        assert server.ended() == (0, b"", b"")


def test_a_cancelled_call_that_goes_on_is_ended_and_the_next_is_answered(
    deaf: list[str], tmp_path: Path
) -> None:
    (tmp_path / "treeglass.toml").write_text("[tools.timeouts]\nfile_operations_seconds = 3600\n")
    with serving(*deaf) as server:
        server.send(*OPENING)
        assert server.answer() == OPENED
        server.send(READ)
        assert server.answer() == answered("L1: hello")
        for number in range(8):
            cancel = {"method": "notifications/cancelled", "params": {"requestId": number}}
            server.send({**ENDLESS, "id": number}, cancel)
        server.send(READ)

        assert server.answer() == answered("L1: hello")
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


def test_a_person_at_a_terminal_is_told_that_a_client_starts_it(mount: str) -> None:
    ours, theirs = open_terminal()
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


INSTALL = "to serve MCP takes the package mcp from 2.3 on and below 3: install treeglass[mcp]"
START = "have an MCP client start this command, which keeps it open"


@pytest.mark.parametrize(
    ("name", "module"),
    [
        pytest.param("mcp.server.lowlevel", None, id="none"),
        # Which is how the versions before 2 fail: there, that module has another name in it.
        pytest.param(
            "mcp.shared.exceptions", types.ModuleType("mcp.shared.exceptions"), id="another version"
        ),
    ],
)
def test_without_the_library_a_sentence_says_what_to_install(
    treeglass: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    mount: str,
    name: str,
    module: types.ModuleType | None,
) -> None:
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "treeglass.command.mcp_server", raising=False)

    assert treeglass("mcp", "--mount", mount) == (2, "", f"treeglass: {INSTALL}\n")


@pytest.mark.parametrize(("number", "name"), [(0, "stdin"), (1, "stdout")])
def test_a_closed_stream_is_refused_in_a_sentence(mount: str, number: int, name: str) -> None:
    closing = f"import os, sys; os.close({number}); os.execv(sys.executable, sys.argv[1:])"
    command = (sys.executable, "-m", "treeglass", "mcp", "--mount", mount)

    assert process("-c", closing, *command) == (
        2,
        "",
        f"treeglass: {name} is closed: {START}\n",
    )


def test_an_output_that_fails_is_told_in_a_sentence_without_its_path(
    mount: str, tmp_path: Path
) -> None:
    # As on a disk that is full: no file that this process writes may grow.
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
        "from treeglass.__main__ import main; sys.exit(main())"
    )
    message = json.dumps({"jsonrpc": "2.0", **OPENING[0]}).encode()

    with (tmp_path / "messages").open("wb") as output:
        done = subprocess.run(
            [sys.executable, "-c", limited, "mcp", "--mount", mount],
            input=message + b"\n",
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (done.returncode, done.stderr) == (
        1,
        b"treeglass: stdin or stdout failed, and the session with it: File too large\n",
    )


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        pytest.param([BrokenPipeError(), ConnectionResetError()], [], id="a client that left"),
        pytest.param(
            [BrokenPipeError(), ExceptionGroup("", [OSError(24, "Too many open files", "/x")])],
            ["treeglass: stdin or stdout failed, and the session with it: Too many open files"],
            id="a failure beside it",
        ),
        pytest.param(
            [BrokenPipeError(), OSError(5, "Input/output error"), KeyError("a bug")],
            [
                "treeglass: stdin or stdout failed, and the session with it: Input/output error",
                "  | ExceptionGroup: many (1 sub-exception)",
                "    | KeyError: 'a bug'",
            ],
            id="a bug beside them",
        ),
    ],
)
def test_each_of_several_errors_at_once_is_told(
    treeglass: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    mount: str,
    errors: list[Exception],
    told: list[str],
) -> None:
    def serve(*_: object) -> None:
        raise ExceptionGroup("many", errors)

    monkeypatch.setattr("treeglass.command.mcp_server.serve", serve)
    monkeypatch.setattr(os, "_exit", sys.exit)

    code, printed, complaints = treeglass("mcp", "--mount", mount)

    lines = [
        line
        for line in complaints.splitlines()
        if re.search(r"^treeglass: |\w+Group: |bug'$", line)
    ]
    assert (code, printed, lines) == (1, "", told)


def test_no_other_command_imports_the_library() -> None:
    script = "import sys, treeglass.__main__; print({'anyio', 'mcp', 'mcp_types'} & {*sys.modules})"

    assert process("-c", script) == (0, "set()\n", "")


def test_wrong_usage_exits_with_two(treeglass: RunCommand) -> None:
    code, printed, complaints = treeglass("mcp", "--results")

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
            f"--mount /repo=nowhere: {str(Path('nowhere').absolute())!r} does not exist; name the "
            "folder to mount",
            id="no such directory",
        ),
        pytest.param(
            ("--mount", "/repo=.", "--config", "nowhere.toml"),
            "cannot read nowhere.toml: No such file or directory",
            id="no such configuration",
        ),
    ],
)
def test_a_workspace_that_cannot_be_served_exits_with_two(
    treeglass: RunCommand, arguments: tuple[str, ...], sentence: str
) -> None:
    assert treeglass("mcp", *arguments) == (2, "", f"treeglass: {sentence}\n")


def process(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr
