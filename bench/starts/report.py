"""Render the starts as a section of Markdown: targets first, then times, bytes and memory."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from bench.plots import plot_bars
from bench.report import cell, figure, ratio, render_part, section, spread, table
from bench.starts.server import LINK_LABELS
from bench.starts.visits import CANDIDATES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.facts import Facts

_METHOD = """\
Every start is a new browser process; a first visit has a new profile, and a second visit the \
profile that the first left.
The browser is left alone for two seconds once it is open: Chromium then loads pages of its own, \
which would take part of the machine from the shortest starts.
Candidates of one browser and link run one after the other in an order that changes from run to \
run; a ratio is of two starts of the same run.
The time is from before `connect()` or `new Worker()` to the first answer: `list_dir` over 20 \
small files, which were mounted in that time; the page has imported its own module before.
`image` is the package as it is.
`bare` is `loadPyodide()` of the npm package `pyodide` in a module worker, and nothing more.
`just-bash` is `new Bash({ files })` and `ls` on the page's main thread; the time has the import \
of its module in it.
One server sends everything; a link's rate is shared by all connections, and each response waits \
for its latency.
On loopback it sends files as they are, as servers on loopback do; over the other links with \
Brotli at its best wherever that is smaller and the browser accepts it.
What is named by its content, the stock Pyodide and just-bash are served as immutable; all else \
is asked for again."""

_BYTES = "Bodies as they were sent; the page itself is left out."
_PHASES = (
    "Medians, as `client.start` reports them: how long, and how long after `connect()` it began."
)
_RESPAWN = """\
A walk of 200,000 entries is stopped after 1 ms, on a page that is not cross-origin isolated: \
the worker is replaced and both trees are mounted again.
The time is from when the walk's time was over to the answer of the call behind it, which is the \
first call again."""
_MEMORY = "Right after the first answer."


_PLOT = "plots/starts.svg"


def case_of(browser: str, link: str, visit: str) -> str:
    """Return the name of a visit, "first" or "second", in the report."""
    return f"{browser.capitalize()}, {LINK_LABELS[link]}, {visit} visit"


_FIRST = case_of("chromium", "loopback", "first")
_SECOND = case_of("chromium", "loopback", "second")
_SENT = case_of("chromium", "100mbit", "first")

_TARGETS = (
    (_FIRST, 0.18),
    (_SENT, 0.20),
    (case_of("chromium", "20mbit", "first"), 0.60),
    (_SECOND, 0.20),
    (case_of("chromium", "100mbit", "second"), 0.20),
    (case_of("firefox", "loopback", "first"), 0.25),
)
"""A case, and the most that `image` may take of the time of `bare`."""


def render(facts: Facts) -> str:
    """Return the section's body."""
    return render_part(
        facts,
        _METHOD,
        section("Targets", "", table(["`image`", "Target", "Ratio", ""], _target_rows(facts))),
        [f"![Time to the first answer, by link and candidate]({_PLOT})", ""],
        section("Time to the first answer", "", _time_table(facts)),
        section("The same as ratios to `bare`", "", _ratio_table(facts)),
        section(f"What is fetched: {_SENT}", _BYTES, _bytes_table(facts)),
        section("Where the time of a start from the image goes", _PHASES, _phase_table(facts)),
        section("After a call that overran", _RESPAWN, _respawn_table(facts)),
        section(f"Memory: {_FIRST}", _MEMORY, _memory_table(facts)),
    )


def plot_starts(facts: Facts) -> None:
    """Draw the times to the first answer, beside the report."""
    groups = {
        case.replace(", ", "\n", 1): {
            name: facts.values(case, name, "taken_ms") for name in facts.candidates(case)
        }
        for case in facts.cases()
    }
    plot = Path(__file__).parent.parent / _PLOT
    plot_bars(plot, groups, title="Time to the first answer (less is better)", unit="ms")


def _target_rows(facts: Facts) -> list[list[str]]:
    """Return the target, the figure reached, and whether it is in range, of what was measured."""
    return [
        [
            what,
            f"at most {at_most:.2f}",
            spread(ratios, "x"),
            "reached" if statistics.median(ratios) <= at_most else "not reached",
        ]
        for what, at_most, ratios in _compared(facts)
        if ratios
    ]


def _compared(facts: Facts) -> Iterator[tuple[str, float, list[float]]]:
    for case, at_most in _TARGETS:
        ours, theirs = ((case, by, "taken_ms") for by in ("image", "bare"))
        yield f"{case}, of bare's", at_most, facts.ratios(ours, theirs)
    second = facts.ratios((_SECOND, "image", "taken_ms"), (_FIRST, "bare", "taken_ms"))
    yield f"{_SECOND}, of bare's first", 0.20, second
    sent = facts.ratios((_SENT, "image", "sent_bytes"), (_SENT, "bare", "sent_bytes"))
    yield "bytes for the first answer, of bare's", 0.70, sent
    whole = facts.ratios((_FIRST, "image", "whole_ms"), (_FIRST, "just-bash", "whole_ms"))
    yield f"{_FIRST}, of just-bash's, both with the import of their module", 3.0, whole


def _measured(facts: Facts) -> list[str]:
    found = {name for case in facts.cases() for name in facts.candidates(case)}
    return [name for name in CANDIDATES if name in found]


def _time_table(facts: Facts) -> list[str]:
    names = _measured(facts)
    rows = [
        [case, *(cell(facts, case, name, "taken_ms") for name in names)] for case in facts.cases()
    ]
    return table(["", *names], rows)


def _ratio_table(facts: Facts) -> list[str]:
    names = [name for name in _measured(facts) if name != "bare"]

    def cells(case: str) -> list[str]:
        bare = (case, "bare", "taken_ms")
        return [ratio(facts, (case, name, "taken_ms"), bare) for name in names]

    return table(["", *names], [[case, *cells(case)] for case in facts.cases()])


def _bytes_table(facts: Facts) -> list[str]:
    def count(name: str, what: str) -> str:
        found = facts.values(_SENT, name, what)
        return f"{statistics.median(found):,.0f}" if found else ""

    bare = (_SENT, "bare", "sent_bytes")
    rows = [
        [
            name,
            count(name, "responses"),
            count(name, "sent_bytes"),
            ratio(facts, (_SENT, name, "sent_bytes"), bare),
            count(name, "later_bytes"),
        ]
        for name in _measured(facts)
    ]
    return table(["", "Responses", "Bytes", "of bare's", "Bytes after the answer"], rows)


def _phase_table(facts: Facts) -> list[str]:
    """Return a row for each phase in the order of their beginnings, and a column for each case."""
    cases = [case for case in facts.cases() if _phases(facts, case)]
    names = list(dict.fromkeys(name for case in cases for name in _phases(facts, case)))
    rows = [
        [f"`{name}`", *(_phases(facts, case).get(name, "") for case in cases)] for name in names
    ]
    return table(["Phase", *cases], rows)


def _phases(facts: Facts, case: str) -> dict[str, str]:
    figures = facts.rounds[0].get(case, {}).get("image", {})
    names = [key.removesuffix("_started_ms") for key in figures if key.endswith("_started_ms")]

    def median(name: str, what: str) -> float:
        return statistics.median(facts.values(case, "image", f"{name}_{what}_ms"))

    return {
        name: f"{figure(median(name, 'elapsed'))} ms, at {figure(median(name, 'started'))}"
        for name in sorted(names, key=lambda name: median(name, "started"))
    }


def _respawn_table(facts: Facts) -> list[str]:
    rows = [
        [
            case,
            cell(facts, case, "image", "respawn_ms"),
            ratio(facts, (case, "image", "respawn_ms"), (case, "bare", "taken_ms")),
        ]
        for case in facts.cases()
    ]
    return table(["", "Next answer", "of `bare`"], rows)


def _memory_table(facts: Facts) -> list[str]:
    rows = [
        [name, *(cell(facts, _FIRST, name, what) for what in ("peak_bytes", "share_bytes"))]
        for name in _measured(facts)
    ]
    return table(["", "Renderer, peak resident", "Whole browser, PSS"], rows)
