"""The part of the report on calls that peers can make too: in the same page, and over stdio."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from bench.figures import load
from bench.peers.report import PeerRun, Weight, render
from bench.peers.sessions import JUST_BASH, MCP, TREEGLASS, Measured, PeerStand
from bench.peers.tasks import COMPARED_SIZE, FIXED_TASKS, GROWING_TASKS, SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Playwright

    from bench.peers.tasks import Task


def measure_peers(
    playwright: Playwright, folder: Path, run_count: int, sizes: Sequence[int] = SIZES
) -> str:
    """Return Markdown: treeglass beside just-bash and beside the MCP reference server.

    Args:
        playwright: The driver.
        folder: Empty, for trees and copies of what is measured.
        run_count: At least 1.
        sizes: The numbers of files of the growing trees; `COMPARED_SIZE` is among them.
    """
    loads = load()
    _say("writing the trees of the peers")
    stand = PeerStand(folder, sizes)
    runs = [_run(stand, playwright, sizes, number) for number in range(1, run_count + 1)]
    return render(runs, sizes=sizes, loads=[*loads, *load()])


def tasks_of(size: int) -> tuple[Task, ...]:
    """Return the tasks of a tree's page: those on fixed trees beside one size only."""
    return (*FIXED_TASKS, *GROWING_TASKS) if size == COMPARED_SIZE else GROWING_TASKS


def _run(stand: PeerStand, playwright: Playwright, sizes: Sequence[int], number: int) -> PeerRun:
    measured: dict[int, Measured] = {}
    weights: list[Weight] = []
    for size in sizes:
        started = time.monotonic()
        tasks = tasks_of(size)
        page = stand.alternate(playwright, size, tasks)
        server, peak_bytes = stand.ask_mcp_server(size, tasks)
        taken = [
            {**here, **there} for here, there in zip(page.taken_ms, server.taken_ms, strict=True)
        ]
        measured[size] = Measured(taken, page.about, server.failures)
        for name in (TREEGLASS, JUST_BASH):
            looked = stand.weigh(playwright, size, name, GROWING_TASKS[0])
            weights.append(Weight(size, name, looked.renderer_peak_bytes))
        weights.append(Weight(size, MCP, peak_bytes))
        _say(f"run {number}: peers, {size:,} files, {time.monotonic() - started:.1f} s")
    return PeerRun(measured, weights)


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
