"""The part of the report on calls that peers can make too: in the same page, and over stdio."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.page import pinned
from bench.peers.sessions import JUST_BASH, MCP, TREEGLASS, PeerStand, case_of, memory_case
from bench.peers.tasks import COMPARED_SIZE, FIXED_TASKS, GROWING_TASKS, SIZES
from bench.report import cell, p95, ratio, render_part, section, spread, table
from bench.runner import Job, Part, run_rounds, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.facts import Facts, Round
    from bench.peers.tasks import Task
    from bench.runner import Bench

_METHOD = (
    f"{TREEGLASS} and {JUST_BASH} are in one page over like trees, and take turns call by "
    f"call, each timed from the page and back to it; {JUST_BASH} runs on the page's own "
    f"thread, {TREEGLASS} in its worker.\n"
    "The MCP reference server is asked by its SDK from Node, over stdio, on a disk.\n"
    "`p50` and `p95` are of a run's calls after the first.\n"
    "In the page both answers were found to hold the same names or lines; the MCP server's answers "
    "were only found to be no errors, and to hold some of these names or lines."
)
_MEMORY = "Of the renderer, with the interpreter; of the MCP server its largest process."


def _measure(bench: Bench) -> list[Round]:
    say("writing the trees of the peers")
    stand = PeerStand(bench, SIZES)
    rounds = run_rounds([list(_jobs(stand, size)) for size in SIZES], bench.run_count)
    bench.about.extend(pinned("just-bash", "@modelcontextprotocol/server-filesystem"))
    return rounds


def _jobs(stand: PeerStand, size: int) -> Iterator[Job]:
    tasks = _tasks_of(size)
    named = f"{size:,} files"
    yield Job(f"the page, {named}", partial(stand.alternate, size, tasks))
    yield Job(f"{MCP}, {named}", partial(stand.ask_mcp_server, size, tasks))
    for name in (TREEGLASS, JUST_BASH):
        listed = partial(stand.weigh, size, name, GROWING_TASKS[0])
        yield Job(f"memory of {name}, {named}", listed)


def _tasks_of(size: int) -> tuple[Task, ...]:
    """Return the tasks of a tree: those on fixed trees beside one size only."""
    return (*FIXED_TASKS, *GROWING_TASKS) if size == COMPARED_SIZE else GROWING_TASKS


def _render(facts: Facts) -> str:
    named = f"{COMPARED_SIZE:,} files"
    return render_part(
        facts,
        _METHOD,
        section(f"Beside {JUST_BASH} in the same page, {named}", "", _against(facts, JUST_BASH)),
        section(f"Beside the {MCP} over stdio, {named}", "", _against(facts, MCP)),
        section("Growth of a call's p50 with the tree", "", _growth(facts)),
        section("Peak memory, the tree there and listed once", _MEMORY, _weights(facts)),
    )


def _against(facts: Facts, peer: str) -> list[str]:
    rows = []
    for task in _tasks_of(COMPARED_SIZE):
        ours, theirs = ((case_of(task, COMPARED_SIZE), by, "taken_ms") for by in (TREEGLASS, peer))
        if not facts.lists(*theirs):
            continue
        percentiles = [
            (cell(facts, *one), spread([p95(taken) for taken in facts.lists(*one)], "ms"))
            for one in (ours, theirs)
        ]
        rows.append([task.label, ratio(facts, ours, theirs), *percentiles[0], *percentiles[1]])
    head = ["What", "Ratio of p50", "treeglass p50", "treeglass p95", f"{peer} p50", f"{peer} p95"]
    return table(head, rows)


def _growth(facts: Facts) -> list[str]:
    rows = [
        [task.label, name, *(cell(facts, case_of(task, size), name, "taken_ms") for size in SIZES)]
        for task in GROWING_TASKS
        for name in facts.candidates(case_of(task, SIZES[0]))
    ]
    return table(["What", "By", *(f"{size:,} files" for size in SIZES)], rows)


def _weights(facts: Facts) -> list[str]:
    rows = [
        [name, *(cell(facts, memory_case(size), name, "peak_bytes") for size in SIZES)]
        for name in (TREEGLASS, JUST_BASH, MCP)
    ]
    return table(["By", *(f"{size:,} files" for size in SIZES)], rows)


PEERS = Part("Peers", 5, _measure, _render)
