"""Render the runs beside peers as tables: medians and 95th percentiles of calls, then growth."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

from bench.figures import machine, spread, spread_mib, spread_ratios, table, told_runs
from bench.peers.sessions import JUST_BASH, MCP, TREEGLASS
from bench.peers.tasks import COMPARED_SIZE, FIXED_TASKS, GROWING_TASKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.peers.sessions import Measured

_METHOD = (
    f"{TREEGLASS} and {JUST_BASH} are in one page over like trees, and take turns call by "
    f"call, each timed from the page and back to it; {JUST_BASH} runs on the page's own "
    f"thread, {TREEGLASS} in its worker.\n"
    "The MCP reference server is asked by its SDK from Node, over stdio, on a disk.\n"
    "`p50` and `p95` are of a run's calls after the first.\n"
    "In the page both answers were found to hold the same names or lines; the MCP server's answers "
    "were only found to be no errors, and to hold some of these names or lines."
)


class Weight(NamedTuple):
    """The peak memory of a candidate after it listed a tree."""

    size: int
    name: str
    peak_bytes: int | None


class PeerRun(NamedTuple):
    """One round: every session once."""

    measured: Mapping[int, Measured]
    """By how many files the tree has."""
    weights: Sequence[Weight]


def render(runs: Sequence[PeerRun], *, sizes: Sequence[int], loads: Sequence[float]) -> str:
    """Return Markdown with a table for each peer, and two on growth.

    Args:
        runs: At least one.
        sizes: The trees' sizes, as every run has them.
        loads: The machine's load averages before the first run and after the last.
    """
    about = f"{runs[-1].measured[COMPARED_SIZE].about}; {machine(loads)}"
    return "\n".join(
        [
            about,
            told_runs(len(runs)),
            _METHOD,
            "",
            f"### Beside {JUST_BASH} in the same page, {COMPARED_SIZE:,} files",
            "",
            *_against(runs, JUST_BASH),
            "",
            f"### Beside the {MCP} over stdio, {COMPARED_SIZE:,} files",
            "",
            *_against(runs, MCP),
            "",
            "### Growth of a call's p50 with the tree",
            "",
            *_growth(runs, sizes),
            "",
            "### Peak memory, the tree there and listed once",
            "",
            "Of the renderer, with the interpreter; of the MCP server its largest process.",
            "",
            *_weights(runs, sizes),
        ]
    )


def _against(runs: Sequence[PeerRun], peer: str) -> list[str]:
    rows = []
    for index, task in enumerate((*FIXED_TASKS, *GROWING_TASKS)):
        taken = [run.measured[COMPARED_SIZE].taken_ms[index] for run in runs]
        if any(peer not in run for run in taken):
            continue
        ours, theirs = ([run[name] for run in taken] for name in (TREEGLASS, peer))
        rows.append(
            [
                task.label,
                spread_ratios(_medians(ours), _medians(theirs)),
                spread(_medians(ours), "ms"),
                spread(list(map(p95, ours)), "ms"),
                spread(_medians(theirs), "ms"),
                spread(list(map(p95, theirs)), "ms"),
            ]
        )
    head = ["What", "Ratio of p50", "treeglass p50", "treeglass p95", f"{peer} p50", f"{peer} p95"]
    return table(head, rows)


def _growth(runs: Sequence[PeerRun], sizes: Sequence[int]) -> list[str]:
    rows = []
    for task in GROWING_TASKS:
        for name in (TREEGLASS, JUST_BASH, MCP):
            cells = []
            for size in sizes:
                # If there are tasks on fixed trees, they come first.
                place = GROWING_TASKS.index(task) - len(GROWING_TASKS)
                taken = [run.measured[size].taken_ms[place] for run in runs]
                found = [run[name] for run in taken if name in run]
                failure = runs[-1].measured[size].failures.get(task.label) if name == MCP else None
                without = f"no answer: {failure}" if failure else ""
                cells.append(spread(_medians(found), "ms") if found else without)
            if any(cells):
                rows.append([task.label, name, *cells])
    return table(["What", "By", *(f"{size:,} files" for size in sizes)], rows)


def _weights(runs: Sequence[PeerRun], sizes: Sequence[int]) -> list[str]:
    rows = []
    for name in (TREEGLASS, JUST_BASH, MCP):
        cells = [
            spread_mib(
                weight.peak_bytes
                for run in runs
                for weight in run.weights
                if (weight.size, weight.name) == (size, name)
            )
            for size in sizes
        ]
        rows.append([name, *cells])
    return table(["By", *(f"{size:,} files" for size in sizes)], rows)


def _medians(runs: Sequence[Sequence[float]]) -> list[float]:
    return [statistics.median(taken) for taken in runs]


def p95(taken: Sequence[float]) -> float:
    """Return the 95th percentile; of few values the largest."""
    return sorted(taken)[min(len(taken) - 1, int(len(taken) * 0.95))]
