"""The part of the report on hosts: the package wherever it runs, beside a plain Pyodide."""

from __future__ import annotations

import random
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from bench.figures import load
from bench.hosts.candidates import candidates_on
from bench.hosts.report import render
from bench.hosts.sessions import HostStand
from bench.hosts.tasks import WORKS
from tests.support.browser_support import BROWSERS, BrowserNotFound, launch_browser
from tests.support.edge_support import RUNTIMES, RuntimeNotFound, version_of
from tests.support.webkit_support import WebKitNotFound, find_webkit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from playwright.sync_api import Playwright

    from bench.hosts.report import Round
    from bench.hosts.sessions import Session


def missing_hosts(playwright: Playwright) -> list[str]:
    """Return for each missing host the sentence that says what to install."""
    probes: list[Callable[[], object]] = [
        find_webkit,
        *(partial(version_of, name) for name in RUNTIMES),
        *(partial(_open_and_close, playwright, name) for name in BROWSERS),
    ]
    missing = []
    for probe in probes:
        try:
            probe()
        except (BrowserNotFound, RuntimeNotFound, WebKitNotFound) as said:
            missing.append(str(said))
    return missing


def _open_and_close(playwright: Playwright, name: str) -> None:
    launch_browser(playwright, name).close()


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
        done = _round(candidates, number)
        _require_same_answers(done)
        # A missing host is missing in every round.
        rounds.append({name: done[name] for name in candidates if name in done})
    return render(rounds, loads=[*loads, *load()])


def _round(candidates: Mapping[str, Callable[[], Session]], number: int) -> Round:
    order = list(candidates)
    random.Random(number).shuffle(order)  # noqa: S311  # the same orders each time
    done: Round = {}
    for name in order:
        started_s = time.monotonic()
        try:
            done[name] = candidates[name]()
        except (BrowserNotFound, RuntimeNotFound, WebKitNotFound) as missing:
            _say(f"run {number}: {name} is left out: {missing}")
            continue
        _say(f"run {number}: {name}, {time.monotonic() - started_s:.1f} s")
    return done


def _require_same_answers(done: Round) -> None:
    """Fail if hosts gave different answers, since their times cannot be compared."""
    for index, work in enumerate(WORKS):
        answers = {session.works[index]["answer"] for session in done.values()}
        starts = " and ".join(repr(answer[:200]) for answer in answers)
        assert len(answers) == 1, f"{work.label}: different answers, {starts}"


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
