"""Measure the built package: starts, calls, searches, mounts, changes and hosts, beside its peers.

Needs `dist/`, `web/node_modules/` and `bench/node_modules/`; `python build.py bench`
makes all three first.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from bench.changes.measure import CHANGES
from bench.demos.measure import DEMOS
from bench.facts import Facts, read_facts, write_facts
from bench.hosts.measure import HOSTS, missing_hosts
from bench.mounting.measure import MOUNTING
from bench.mounting.trees import SIZES
from bench.peers.measure import PEERS
from bench.plots import install_plotting
from bench.report import render_results, write_results
from bench.runner import Bench, load
from bench.searching.measure import SEARCHING
from bench.starts.measure import CHOICES, STARTS
from bench.starts.report import plot_starts
from bench.uploads.measure import UPLOADS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.runner import Part

_PARTS: dict[str, Part] = {
    "starts": STARTS,
    "peers": PEERS,
    "searching": SEARCHING,
    "mounting": MOUNTING,
    "uploads": UPLOADS,
    "changes": CHANGES,
    "hosts": HOSTS,
    "demos": DEMOS,
}
"""Every part, in the order of the report."""

_HEADINGS = {name: part.heading for name, part in _PARTS.items()}
_QUICK_RUN_COUNT = 2


def main() -> int:
    """Measure, print the report, and return an exit code."""
    options = _options()
    names = [options.part] if options.part else list(_PARTS)
    if "starts" in names and (options.write or options.render):
        install_plotting()
    if options.render:
        _write({name: facts for name in names if (facts := read_facts(name))})
        return 0
    if options.write and "hosts" in names and (absent := _absent_hosts()):
        print(f"--write needs every host, and one is missing: {absent[0]}.", file=sys.stderr)
        return 1
    measured = {name: _measure(name, options) for name in names}
    print(render_results(_rendered(measured), _HEADINGS))
    if options.write:
        for name, facts in measured.items():
            write_facts(name, facts)
        _write(measured)
    return 0


def _rendered(measured: Mapping[str, Facts]) -> dict[str, str]:
    return {name: _PARTS[name].render(facts) for name, facts in measured.items()}


def _write(measured: Mapping[str, Facts]) -> None:
    """Replace the sections of these parts, and the plot that one has."""
    if "starts" in measured:
        plot_starts(measured["starts"])
    write_results(_rendered(measured), _HEADINGS)


def _absent_hosts() -> list[str]:
    with sync_playwright() as playwright:
        return missing_hosts(playwright)


def _measure(name: str, options: argparse.Namespace) -> Facts:
    part = _PARTS[name]
    run_count = options.runs or part.run_count
    loads = load()
    with (
        tempfile.TemporaryDirectory(prefix="treeglass-bench-") as folder,
        sync_playwright() as playwright,
    ):
        about: list[str] = []
        rounds = part.measure(Bench(playwright, Path(folder), run_count, options, about))
    command = f"python build.py bench --part {name} --runs {run_count}{_choices(name, options)}"
    versions = list(dict.fromkeys(about))
    return Facts(command, versions, os.cpu_count() or 1, [*loads, *load()], rounds)


def _choices(name: str, options: argparse.Namespace) -> str:
    """Return the options that chose among what a part measures, as they were typed."""
    sizes: dict[str, Sequence[object]] = {"sizes": SIZES}
    every = {"starts": CHOICES, "mounting": sizes}.get(name, {})
    return "".join(
        f" --{option} {' '.join(map(str, chosen))}"
        for option, values in every.items()
        if tuple(chosen := getattr(options, option)) != tuple(values)
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py bench", description="Measure what was built.")
    parser.add_argument("--part", choices=list(_PARTS), help="one part only (default: all)")
    counts = ", ".join(f"{part.run_count} of {name}" for name, part in _PARTS.items())
    parser.add_argument("--runs", type=int, help=f"runs of each part (default: {counts})")
    parser.add_argument(
        "--quick", action="store_const", const=_QUICK_RUN_COUNT, dest="runs", help="two runs"
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=SIZES,
        metavar="FILES",
        help=f"how many files the mounted trees have (default: {' '.join(map(str, SIZES))})",
    )
    for name, every in CHOICES.items():
        parser.add_argument(
            f"--{name}",
            nargs="+",
            choices=every,
            default=every,
            help=f"of the starts, these {name} only (default: all)",
        )
    wholes = parser.add_mutually_exclusive_group()
    wholes.add_argument(
        "--write", action="store_true", help="also write bench/raw/ and bench/RESULTS.md"
    )
    wholes.add_argument(
        "--render", action="store_true", help="write bench/RESULTS.md from bench/raw/ only"
    )
    options = parser.parse_args()
    if options.runs is not None and options.runs < 1:
        parser.error("--runs is at least 1")
    if min(options.sizes) < 1:
        parser.error("--sizes are at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
