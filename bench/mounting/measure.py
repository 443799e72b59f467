"""The part of the report on mounting: treeglass, just-bash and memfs load the same trees."""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from bench.figures import load
from bench.mounting.candidates import CANDIDATES
from bench.mounting.report import MountRun, render
from bench.mounting.sessions import MountStand, NotLoaded
from bench.mounting.trees import SOURCES, write_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Playwright

    from bench.mounting.report import Cells
    from bench.mounting.trees import MountTree


def measure_mounting(
    playwright: Playwright, folder: Path, run_count: int, sizes: Sequence[int]
) -> str:
    """Return the section's body.

    Args:
        playwright: The driver.
        folder: Empty, for trees and copies of what is measured.
        run_count: At least 1.
        sizes: How many files each tree has.
    """
    loads = load()
    trees = []
    for size in sizes:
        _say(f"writing the tree of {size:,} files")
        (folder / str(size)).mkdir()
        trees.append(write_tree(folder / str(size), size))
    (folder / "site").mkdir()
    stand = MountStand(folder / "site")
    runs = [_run(stand, playwright, trees, number) for number in range(1, run_count + 1)]
    return render(runs, browser=stand.browser, sizes=sizes, loads=[*loads, *load()])


def _run(
    stand: MountStand, playwright: Playwright, trees: Sequence[MountTree], number: int
) -> MountRun:
    shuffled = random.Random(number).sample  # noqa: S311  # the same orders each time
    cells: Cells = {}
    rows = [(source, tree) for tree in trees for source in SOURCES]
    for source, tree in shuffled(rows, len(rows)):
        # Times that are compared are measured one right after the other.
        for candidate in shuffled(CANDIDATES, len(CANDIDATES)):
            started = time.monotonic()
            done = stand.load(playwright, candidate, source, tree)
            cells[source.label, tree.file_count, candidate.name] = done
            shown = f"not loaded: {done.reason}" if isinstance(done, NotLoaded) else "loaded"
            what = f"{candidate.name}, {tree.file_count:,} files from {source.label}"
            _say(f"run {number}: {what}, {shown}, {time.monotonic() - started:.1f} s")
    return MountRun(cells, stand.list_directory_handle(playwright))


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
