"""The part of the report on calls: the package beside a bare Pyodide, CPython and peers."""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from bench.figures import load
from bench.peers.measure import measure_peers
from bench.report import Run, render
from bench.sessions import Session, Stand
from bench.work import PAGE, WORKS, write_trees

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Playwright


def measure_calls(playwright: Playwright, folder: Path, run_count: int) -> str:
    """Return the section's body.

    Args:
        playwright: The driver.
        folder: Empty, for trees and copies of what is measured.
        run_count: At least 1.
    """
    loads = load()
    _say("writing the trees of the calls")
    (folder / "trees").mkdir()
    stand = Stand(folder, write_trees(folder / "trees"))
    runs = [_run(stand, playwright, number) for number in range(1, run_count + 1)]
    own = render(runs, loads=[*loads, *load()])
    (folder / "peers").mkdir()
    return f"{own}\n\n{measure_peers(playwright, folder / 'peers', run_count)}"


def _run(stand: Stand, playwright: Playwright, number: int) -> Run:
    sessions = {
        "bare": lambda: stand.bare_pyodide(playwright),
        "cold": lambda: stand.cold_start(playwright),
        "browser": lambda: stand.browser_session(playwright),
        "cpython": stand.cpython_session,
    }
    order = list(sessions)
    random.Random(number).shuffle(order)  # noqa: S311  # the same orders each time
    done: dict[str, Session] = {}
    for name in order:
        started = time.monotonic()
        done[name] = sessions[name]()
        _say(f"run {number}: {name}, {time.monotonic() - started:.1f} s")
    run = Run(**done)
    _require_same_answers(run)
    return run


def _require_same_answers(run: Run) -> None:
    """Fail if the two sides gave different answers, since their times cannot be compared."""
    for index, work in enumerate(WORKS):
        answers = [session.works[index]["answer"] for session in (run.browser, run.cpython)]
        # An envelope tells how long the call took, so its text stands for it.
        texts = [
            answer["structured"]["text"] if work is PAGE else answer["content"]
            for answer in answers
        ]
        starts = " and ".join(repr(text[:200]) for text in texts)
        assert texts[0] == texts[1], f"{work.label}: different answers, {starts}"


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
