"""The part of the report on hosts: the package wherever it runs, beside a plain Pyodide."""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from bench.figures import load
from bench.hosts.candidates import candidates_on
from bench.hosts.report import render
from bench.hosts.sessions import HostStand
from bench.hosts.tasks import WORKS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Playwright

    from bench.hosts.report import Round


def measure_hosts(playwright: Playwright, folder: Path, run_count: int) -> str:
    """Return the section's body.

    Args:
        playwright: The driver.
        folder: Empty, for trees and copies of what is measured.
        run_count: At least 1.
    """
    loads = load()
    candidates = candidates_on(HostStand(folder, playwright))
    rounds = []
    for number in range(1, run_count + 1):
        order = list(candidates)
        random.Random(number).shuffle(order)  # noqa: S311  # the same orders each time
        done: Round = {}
        for name in order:
            started_s = time.monotonic()
            done[name] = candidates[name]()
            _say(f"run {number}: {name}, {time.monotonic() - started_s:.1f} s")
        _require_same_answers(done)
        rounds.append({name: done[name] for name in candidates})
    return render(rounds, loads=[*loads, *load()])


def _require_same_answers(done: Round) -> None:
    """Refuse to compare times that different answers took."""
    for index, work in enumerate(WORKS):
        answers = {session.works[index]["answer"] for session in done.values()}
        starts = " and ".join(repr(answer[:200]) for answer in answers)
        assert len(answers) == 1, f"{work.label}: different answers, {starts}"


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
