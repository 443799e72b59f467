"""Run the jobs of a part: in rounds, each round in another order."""

from __future__ import annotations

import os
import random
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from bench.page import BLANK_PAGE, browser_version, open_fresh_page

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Page, Playwright

    from bench.facts import Facts, Round


class Bench(NamedTuple):
    """What a part measures with."""

    playwright: Playwright
    folder: Path
    """Empty, for trees, profiles and copies of what is measured."""
    run_count: int
    """At least 1."""
    options: argparse.Namespace
    """The choices of the command line."""
    about: list[str]
    """Takes versions for the head of the report, some of them several times."""

    @contextmanager
    def open_page(
        self, site: Path, content: bytes = BLANK_PAGE, *, name: str = "chromium"
    ) -> Iterator[Page]:
        """Open a page as `open_fresh_page` does, and note the browser's version."""
        with open_fresh_page(self.playwright, site, content, name=name) as page:
            self.about.append(browser_version(page))
            yield page


class Job(NamedTuple):
    """One session or more, each in a process of its own."""

    label: str
    measure: Callable[[], Round]


class Part(NamedTuple):
    """One section of the report."""

    heading: str
    run_count: int
    """How many rounds it has if the command line names no number."""
    measure: Callable[[Bench], list[Round]]
    render: Callable[[Facts], str]


def run_rounds(groups: Sequence[Sequence[Job]], run_count: int) -> list[Round]:
    """Run every job once in each round; return the figures in the order of the jobs.

    The jobs of a group are compared, so they run one after the other; the order of the groups,
    and of the jobs in a group, changes from round to round, and is the same each time.
    """
    rounds = []
    for number in range(1, run_count + 1):
        shuffled = random.Random(number).sample  # noqa: S311  # the same orders each time
        done: dict[Job, Round] = {}
        for group in shuffled(groups, len(groups)):
            for job in shuffled(group, len(group)):
                started_s = time.monotonic()
                done[job] = job.measure()
                say(f"run {number}: {job.label}, {time.monotonic() - started_s:.1f} s")
        rounds.append(_merged([done[job] for group in groups for job in group]))
    return rounds


def _merged(rounds: Sequence[Round]) -> Round:
    merged: Round = {}
    for each in rounds:
        for case, candidates in each.items():
            for by, figures in candidates.items():
                merged.setdefault(case, {}).setdefault(by, {}).update(figures)
    return merged


class Answers:
    """The first answer to each question; candidates with other answers cannot be compared."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, object]] = {}

    def require_same(self, question: str, by: str, answer: object) -> None:
        """Fail if another candidate, or another round, gave another answer."""
        first_by, first = self._first.setdefault(question, (by, answer))
        shown = f"{first_by} gave {first!r:.200}, {by} {answer!r:.200}"
        assert answer == first, f"{question}: {shown}"


def load() -> list[float]:
    """Return the load average of the last minute; empty if this system has none."""
    return [os.getloadavg()[0]] if hasattr(os, "getloadavg") else []


def say(what: str) -> None:
    """Report progress."""
    print(what, file=sys.stderr, flush=True)
