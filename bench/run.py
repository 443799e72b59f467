"""Measure the built package: its calls and its mounting, each beside what does the same.

Needs `dist/`, `web/node_modules/` and `bench/node_modules/`; `uv run build.py bench`
makes all three first.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

# Run as a script, Python would look for our own modules beside it only.
_ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402  # after the path

from bench.calls import measure_calls  # noqa: E402  # after the path
from bench.mounting.measure import measure_mounting  # noqa: E402  # after the path
from bench.mounting.trees import SIZES  # noqa: E402  # after the path
from bench.results import HEADINGS, render_results, write_results  # noqa: E402  # after the path

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUN_COUNTS = {"calls": 5, "mounting": 3}
_QUICK_RUN_COUNT = 2
_NEEDED = ("dist/npm/index.js", "web/node_modules", "bench/node_modules")


def main() -> int:
    """Measure, print the report, and return an exit code."""
    options = _options()
    missing = [name for name in _NEEDED if not (_ROOT / name).exists()]
    if missing:
        print(f"{missing[0]} is missing; run `uv run build.py bench`.", file=sys.stderr)
        return 1
    bodies = {}
    for part in [options.part] if options.part else HEADINGS:
        run_count = options.runs or _RUN_COUNTS[part]
        with (
            tempfile.TemporaryDirectory(prefix="treeglass-bench-") as folder,
            sync_playwright() as playwright,
        ):
            if part == "calls":
                body = measure_calls(playwright, Path(folder), run_count)
            else:
                body = measure_mounting(playwright, Path(folder), run_count, options.sizes)
        bodies[part] = f"Made by `{_command(part, run_count, options.sizes)}`.\n\n{body}"
    print(render_results(bodies))
    if options.write:
        write_results(bodies)
    return 0


def _command(part: str, run_count: int, sizes: Sequence[int]) -> str:
    command = f"uv run build.py bench --part {part} --runs {run_count}"
    if part == "calls" or tuple(sizes) == SIZES:
        return command
    return f"{command} --sizes {' '.join(map(str, sizes))}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py bench", description="Measure what was built.")
    parser.add_argument("--part", choices=list(HEADINGS), help="one part only (default: both)")
    counts = " and ".join(f"{count} of {part}" for part, count in _RUN_COUNTS.items())
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
