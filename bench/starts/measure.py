"""The part of the report on starts: how long until the first answer, and what it costs."""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from bench.page import pinned
from bench.runner import Job, Part, run_rounds, say
from bench.starts.report import case_of, render
from bench.starts.server import LINK_NAMES, LINKS, Served, serve
from bench.starts.site import lay_out_starts
from bench.starts.visits import CANDIDATES, visit
from build_steps.runtime.bytecode import PYODIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.facts import Round
    from bench.runner import Bench

CHOICES: dict[str, Sequence[object]] = {
    "browsers": ("chromium", "firefox"),
    "links": LINK_NAMES,
    "candidates": CANDIDATES,
}
"""By option everything that it can choose; Firefox has loopback, and the first visit only."""

# More links would show nothing new: a second visit fetches almost nothing.
_SECOND_VISITS = {
    ("chromium", "loopback"): CANDIDATES,
    ("chromium", "100mbit"): ("image", "bare"),
}
_OVERRUNS = {("chromium", "loopback", "second", "image"), ("firefox", "loopback", "first", "image")}
"""Each is the last visit of a profile, since a later one would find more in the caches."""
_NOT_IN_FIREFOX = {"just-bash"}


def _measure(bench: Bench) -> list[Round]:
    say("copying what is served, and compressing what is new of it")
    site = bench.folder / "site"
    lay_out_starts(site)
    chosen = bench.options
    with ExitStack() as servers:
        served = {
            link.name: servers.enter_context(serve(site, link))
            for link in LINKS
            if link.name in chosen.links
        }
        groups = [
            [
                Job(
                    f"{browser}, {link}, {candidate}",
                    partial(_visits, bench, served[link], (browser, link, candidate)),
                )
                for candidate in chosen.candidates
                if browser != "firefox" or candidate not in _NOT_IN_FIREFOX
            ]
            for browser, link in _places(chosen.browsers, chosen.links)
        ]
        rounds = run_rounds(groups, bench.run_count)
    bench.about.sort()
    package = json.loads((PYODIDE / "package.json").read_text("utf-8"))
    bench.about.extend([f"Pyodide {package['version']}", *pinned("just-bash")])
    return rounds


def _places(browsers: Sequence[str], links: Sequence[str]) -> Iterator[tuple[str, str]]:
    for link in links:
        if "chromium" in browsers:
            yield "chromium", link
    if "firefox" in browsers and "loopback" in links:
        yield "firefox", "loopback"


def _visits(bench: Bench, served: Served, start: tuple[str, str, str]) -> Round:
    """Measure a first visit with a new profile, and a second one if it is told."""
    browser, link, candidate = start
    profile = bench.folder / "profile"
    found: Round = {}
    is_second_told = candidate in _SECOND_VISITS.get((browser, link), ())
    for visit_name in ("first", "second") if is_second_told else ("first",):
        figures = visit(
            bench,
            served,
            browser=browser,
            candidate=candidate,
            profile=profile,
            overruns=(browser, link, visit_name, candidate) in _OVERRUNS,
        )
        found[case_of(browser, link, visit_name)] = {candidate: figures}
        say(f"  {visit_name} visit: {figures['taken_ms']:,.0f} ms")
    shutil.rmtree(profile, ignore_errors=True)
    return found


STARTS = Part("Starts", 8, _measure, render)
