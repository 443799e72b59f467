"""Measure the built package against a bare Pyodide and against CPython.

Needs `dist/` and `web/node_modules/`; `uv run build.py bench` makes both first.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

# Run as a script, Python would look for our own modules beside it only.
_ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_ROOT))

from playwright.sync_api import Playwright, sync_playwright  # noqa: E402  # after the path

from bench.report import Run, render  # noqa: E402  # after the path
from bench.sessions import Session, Stand  # noqa: E402  # after the path
from bench.work import PAGE, WORKS, write_trees  # noqa: E402  # after the path

_RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> int:
    """Measure, print the report, and return an exit code."""
    options = _options()
    if not (_ROOT / "dist" / "npm" / "index.js").is_file():
        print("dist/npm is not built; run `uv run build.py bench`.", file=sys.stderr)
        return 1
    loads = _load()
    with tempfile.TemporaryDirectory(prefix="treeglass-bench-") as folder:
        _say("writing the trees")
        (Path(folder) / "trees").mkdir()
        stand = Stand(Path(folder), write_trees(Path(folder) / "trees"))
        with sync_playwright() as playwright:
            runs = [_run(stand, playwright, number) for number in range(1, options.runs + 1)]
    report = render(runs, loads=[*loads, *_load()])
    print(report)
    if options.write:
        _RESULTS.write_text(report, encoding="utf-8", newline="\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the built package.")
    parser.add_argument("--runs", type=int, default=5, help="runs (default: %(default)s)")
    parser.add_argument("--quick", action="store_const", const=2, dest="runs", help="two runs")
    parser.add_argument("--write", action="store_true", help="also write bench/RESULTS.md")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs is at least 1")
    return options


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
    """Refuse to compare times that two different answers took."""
    for index, work in enumerate(WORKS):
        answers = [session.works[index]["answer"] for session in (run.browser, run.cpython)]
        # An envelope tells how long the call took, so its text stands for it.
        texts = [
            answer["structured"]["text"] if work is PAGE else answer["content"]
            for answer in answers
        ]
        starts = " and ".join(repr(text[:200]) for text in texts)
        assert texts[0] == texts[1], f"{work.label}: different answers, {starts}"


def _load() -> list[float]:
    return [os.getloadavg()[0]] if hasattr(os, "getloadavg") else []


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
