"""The part of the report on searching: beside just-bash in one page, beside ripgrep on a disk."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.figures import load, machine, spread, spread_mib, spread_ratios, table, told_runs
from bench.fresh_page import browser_version, open_fresh_page
from bench.peers.sessions import (
    BLANK_PAGE,
    JUST_BASH,
    MAX_OUTPUT_BYTES,
    PAGE,
    TREEGLASS,
    bundle_just_bash,
    in_page,
    start_candidates,
)
from bench.peers.tasks import write_tree
from bench.searching.tasks import HOSTILE_TREE, SEARCHES, SMALL_TREE, sources_tree
from tests.support.browser_memory import look_at_browsers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Playwright

    from bench.peers.tasks import PeerTree
    from bench.searching.tasks import Search

_ROOT = Path(__file__).parent.parent.parent
_ROUNDS = 2
_NATIVE_ROUNDS = 3

_METHOD = (
    f"{TREEGLASS} and {JUST_BASH} are in one page over like trees, and take turns; each time is "
    "from the page and back to it.\n"
    "`first` is the first call of a search, which may fetch and import code; the other times are "
    "medians of the calls after it.\n"
    f"Commands are those of {JUST_BASH}, and the ratio is to the faster one.\n"
    "The answers of a search were found to name the same files, unless the table tells it."
)

Turn = dict[str, Any]
"""What the page says of one search: times, the first ones, and answers, by candidate."""


def measure_searching(playwright: Playwright, folder: Path, run_count: int) -> str:
    """Return Markdown: searches of treeglass beside just-bash and beside ripgrep.

    Args:
        playwright: The driver.
        folder: Empty, for trees and copies of what is measured.
        run_count: At least 1.
    """
    loads = load()
    sources = sources_tree()
    trees = (sources, SMALL_TREE, HOSTILE_TREE)
    site = folder / "site"
    shutil.copytree(_ROOT / "dist" / "npm", site / "npm")
    shutil.copyfile(PAGE / "calls.mjs", site / "calls.mjs")
    bundle_just_bash(site / "just_bash.js")
    runs: list[list[Turn]] = []
    about = ""
    for number in range(1, run_count + 1):
        started = time.monotonic()
        with open_fresh_page(playwright, site, BLANK_PAGE) as page:
            start_candidates(page, [TREEGLASS, JUST_BASH], trees)
            runs.append([_take_turns(page, search) for search in SEARCHES])
            about = browser_version(page)
        print(f"run {number}: searching, {time.monotonic() - started:.0f} s", file=sys.stderr)
    with open_fresh_page(playwright, site, BLANK_PAGE) as page:
        start_candidates(page, [TREEGLASS], [sources])
        _take_turns(page, SEARCHES[0])
        peak = look_at_browsers().renderer_peak_bytes
    size_bytes = sum(len(text.encode()) for text in sources.entries.values())
    about_sources = (
        f"The sources are {len(sources.entries):,} files of Python's library, "
        f"{size_bytes / 1e6:.1f} MB."
    )
    return "\n".join(
        [
            f"{about}; {machine([*loads, *load()])}",
            told_runs(run_count),
            about_sources,
            _METHOD,
            "",
            *_rows(runs),
            "",
            f"Peak memory of {TREEGLASS}, with the sources searched once: {spread_mib([peak])}.",
            *_beside_ripgrep(folder, sources),
        ]
    )


def _take_turns(page: Any, search: Search) -> Turn:
    given = {
        "tool": search.tool,
        "args": search.arguments,
        "maxOutputBytes": MAX_OUTPUT_BYTES,
        "commands": search.commands,
        "rounds": _ROUNDS,
    }
    said: Turn = in_page(page, "alternate(given)", given)
    print(f"  {search.label}: {said['takenMs']}", file=sys.stderr)
    return said


def _rows(runs: Sequence[Sequence[Turn]]) -> list[str]:
    rows = []
    for index, search in enumerate(SEARCHES):
        turns = [run[index] for run in runs]
        ours = [_median(turn, TREEGLASS) for turn in turns]
        first = [turn["firstMs"][TREEGLASS] for turn in turns]
        faster = [
            min((_median(turn, name) for name in search.commands), default=0) for turn in turns
        ]
        commands = "; ".join(
            f"`{name}` {spread([_median(turn, name) for turn in turns], 'ms')}"
            for name in search.commands
        )
        rows.append(
            [
                search.label,
                spread_ratios(ours, faster) if search.commands else "",
                spread(ours, "ms"),
                spread(first, "ms"),
                commands,
                _files(search, turns[-1]),
            ]
        )
    head = ["Search", "Ratio", "treeglass", "first", JUST_BASH, "Files"]
    return table(head, rows)


def _median(turn: Turn, name: str) -> float:
    taken: list[float] = turn["takenMs"][name]
    return statistics.median(taken)


def _files(search: Search, turn: Turn) -> str:
    """Return how many files were found, and where candidates differ."""
    if not search.mark:
        content: str = turn["answers"][TREEGLASS]["content"]
        return content
    found = {
        name: set(re.findall(search.mark, answer["content"]))
        for name, answer in turn["answers"].items()
    }
    ours = found.pop(TREEGLASS)
    others = [f"{name} {len(files):,}" for name, files in found.items() if files != ours]
    return "; ".join([f"{len(ours):,}", *others])


def _beside_ripgrep(folder: Path, sources: PeerTree) -> list[str]:
    """Return a table of the same searches on CPython and by this machine's `rg`, if it has one."""
    program = shutil.which("rg")
    if program is None:
        return []
    write_tree(sources, folder)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    rows = []
    for search in SEARCHES:
        path = search.arguments.get("path")
        if search.tool != "grep_files" or path != "/sources":
            continue
        pattern = search.arguments["pattern"]
        ours = _timed_by_cpython(folder, search)
        theirs = _timed([program, "-l", pattern, str(folder / "sources")])
        rows.append(
            [search.label, spread_ratios(ours, theirs), spread(ours, "ms"), spread(theirs, "ms")]
        )
    return [
        "",
        f"### On CPython, beside {version.stdout.splitlines()[0]}",
        "",
        "ripgrep's times include the start of its process, and it searches on every core.",
        "",
        *table(["Search", "Ratio", "treeglass", "`rg -l`"], rows),
    ]


def _timed_by_cpython(folder: Path, search: Search) -> list[float]:
    task = {
        "first_mounts": {"/sources": str(folder / "sources")},
        "first_call": ["list_dir", {"dir_path": "/sources", "limit": 1}],
        "mounts": {"/sources": str(folder / "sources")},
        "works": [
            {
                "label": search.label,
                "tool": search.tool,
                "arguments": search.arguments,
                "repeats": _NATIVE_ROUNDS,
            }
        ],
    }
    done = subprocess.run(
        [sys.executable, _ROOT / "bench" / "cpython_session.py"],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=True,
    )
    taken: list[float] = json.loads(done.stdout)["works"][0]["taken_ms"]
    return taken


def _timed(command: list[str]) -> list[float]:
    taken = []
    for _ in range(_NATIVE_ROUNDS):
        before = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        taken.append((time.perf_counter() - before) * 1000)
    return taken
