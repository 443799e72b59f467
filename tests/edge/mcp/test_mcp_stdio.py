"""`treeglass mcp` answers official clients as the registry answers, whatever they ask at once."""

import json
import re
import shutil
import signal
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import StdioServerParameters, stdio_client
from mcp.client import Client

from build_steps.folders import NPM
from build_steps.programs import find_program
from tests.edge.mcp.mcp_sessions import CLIENTS, Call, answer, run_apart, treeglass_server
from tests.support.late_code import remove_late_code
from tests.support.mcp_process import OPENING, call, started
from tests.support.offered_tools import OFFERED_TOOLS
from tests.support.programs import OVER_LINKS, install_package, printed_by, run
from treeglass import Config, ToolRegistry, Workspace

CONFIG = """
[tools]
family = "all"
max_tool_args_bytes = 2000

[tools.list_directory]
max_entries = 3
"""
CALLS: list[Call] = [
    ("list_dir", {"dir_path": "/repo", "depth": 3}),
    ("list_dir", {"dir_path": "/repo/nope"}),
    ("read_file", {"file_path": "/repo/src/é.py"}),
    ("read_file", {"file_path": "/repo/long.txt", "offset": 2, "limit": 1}),
    ("read_file", {"file_path": "relative.txt", "limit": "one", "more": [None, {"a": "\u2028"}]}),
    ("read_file", {"file_path": "/etc/passwd"}),
    ("read_file", {"file_path": "x" * 2000}),
    ("LS", {}),
    ("LS", {"path": "../..", "limit": 2}),
    ("list_directory", {"path": "."}),
    ("list_directory", {}),
]
UNKNOWN: Call = ("rm 🙂", {})


@pytest.fixture
def folder(make_tree: Callable[..., Path]) -> Path:
    return make_tree(
        {
            "a\nb.txt": "",
            "long.txt": "first\nsecond\nthird\n",
            "out": "-> /etc",
            "src/é.py": "print('\U0001f642')\r\n",
            "src/deep/er/x": "x",
            "utf-16.txt": "hé\n".encode("utf-16"),
        }
    )


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "treeglass.toml"
    path.write_text(CONFIG)
    return path


@pytest.fixture(params=["wheel", "npm package"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., list[str]]:
    """What makes the command of a server: that of the wheel, or that of the npm package."""
    if request.param == "wheel":
        return treeglass_server
    command = install_package(tmp_path, has_libraries=True) / "command.js"
    node = [find_program("node"), *OVER_LINKS, str(command)]

    def start(*arguments: str) -> list[str]:
        return [*node, "mcp", *arguments]

    return start


@pytest.mark.parametrize(
    "asked",
    [
        ("python", "auto", "text"),
        ("python", "legacy", "both"),
        ("typescript", "auto", "structured"),
        ("typescript", "legacy", "text"),
    ],
    ids=" ".join,
)
def test_every_answer_is_that_of_the_registry(
    folder: Path, config: Path, server: Callable[..., list[str]], asked: tuple[str, str, str]
) -> None:
    client, mode, results = asked
    mounts = ("--mount", f"/repo={folder}", "--mount", f"/docs={folder / 'src'}")
    places = (*mounts, "--project-root", "/repo", "--working-dir", "/repo/src")
    command = server(*places, "--config", str(config), "--results", results)

    session = CLIENTS[client](command, [*CALLS, UNKNOWN], mode=mode)

    assert session._replace(answers=timeless(session.answers)) == (
        {"name": "treeglass", "title": "treeglass", "version": "0.1.0"},
        "The files are mounted at /docs and /repo. The paths that the tools take begin there.",
        PROTOCOLS[mode],
        published(config, results),
        timeless([*registry_answers(folder, results), UNKNOWN_ANSWER]),
        "",
    )


PROTOCOLS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
UNKNOWN_ANSWER = {
    "code": -32602,
    "message": (
        'There is no tool "rm 🙂"; the tools are: '
        "Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file."
    ),
}


def published(config: Path, results: str) -> list[dict[str, Any]]:
    """Return what `treeglass tools` prints."""
    printed = printed_by(sys.executable, "-m", "treeglass", "tools", "--config", config)
    tools: list[dict[str, Any]] = json.loads(printed)
    for tool in tools if results == "text" else []:
        tool.pop("outputSchema", None)
    return tools


def test_the_tools_are_those_of_the_npm_packages_adapter(config: Path, tmp_path: Path) -> None:
    install_package(tmp_path, has_libraries=True)
    script = tmp_path / "tools.mjs"
    script.symlink_to(Path(__file__).with_name("mcp_adapter_tools.mjs"))
    configured = json.dumps(tomllib.loads(CONFIG))

    done = run(find_program("node"), *OVER_LINKS, script, configured)

    assert (done.returncode, done.stderr) == (0, "")
    kinds = ("text", "structured", "both")
    assert json.loads(done.stdout) == {kind: published(config, kind) for kind in kinds}


def registry_answers(folder: Path, results: str) -> list[dict[str, Any]]:
    mounts = {"/repo": folder, "/docs": folder / "src"}
    workspace = Workspace(mounts, project_root="/repo", working_dir="/repo/src")
    registry = ToolRegistry(workspace, Config.from_toml(CONFIG))
    answers = []
    for name, arguments in CALLS:
        # As a model sends it: a bound on the arguments counts the letters of this text.
        text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
        result = registry.call_tool(name, text)
        structured = None if results == "text" else result.structured_content
        has_text = results != "structured" or structured is None
        answers.append(
            {
                "content": [{"type": "text", "text": result.content}] if has_text else [],
                "structuredContent": structured,
                "isError": result.is_error,
            }
        )
    return answers


def timeless(answers: list[dict[str, Any]]) -> Any:
    """Return the answers without the milliseconds that `LS` says it took."""
    return json.loads(re.sub(r'(\\?"time_ms\\?": )[0-9.]+', r"\g<1>0", json.dumps(answers)))


def test_calls_at_once_get_each_its_own_answer(
    folder: Path, server: Callable[..., list[str]]
) -> None:
    for number in range(64):
        (folder / f"{number}.txt").write_text(f"content of {number}")
    answers: dict[int, dict[str, Any]] = {}

    async def ask() -> None:
        command = server("--mount", f"/repo={folder}")
        async with opened(command) as client, anyio.create_task_group() as tasks:
            for number in range(64):
                tasks.start_soon(ask_for, client, number)

    async def ask_for(client: Client, number: int) -> None:
        arguments = {"file_path": f"/repo/{number}.txt"}
        answers[number] = await answer(client, "read_file", arguments)

    run_apart(ask)

    assert answers == {number: text_answer(f"L1: content of {number}") for number in range(64)}


def test_calls_that_never_end_hold_up_no_message_and_are_stopped(
    folder: Path, tmp_path: Path
) -> None:
    with (folder / "endless.bin").open("wb") as file:
        file.truncate(1 << 40)
    config = tmp_path / "treeglass.toml"
    config.write_text("[tools.timeouts]\nfile_operations_seconds = 3600\n")
    command = treeglass_server("--mount", f"/repo={folder}", "--config", str(config))
    given: list[Any] = []

    async def ask() -> None:
        async with opened(command, mode="legacy") as client:
            async with anyio.create_task_group() as tasks:
                # More than there are threads to share, of which the one that reads is one: calls
                # that took those would leave none for the messages below.
                for _ in range(64):
                    endless = {"file_path": "/repo/endless.bin"}
                    tasks.start_soon(answer, client, "read_file", endless)
                await anyio.lowlevel.checkpoint()
                given.append((await client.session.send_ping()).model_dump(exclude_none=True))
                given.append([tool.name for tool in (await client.list_tools()).tools])
                tasks.cancel_scope.cancel()
            given.append(
                await answer(client, "read_file", {"file_path": "/repo/long.txt", "limit": 1})
            )

    run_apart(ask)

    assert given == [{}, OFFERED_TOOLS, text_answer("L1: first")]


def test_two_servers_with_different_mounts_keep_apart(
    folder: Path, tmp_path: Path, server: Callable[..., list[str]]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("of the other")
    calls: list[Call] = [
        ("list_dir", {"dir_path": "/repo/src", "depth": 1}),
        ("read_file", {"file_path": "/repo/mine.txt"}),
        ("read_file", {"file_path": "/other/mine.txt"}),
    ]
    answers: list[list[dict[str, Any]]] = []

    async def ask() -> None:
        async with (
            opened(server("--mount", f"/repo={folder}")) as first,
            opened(server("--mount", f"/other={other}")) as second,
        ):
            for asked in calls:
                both = [await answer(client, *asked) for client in (first, second)]
                answers.append(both)

    run_apart(ask)

    missing = "failed to read file: No such file or directory (os error 2)"
    no_directory = "failed to read directory: No such file or directory (os error 2)"
    assert answers == [
        [
            text_answer("Absolute path: /repo/src\ndeep/\né.py"),
            text_answer(no_directory, is_error=True),
        ],
        [text_answer(missing, is_error=True), text_answer(missing, is_error=True)],
        [text_answer(missing, is_error=True), text_answer("L1: of the other")],
    ]


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, None])
def test_the_process_ends_in_silence_with_stdin_or_a_signal(
    folder: Path, server: Callable[..., list[str]], stop: signal.Signals | None
) -> None:
    with started(server("--mount", f"/repo={folder}")) as running:
        running.send(OPENING[0])
        opened = running.answer()
        if stop is not None:
            running.process.send_signal(stop)
        ended = running.ended()

    assert opened["result"]["serverInfo"]["name"] == "treeglass"
    assert ended == (0 if stop is None else 130, b"", b"")


@pytest.mark.parametrize("option", ["--project-root", "--working-dir"])
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nope", "No such file or directory (os error 2)"),
        ("/repo/long.txt", "Not a directory (os error 20)"),
        ("/repo/out", "No such file or directory (os error 2)"),
    ],
)
def test_a_directory_that_no_mount_has_is_refused(
    folder: Path, server: Callable[..., list[str]], option: str, path: str, reason: str
) -> None:
    mounts = ("--mount", f"/repo={folder}", "--mount", f"/docs={folder}")

    assert refusal_of(server(*mounts, option, path)) == (
        f"treeglass: {option} {path}: {reason}; name a virtual directory, / or one in a mount: "
        "/docs, /repo\n"
    )


def refusal_of(command: list[str]) -> str:
    ran = run(*command)
    assert (ran.returncode, ran.stdout) == (2, "")
    return ran.stderr


def test_what_calls_change_is_in_the_patch_before_they_are_answered(
    folder: Path, tmp_path: Path, server: Callable[..., list[str]]
) -> None:
    config = tmp_path / "edit.toml"
    config.write_text('[tools]\noffered = ["Read", "Write"]\n')
    patch = tmp_path / "out.patch"
    before = sorted(folder.rglob("*"))
    options = ("--mount", f"/repo={folder}", "--config", str(config), "--patch", str(patch))

    with started(server(*options)) as running:
        patches = []
        running.send(*OPENING)
        running.answer()
        for content in ("one\n", "two\n"):
            running.send(call("Write", {"path": "new.txt", "content": content}))
            running.answer()
            patches.append(patch.read_text().splitlines()[-1])
        ended = running.ended()

    assert (patches, ended) == (["+one", "+two"], (0, b"", b""))
    assert sorted(folder.rglob("*")) == before
    assert list(tmp_path.glob(".*")) == []


def test_a_patch_that_is_not_applied_is_refused_and_stays(
    folder: Path, tmp_path: Path, server: Callable[..., list[str]]
) -> None:
    patch = tmp_path / "out.patch"
    patch.write_text("+one\n")

    refusal = refusal_of(server("--mount", f"/repo={folder}", "--patch", str(patch)))

    assert (refusal, patch.read_text()) == (
        (
            f"treeglass: --patch {patch}: the file holds 5 bytes, perhaps changes that are not "
            "applied; apply them and move the file away, or name another\n"
        ),
        "+one\n",
    )


def test_tools_that_change_are_not_served_without_a_file_for_the_patch(
    folder: Path, tmp_path: Path, server: Callable[..., list[str]]
) -> None:
    config = tmp_path / "edit.toml"
    config.write_text('[tools]\noffered = ["Read", "Write", "Edit"]\n')

    refusal = refusal_of(server("--mount", f"/repo={folder}", "--config", str(config)))

    assert refusal == (
        "treeglass: the configuration offers Edit, Write, and nothing would keep the changes "
        "that it proposes: name a file for the patch by --patch FILE\n"
    )


def test_nothing_is_printed_of_an_interpreter_that_dies(folder: Path, tmp_path: Path) -> None:
    package = install_package(tmp_path, has_libraries=True)
    package.unlink()
    shutil.copytree(NPM, package, ignore=shutil.ignore_patterns("*.br", "types", "docs"))
    remove_late_code(package)
    node = [find_program("node"), *OVER_LINKS, str(package / "command.js")]
    command = [*node, "mcp", "--mount", f"/repo={folder}"]
    # Its name of a letter is looked up in a table that arrives late.
    rare = {"pattern": r"\N{GREEK SMALL LETTER ALPHA}", "path": "/repo"}
    usual = {"pattern": "second", "path": "/repo"}

    with started([*command, "--family", "envelope"]) as running:
        answers = []
        for message in (OPENING[0], call("Grep", rare), call("Grep", usual)):
            running.send(message)
            answers.append(running.answer())
        _, output, complaints = running.ended()

    rare_text, usual_text = (answer["result"]["content"][0]["text"] for answer in answers[1:])
    assert (output, complaints) == (b"", b"")
    assert str(tmp_path) not in rare_text
    assert [answer["result"].get("isError", False) for answer in answers[1:]] == [True, False]
    assert "long.txt" in usual_text


def opened(command: list[str], mode: str = "auto") -> Client:
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    return Client(stdio_client(parameters), mode=mode)


def text_answer(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": None,
        "isError": is_error,
    }
