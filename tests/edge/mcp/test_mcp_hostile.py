"""Hostile calls, eight at once, leave both servers of MCP answering."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from build_steps.programs import find_program
from tests.edge.mcp.mcp_sessions import treeglass_server
from tests.support.hostile_calls import (
    IGNORE_FILE,
    TREE,
    HostileCall,
    config_for,
    hostile_calls,
)
from tests.support.mcp_process import OPENING, Server, call, started
from tests.support.programs import OVER_LINKS, install_package

AT_ONCE = 8

LIMIT_SECONDS = {"wheel": 1, "npm package": 0.25}
"""Calls wait for each other here; a call of the package alone has twice the time under Node.

The wheel's server replaces the process of calls that do not end, and the first call of the next
process has to end in this time on a busy machine too.
"""

_TRIES = 5

CALLS = [each for each in hostile_calls() if each.family == "envelope"]
NINTH = call("read_file", {"file_path": "/repo/editable.txt", "limit": 1})


def without_ignore_files() -> list[list[HostileCall]]:
    """Return the calls over one tree, a few of each kind at a time."""
    calls = [each for each in CALLS if not each.ignore_file]
    step = -(-len(calls) // AT_ONCE)
    return [calls[start::step] for start in range(step)]


def with_ignore_files() -> dict[str, list[HostileCall]]:
    """Return the calls of each ignore file, again and again until there are enough."""
    by_file = itertools.groupby(CALLS, lambda each: each.ignore_file)
    return {
        content: list(itertools.islice(itertools.cycle(list(calls)), AT_ONCE))
        for content, calls in by_file
        if content
    }


@pytest.fixture(params=["wheel", "npm package"])
def server(
    request: pytest.FixtureRequest, make_tree: Callable[..., Path], tmp_path: Path
) -> tuple[list[str], Path]:
    """The command of a server, and the folder that it serves."""
    tree = make_tree(TREE)
    config = tmp_path / "config.json"
    limit_seconds = LIMIT_SECONDS[request.param]
    config.write_text(json.dumps(config_for("envelope", limit_seconds=limit_seconds)), "utf-8")
    options = ("--mount", f"/repo={tree}", "--config", str(config), "--patch", str(tmp_path / "p"))
    if request.param == "wheel":
        return treeglass_server(*options), tree
    command = install_package(tmp_path, has_libraries=True) / "command.js"
    return [find_program("node"), *OVER_LINKS, str(command), "mcp", *options], tree


def test_eight_hostile_arguments_at_once_are_answered_and_a_ninth_call_is_too(
    server: tuple[list[str], Path],
) -> None:
    assert_answered(server, [("", calls) for calls in without_ignore_files()])


def test_eight_searches_at_once_of_a_hostile_ignore_file_are_answered_and_a_ninth_call_is_too(
    server: tuple[list[str], Path],
) -> None:
    assert_answered(server, [*with_ignore_files().items()])


def assert_answered(
    server: tuple[list[str], Path], rounds: list[tuple[str, list[HostileCall]]]
) -> None:
    """Make the calls of each round at once, each over an ignore file, and one after them."""
    command, tree = server
    found: list[Any] = []
    ninths = []
    with started(command) as running:
        running.send(*OPENING)
        opened = running.answer()
        for content, calls in rounds:
            (tree / IGNORE_FILE).write_text(content, "utf-8")
            asked = [
                {**call(each.tool, each.arguments), "id": number}
                for number, each in enumerate(calls)
            ]
            running.send(*asked)
            answers = [running.answer() for _ in asked]
            ninths.append(ninth_answer(running))
            found.append(sorted(answer["id"] for answer in answers if "result" in answer))
        ended = running.ended()

    assert opened["result"]["serverInfo"]["name"] == "treeglass"
    assert found == [list(range(len(calls))) for _, calls in rounds]
    assert ninths == [[{"type": "text", "text": "L1: a"}]] * len(rounds)
    assert ended == (0, b"", b"")


def ninth_answer(running: Server) -> list[dict[str, str]]:
    """Return what the ninth call is told, which a busy machine may end at its limit at first."""
    content: list[dict[str, str]] = []
    for _ in range(_TRIES):
        running.send(NINTH)
        content = running.answer()["result"]["content"]
        if "timed out" not in content[0]["text"]:
            break
    return content
