"""Measure the built package: its starts, calls, searches, mounting and hosts, beside its peers.

Needs `dist/`, `web/node_modules/` and `bench/node_modules/`; `python build.py bench`
makes all three first.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

# For a script, Python looks for modules in its own folder only.
_ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402  # after the path

from bench.calls import measure_calls  # noqa: E402  # after the path
from bench.hosts.measure import measure_hosts, missing_hosts  # noqa: E402  # after the path
from bench.mounting.measure import measure_mounting  # noqa: E402  # after the path
from bench.mounting.trees import SIZES  # noqa: E402  # after the path
from bench.plots import install_plotting  # noqa: E402  # after the path
from bench.results import HEADINGS, PLOTS, render_results, write_results  # noqa: E402  # after the path
from bench.searching.measure import measure_searching  # noqa: E402  # after the path
from bench.starts.links import LINK_NAMES  # noqa: E402  # after the path
from bench.starts.measure import BROWSERS, Choice, measure_starts  # noqa: E402  # after the path
from bench.starts.visits import CANDIDATES  # noqa: E402  # after the path

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

_RUN_COUNTS = {"starts": 8, "calls": 5, "searching": 3, "mounting": 3, "hosts": 5}
_QUICK_RUN_COUNT = 2
_STARTS = {"browsers": BROWSERS, "links": LINK_NAMES, "candidates": CANDIDATES}
_NEEDED = ("dist/npm/index.js", "web/node_modules", "bench/node_modules")


def main() -> int:
    """Measure, print the report, and return an exit code."""
    options = _options()
    missing = [name for name in _NEEDED if not (_ROOT / name).exists()]
    if missing:
        print(f"{missing[0]} is missing; run `python build.py bench`.", file=sys.stderr)
        return 1
    parts = [options.part] if options.part else list(HEADINGS)
    if options.write and "hosts" in parts and (absent := _absent_hosts()):
        print(f"--write needs every host, and one is missing: {absent[0]}.", file=sys.stderr)
        return 1
    if "starts" in parts:
        install_plotting()
    bodies = {}
    for part in parts:
        run_count = options.runs or _RUN_COUNTS[part]
        with (
            tempfile.TemporaryDirectory(prefix="treeglass-bench-") as folder,
            sync_playwright() as playwright,
        ):
            body = _measure(part, playwright, Path(folder), run_count, options)
        bodies[part] = f"Made by `{_command(part, run_count, options)}`.\n\n{body}"
    print(render_results(bodies))
    if options.write:
        write_results(bodies)
    return 0


def _absent_hosts() -> list[str]:
    with sync_playwright() as playwright:
        return missing_hosts(playwright)


def _measure(
    part: str, playwright: Playwright, folder: Path, run_count: int, options: argparse.Namespace
) -> str:
    if part == "starts":
        # Drawn beside the report only where the report is written too.
        plots = PLOTS if options.write else folder / "plots"
        return measure_starts(playwright, folder, run_count, _choice(options), plots)
    if part == "calls":
        return measure_calls(playwright, folder, run_count)
    if part == "searching":
        return measure_searching(playwright, folder, run_count)
    if part == "hosts":
        return measure_hosts(playwright, folder, run_count)
    return measure_mounting(playwright, folder, run_count, options.sizes)


def _choice(options: argparse.Namespace) -> Choice:
    return Choice(tuple(options.browsers), tuple(options.links), tuple(options.candidates))


def _command(part: str, run_count: int, options: argparse.Namespace) -> str:
    command = f"python build.py bench --part {part} --runs {run_count}"
    if part == "starts":
        return f"{command}{_choice(options).options()}"
    if part in ("calls", "searching", "hosts") or tuple(options.sizes) == SIZES:
        return command
    return f"{command} --sizes {' '.join(map(str, options.sizes))}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py bench", description="Measure what was built.")
    parser.add_argument("--part", choices=list(HEADINGS), help="one part only (default: all)")
    counts = ", ".join(f"{count} of {part}" for part, count in _RUN_COUNTS.items())
    parser.add_argument("--runs", type=int, help=f"runs of each part (default: {counts})")
    parser.add_argument(
        "--quick", action="store_const", const=_QUICK_RUN_COUNT, dest="runs", help="two runs"
    )
    shown_sizes = " ".join(map(str, SIZES))
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=SIZES,
        metavar="FILES",
        help=f"how many files the mounted trees have (default: {shown_sizes})",
    )
    for name, every in _STARTS.items():
        parser.add_argument(
            f"--{name}",
            nargs="+",
            choices=every,
            default=every,
            help=f"of the starts, these {name} only (default: all)",
        )
    parser.add_argument(
        "--write", action="store_true", help="also write these parts to bench/RESULTS.md"
    )
    options = parser.parse_args()
    if options.runs is not None and options.runs < 1:
        parser.error("--runs is at least 1")
    if min(options.sizes) < 1:
        parser.error("--sizes are at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
