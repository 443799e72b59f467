"""Each server of the examples, started as its README says, answers as CPython does."""

import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from build_steps.folders import WEB
from tests.browser.cpython_answers import without_duration
from tests.edge.example_servers import ServerExample, ServingProcess, ask_node, copied_checkout
from tests.edge.served_calls import (
    JSON_TYPE,
    ServedTools,
    refused,
    request,
    sent,
    wrong_requests,
)
from treeglass import Config, ToolRegistry, Workspace

SERVERS = ("node", "deno", "bun")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_checkout(tmp_path_factory.mktemp("checkout"))


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the host, with a link out of it, which only a folder can have."""
    root = tmp_path_factory.mktemp("served")
    (root / "src").mkdir()
    (root / "README.md").write_text("# Harbour\n\nBerths and tides.\n", "utf-8")
    (root / "src" / "berths.py").write_text("BERTHS = 3\n" * 400, "utf-8")
    (root / "src" / "größe ✓.txt").write_text("é\n", "utf-8")
    (root / "within").symlink_to("src")
    return root


@pytest.fixture(scope="module", params=SERVERS)
def example(request: pytest.FixtureRequest, checkout: Path) -> ServerExample:
    found = ServerExample(request.param, checkout)
    found.install()
    return found


@pytest.fixture(scope="module")
def server(example: ServerExample, directory: Path) -> Iterator[ServingProcess]:
    with example.serving(directory) as running:
        yield running


@pytest.fixture(scope="module")
def served(directory: Path) -> ServedTools:
    return ServedTools(directory)


def _calls(served: ServedTools) -> list[dict[str, Any]]:
    return [
        served.listing(),
        served.call("list_dir", {"dir_path": "/repo"}),
        served.call("list_dir", {"dir_path": "/repo", "depth": 1, "limit": 2}),
        served.call("read_file", {"file_path": "/repo/src/berths.py"}),
        served.call("read_file", {"file_path": "/repo/src/größe ✓.txt"}),
        served.call("grep_files", {"pattern": "berth", "path": "/repo/src"}),
        served.call("list_dir", {"dir_path": "/repo/within"}),
        served.call("read_file", {"file_path": "/etc/passwd"}),
        served.call("read_file", {"file_path": "/repo/nothing"}),
        served.call("list_dir", {"dir_path": 7}),
    ]


def test_every_call_is_answered_as_by_cpython(server: ServingProcess, served: ServedTools) -> None:
    calls = _calls(served)

    with ThreadPoolExecutor(len(calls)) as callers:
        answers = list(callers.map(lambda call: sent(server.port, call), calls))

    assert answers == calls


def test_a_request_that_is_no_call_is_refused_in_a_sentence(server: ServingProcess) -> None:
    wrong = wrong_requests()

    assert [sent(server.port, asked) for asked in wrong] == wrong


def test_a_name_that_points_here_is_no_way_in(server: ServingProcess) -> None:
    message = (
        'Requests for the host "rebound.example" are not answered here; '
        "ask for a host that the server names in allowedHosts."
    )
    rebound = {"Host": f"rebound.example:{server.port}"}
    plainly = {"error": "Requests for this host name are not answered here."}
    asked = [
        request("GET /tools", rebound, None, 403, plainly),
        request("POST /mcp", rebound | JSON_TYPE, "{}", 403, refused(message)),
    ]

    assert [sent(server.port, rebinding) for rebinding in asked] == asked


def test_plain_http_answers_the_same_calls(server: ServingProcess, served: ServedTools) -> None:
    listing = "GET /tools lists the tools, and POST /tools/call calls one."
    not_json = "Send the call with Content-Type: application/json."
    not_a_call = 'Send a call such as { "name": "list_dir", "arguments": {} }.'
    asked = [
        request("GET /tools", {}, None, 200, {"tools": served.definitions()}),
        served.plain_call("list_dir", {"dir_path": "/repo"}),
        served.plain_call("read_file", {"file_path": "/repo/nothing"}),
        request("GET /tools/call", {}, None, 404, {"error": listing}),
        request("POST /tools/call", {"Content-Type": "text/plain"}, "{}", 415, {"error": not_json}),
        request("POST /tools/call", JSON_TYPE, "{", 400, {"error": not_a_call}),
        request("POST /tools/call", JSON_TYPE, "[]", 400, {"error": not_a_call}),
    ]

    assert [sent(server.port, each) for each in asked] == asked


def test_a_body_without_end_is_refused_before_it_ends(server: ServingProcess) -> None:
    message = "The body is larger than the 1,048,576 bytes that are read; send less at once."
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as sender:
        sender.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(17):
            sender.sendall(piece)
        response = http.client.HTTPResponse(sender)
        response.begin()
        answer = json.loads(response.read(int(response.headers["Content-Length"])))

    assert (response.status, answer) == (413, refused(message))


def test_a_file_that_is_written_later_is_there_at_the_next_call(
    server: ServingProcess, directory: Path, served: ServedTools
) -> None:
    late = directory / "src" / "late.txt"
    late.write_text("Just written.\n", "utf-8")
    there = served.call("read_file", {"file_path": "/repo/src/late.txt"})
    answers = [sent(server.port, there)]
    late.unlink()
    gone = served.call("read_file", {"file_path": "/repo/src/late.txt"})
    answers.append(sent(server.port, gone))

    assert answers == [there, gone]


@pytest.mark.parametrize(
    ("mode", "revision"), [("legacy", "2025-11-25"), ({"pin": "2026-07-28"}, "2026-07-28")]
)
def test_the_official_client_of_either_era_is_answered(
    server: ServingProcess, served: ServedTools, mode: object, revision: str
) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_dir", {"dir_path": "/repo"}),
        ("read_file", {"file_path": "/repo/README.md"}),
        ("read_file", {"file_path": "/repo/nothing"}),
        ("grep_files", {"pattern": "berth", "path": "/repo/src"}),
        ("list_dir", {"dir_path": 7}),
    ]
    session = ask_node(
        "mcp_http_client.mjs",
        {"address": f"{server.origin}/mcp", "mode": mode, "calls": calls},
        str(WEB / "package.json"),
    )

    definitions = [
        {name: value for name, value in tool.items() if name != "outputSchema"}
        for tool in served.definitions()
    ]
    assert session == {
        "protocol": revision,
        "tools": definitions,
        "answers": [served.content(tool, arguments) for tool, arguments in calls],
    }


def test_the_server_says_that_it_is_up(server: ServingProcess) -> None:
    health = request("GET /health", {}, None, 200, {"status": "ok"})

    assert sent(server.port, health) == health


def test_a_server_that_is_told_to_end_ends_well(example: ServerExample, directory: Path) -> None:
    with example.serving(directory) as running:
        health = request("GET /health", {}, None, 200, {"status": "ok"})
        assert sent(running.port, health) == health
        running.process.send_signal(signal.SIGTERM)

        assert running.process.wait(timeout=30) == 0


def test_two_callers_with_a_client_each_see_their_own(
    example: ServerExample, tmp_path: Path
) -> None:
    told = json.loads(example.run_beside("two_callers.mjs"))

    expected = []
    for caller, config in (
        ("first", {"tools": {"family": "all"}}),
        ("second", {"tools": {"offered": ["LS"]}}),
    ):
        tree = tmp_path / caller
        tree.mkdir()
        (tree / f"{caller}.txt").write_text(caller, "utf-8")
        for path in (tree / f"{caller}.txt", tree):
            # The time of entries that have none of their own.
            os.utime(path, (0, 0))
        workspace = Workspace({f"/{caller}": tree}, project_root=f"/{caller}")
        registry = ToolRegistry(workspace, Config.from_object(config))
        expected += [
            [caller, tool, given, without_duration(registry.call_tool(tool, given).content)]
            for tool, given in [
                ("LS", "{}"),
                ("LS", '{"path":"/first"}'),
                ("LS", '{"path":"/second"}'),
                *([("list_directory", '{"path":"."}')] if caller == "first" else []),
            ]
        ] * 5
    unknown = (
        'There is no tool "list_directory"; the tools are: LS, grep_files, list_dir, read_file.'
    )
    expected += [["second", "list_directory", '{"path":"."}', unknown]] * 5
    assert sorted(told) == sorted(expected)
