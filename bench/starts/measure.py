"""The part of the report on starts: how long until the first answer, and what it costs."""

from __future__ import annotations

import random
import shutil
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from bench.figures import load
from bench.starts.links import LINK_NAMES, LINKS
from bench.starts.plot import plot_starts
from bench.starts.report import render
from bench.starts.rounds import Place, Round
from bench.starts.server import Served, serve
from bench.starts.site import read_site
from bench.starts.visits import CANDIDATES, visit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Playwright

BROWSERS = ("chromium", "firefox")
"""The browsers of the starts; Firefox with loopback, and the first visit only."""

# More links would show nothing new: a second visit fetches almost nothing.
_SECOND_VISITS = {
    ("chromium", "loopback"): CANDIDATES,
    ("chromium", "100mbit"): ("image", "bare"),
}
_OVERRUNS = {("chromium", "loopback", "second", "image"), ("firefox", "loopback", "first", "image")}
"""Each is the last visit of a profile, since a later one would find more in the caches."""
_NOT_IN_FIREFOX = {"just-bash"}


class Choice(NamedTuple):
    """The starts that are measured."""

    browsers: Sequence[str] = BROWSERS
    links: Sequence[str] = LINK_NAMES
    candidates: Sequence[str] = CANDIDATES

    def options(self) -> str:
        """Return the options of the command line that make this choice."""
        every = Choice()
        return "".join(
            f" --{name} {' '.join(chosen)}"
            for name, chosen in self._asdict().items()
            if tuple(chosen) != getattr(every, name)
        )


def measure_starts(
    playwright: Playwright, folder: Path, run_count: int, choice: Choice, plots: Path
) -> str:
    """Return the section's body, and write its plot.

    Args:
        playwright: The driver.
        folder: Empty, for the browsers' profiles.
        run_count: At least 1.
        choice: What is measured.
        plots: The folder for the plot.
    """
    loads = load()
    _say("reading what is served, and compressing what is new of it")
    site = read_site()
    with ExitStack() as servers:
        served = {
            link.name: servers.enter_context(serve(site, link))
            for link in LINKS
            if link.name in choice.links
        }
        rounds = [
            _round(playwright, folder, served, choice, number) for number in range(1, run_count + 1)
        ]
    plot_starts(rounds, plots / "starts.svg")
    return render(rounds, plot="plots/starts.svg", loads=[*loads, *load()])


def _round(
    playwright: Playwright,
    folder: Path,
    served: dict[str, Served],
    choice: Choice,
    number: int,
) -> Round:
    """Measure every start once; starts that are compared run one after the other."""
    shuffled = random.Random(number).sample  # noqa: S311  # the same orders each time
    done: Round = {}
    places = list(_places(choice))
    for browser, link in shuffled(places, len(places)):
        for candidate in shuffled(choice.candidates, len(choice.candidates)):
            if browser == "firefox" and candidate in _NOT_IN_FIREFOX:
                continue
            profile = folder / "profile"
            for visit_name in _visits(browser, link, candidate):
                started_s = time.monotonic()
                measured = visit(
                    playwright,
                    served[link],
                    browser=browser,
                    candidate=candidate,
                    profile=profile,
                    overruns=(browser, link, visit_name, candidate) in _OVERRUNS,
                )
                done[Place(browser, link, visit_name), candidate] = measured
                what = f"{browser}, {link}, {visit_name} visit, {candidate}"
                took_s = time.monotonic() - started_s
                _say(f"run {number}: {what}: {measured.taken_ms:,.0f} ms; {took_s:.1f} s in all")
            shutil.rmtree(profile, ignore_errors=True)
    return done


def _visits(browser: str, link: str, candidate: str) -> Sequence[str]:
    is_second_told = candidate in _SECOND_VISITS.get((browser, link), ())
    return ("first", "second") if is_second_told else ("first",)


def _places(choice: Choice) -> Iterator[tuple[str, str]]:
    for link in choice.links:
        if "chromium" in choice.browsers:
            yield "chromium", link
    if "firefox" in choice.browsers and "loopback" in choice.links:
        yield "firefox", "loopback"


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
