"""The sessions that are compared: treeglass and just-bash in a page, the MCP server over stdio."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.fresh_page import browser_version, open_fresh_page
from bench.peers.tasks import BIG, SMALL, PeerTree, Task, growing_tree, write_tree
from build_steps.programs import find_node_tool, find_program
from tests.support.browser_memory import BrowserMemory, look_at_browsers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import Playwright

_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent
PAGE = _HERE / "page"
"""The scripts of a page in which candidates take turns."""

BLANK_PAGE = b'<!doctype html><title>bench</title><link rel="icon" href="data:,">'

TREEGLASS, JUST_BASH, MCP = "treeglass", "just-bash", "MCP server"
MAX_OUTPUT_BYTES = 100_000_000
"""More than any answer has, so that no answer is cut."""

# Replacements for modules of Node.js that a browser lacks, as bundlers' manuals name them.
_STAND_INS = _ROOT / "bench" / "mounting" / "page"
_ALIASES = {
    "node:buffer": "buffer",
    "node:events": "events",
    "node:path": "path-browserify",
    "node:stream": "readable-stream",
    "stream": "readable-stream",
    "node:url": str(_STAND_INS / "browser_url.mjs"),
    "node:zlib": str(_STAND_INS / "no_zlib.cjs"),
}

Taken = dict[str, list[float]]
"""Candidate to the times of its calls of one task, in milliseconds."""


class Measured(NamedTuple):
    """The measurements of one session."""

    taken_ms: list[Taken]
    """For each task, in their order."""
    about: str
    failures: dict[str, str]
    """By a task's label, the reason why the MCP server gave no answer."""


class PeerStand:
    """Copies of everything that the sessions use, which no build can change.

    Args:
        top: An empty folder.
        sizes: The numbers of files of the growing trees.
    """

    def __init__(self, top: Path, sizes: Sequence[int]) -> None:
        self._site = top / "site"
        self._site.mkdir()
        shutil.copytree(_ROOT / "dist" / "npm", self._site / "npm")
        shutil.copyfile(PAGE / "calls.mjs", self._site / "calls.mjs")
        bundle_just_bash(self._site / "just_bash.js")
        self._folders = {size: top / f"disk_{size}" for size in sizes}
        for size, folder in self._folders.items():
            for tree in (SMALL, BIG, growing_tree(size)):
                write_tree(tree, folder)

    def alternate(self, playwright: Playwright, size: int, tasks: Sequence[Task]) -> Measured:
        """Run tasks in one page, in which treeglass and just-bash take turns."""
        names = [TREEGLASS, JUST_BASH]
        taken = []
        with open_fresh_page(playwright, self._site, BLANK_PAGE) as page:
            start_candidates(page, names, [SMALL, BIG, growing_tree(size)])
            for task in tasks:
                said = in_page(page, "alternate(given)", _told(task))
                _require_same_answers(task, said["answers"])
                taken.append(said["takenMs"])
            return Measured(taken, browser_version(page), {})

    def ask_mcp_server(self, size: int, tasks: Sequence[Task]) -> tuple[Measured, int | None]:
        """Run the tasks that the MCP server has a tool for; also return its peak memory."""
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
        by_label = dict(zip((task.label for task in like), said["measured"], strict=True))
        taken: list[Taken] = []
        failures: dict[str, str] = {}
        for task in tasks:
            measured = by_label.get(task.label)
            if measured is None:
                taken.append({})
            elif "failure" in measured:
                failures[task.label] = measured["failure"]
                taken.append({})
            else:
                _require_found(task, MCP, measured["answer"])
                taken.append({MCP: measured["takenMs"]})
        return Measured(taken, "", failures), said["peakBytes"]

    def weigh(self, playwright: Playwright, size: int, name: str, task: Task) -> BrowserMemory:
        """Return a browser's memory after one candidate listed a tree."""
        with open_fresh_page(playwright, self._site, BLANK_PAGE) as page:
            start_candidates(page, [name], [growing_tree(size)])
            in_page(page, "alternate(given)", {**_told(task), "rounds": 0})
            return look_at_browsers()


def finds(task: Task, content: str) -> set[str]:
    """Return the parts of an answer that must be the same for every candidate."""
    return set(re.findall(task.mark, content))


def start_candidates(page: Any, names: Sequence[str], trees: Sequence[PeerTree]) -> None:
    """Start these candidates in a page, each with the same trees."""
    in_page(page, "startCandidates(given)", names)
    for tree in trees:
        in_page(page, "addTree(given)", {"path": f"/{tree.name}", "entries": tree.entries})


def _told(task: Task) -> dict[str, Any]:
    return {
        "tool": task.tool,
        "args": task.arguments,
        "maxOutputBytes": MAX_OUTPUT_BYTES,
        "commands": {} if task.command is None else {JUST_BASH: task.command},
        "rounds": task.rounds,
    }


def _require_found(task: Task, name: str, answer: Mapping[str, Any]) -> set[str]:
    found = finds(task, answer["content"])
    assert found, f"{task.label}: {name} answered {answer['content'][:200]!r}"
    assert not answer["isError"], f"{task.label}: {name} failed: {answer['content'][:200]!r}"
    return found


def _require_same_answers(task: Task, answers: Mapping[str, Mapping[str, Any]]) -> None:
    """Fail if the candidates gave different answers, since their times cannot be compared."""
    found = {name: _require_found(task, name, answer) for name, answer in answers.items()}
    counts = {name: len(marks) for name, marks in found.items()}
    assert len({frozenset(marks) for marks in found.values()}) == 1, f"{task.label}: {counts}"


def in_page(page: Any, expression: str, given: object) -> Any:
    """Return what an expression of `calls.mjs` gives."""
    module = "(await import('/calls.mjs'))"
    return page.evaluate(f"async (given) => {module}.{expression}", given)


def bundle_just_bash(target: Path) -> None:
    """Write just-bash as one script for a page."""
    subprocess.run(
        [
            find_node_tool("esbuild"),
            "just_bash.mjs",
            "--bundle",
            "--format=esm",
            "--platform=browser",
            "--target=es2022",
            "--minify",
            "--log-level=error",
            *(f"--alias:{name}={stand_in}" for name, stand_in in _ALIASES.items()),
            f"--outfile={target}",
        ],
        cwd=PAGE,
        check=True,
    )
