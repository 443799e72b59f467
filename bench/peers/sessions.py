"""The sessions that are compared: treeglass and just-bash in a page, the MCP server over stdio."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.page import in_page, lay_out
from bench.peers.tasks import BIG, SMALL, growing_tree
from bench.trees import write_folder
from build_steps.programs import find_program
from tests.support.hosts.browser_memory import look_at_browsers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.facts import Round
    from bench.peers.tasks import PeerTree, Task
    from bench.runner import Bench

_HERE = Path(__file__).parent
_CALLS = "calls.mjs"

TREEGLASS, JUST_BASH, MCP = "treeglass", "just-bash", "MCP server"
MAX_OUTPUT_BYTES = 100_000_000
"""More than any answer has, so that no answer is cut."""


def place_site(bench: Bench) -> Path:
    """Return a new folder with what a page needs in which candidates take turns."""
    return lay_out(bench.folder / "site", _HERE / _CALLS)


class PeerStand:
    """Copies of everything that the sessions use, with growing trees of these sizes."""

    def __init__(self, bench: Bench, sizes: Sequence[int]) -> None:
        self._bench = bench
        self._site = place_site(bench)
        self._folders = {size: bench.folder / f"disk_{size}" for size in sizes}
        for size, folder in self._folders.items():
            for tree in (SMALL, BIG, growing_tree(size)):
                write_folder(folder / tree.name, tree.entries)

    def alternate(self, size: int, tasks: Sequence[Task]) -> Round:
        """Run tasks in one page, in which treeglass and just-bash take turns."""
        found: Round = {}
        with self._bench.open_page(self._site) as page:
            start_candidates(page, [TREEGLASS, JUST_BASH], [SMALL, BIG, growing_tree(size)])
            for task in tasks:
                said = _turns_of(page, task, task.rounds)
                _require_same_answers(task, said["answers"])
                taken = said["takenMs"]
                found[case_of(task, size)] = {name: {"taken_ms": taken[name]} for name in taken}
        return found

    def ask_mcp_server(self, size: int, tasks: Sequence[Task]) -> Round:
        """Run the tasks that the MCP server has a tool for."""
        like = [task for task in tasks if task.mcp_tool is not None]
        told = [
            {"tool": task.mcp_tool, "args": task.mcp_arguments, "rounds": task.rounds}
            for task in like
        ]
        done = subprocess.run(
            [find_program("node"), _HERE / "mcp_session.mjs"],
            input=json.dumps({"folder": str(self._folders[size].resolve()), "tasks": told}),
            capture_output=True,
            text=True,
            check=True,
        )
        said = json.loads(done.stdout)
        found: Round = {}
        for task, measured in zip(like, said["measured"], strict=True):
            if "failure" not in measured:
                _require_found(task, MCP, measured["answer"])
            value = measured.get("takenMs", f"no answer: {measured.get('failure')}")
            found[case_of(task, size)] = {MCP: {"taken_ms": value}}
        if said["peakBytes"] is not None:
            found[memory_case(size)] = {MCP: {"peak_bytes": said["peakBytes"]}}
        return found

    def weigh(self, size: int, name: str, task: Task) -> Round:
        """Return a browser's memory after one candidate listed a tree."""
        with self._bench.open_page(self._site) as page:
            start_candidates(page, [name], [growing_tree(size)])
            _turns_of(page, task, 0)
            peak = look_at_browsers().renderer_peak_bytes
        return {} if peak is None else {memory_case(size): {name: {"peak_bytes": peak}}}


def case_of(task: Task, size: int) -> str:
    """Return the name of a task on a tree of so many files."""
    return f"{task.label}; {size:,} files"


def memory_case(size: int) -> str:
    """Return the name of the memory with a tree of so many files."""
    return f"peak memory; {size:,} files"


def start_candidates(page: Any, names: Sequence[str], trees: Sequence[PeerTree]) -> None:
    """Start these candidates in a page, each with the same trees."""
    in_page(page, _CALLS, "startCandidates(given)", names)
    for tree in trees:
        given = {"path": f"/{tree.name}", "entries": tree.entries}
        in_page(page, _CALLS, "addTree(given)", given)


def take_turns(
    page: Any, tool: str, arguments: dict[str, Any], commands: dict[str, str], rounds: int
) -> dict[str, dict[str, Any]]:
    """Return what each candidate takes for a call or its commands, and what it answers."""
    given = {
        "tool": tool,
        "args": arguments,
        "maxOutputBytes": MAX_OUTPUT_BYTES,
        "commands": commands,
        "rounds": rounds,
    }
    said: dict[str, dict[str, Any]] = in_page(page, _CALLS, "alternate(given)", given)
    return said


def _turns_of(page: Any, task: Task, rounds: int) -> dict[str, dict[str, Any]]:
    commands = {} if task.command is None else {JUST_BASH: task.command}
    return take_turns(page, task.tool, task.arguments, commands, rounds)


def _require_found(task: Task, name: str, answer: Mapping[str, Any]) -> set[str]:
    found = set(re.findall(task.mark, answer["content"]))
    assert found, f"{task.label}: {name} answered {answer['content'][:200]!r}"
    assert not answer["isError"], f"{task.label}: {name} failed: {answer['content'][:200]!r}"
    return found


def _require_same_answers(task: Task, answers: Mapping[str, Mapping[str, Any]]) -> None:
    """Fail if the candidates gave different answers, since their times cannot be compared."""
    found = {name: _require_found(task, name, answer) for name, answer in answers.items()}
    counts = {name: len(marks) for name, marks in found.items()}
    assert len({frozenset(marks) for marks in found.values()}) == 1, f"{task.label}: {counts}"
