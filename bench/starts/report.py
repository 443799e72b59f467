"""Render the starts as a section of Markdown: targets first, then times, bytes and memory."""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING

from bench.figures import figure, machine, spread, spread_mib, spread_ratios, table, told_runs
from bench.mounting.candidates import pinned
from bench.starts.links import LINK_LABELS
from bench.starts.rounds import (
    Place,
    Round,
    candidates_of,
    places_of,
    sent_place,
    visits_of,
    whole_times_of,
)
from bench.starts.targets import target_rows
from build_steps.folders import NODE_MODULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.starts.visits import Visit

_METHOD = """\
Every start is a new browser process; a first visit has a new profile, and a second visit the \
profile that the first left.
The browser is left alone for two seconds once it is open: Chromium then loads pages of its own, \
which would take part of the machine from the shortest starts.
Candidates of one browser and link run one after the other in an order that changes from run to \
run; a ratio is of two starts of the same run.
The time is from before `connect()` or `new Worker()` to the first answer: `list_dir` over 20 \
small files, which were mounted in that time; the page has imported its own module before.
`image` is the package as it is; `packages` is the package with no image in its `start.json`.
`bare` is `loadPyodide()` of the npm package `pyodide` in a module worker, and nothing more.
`usual` is that, then micropip, then `micropip.install("treeglass")` from an index on the same \
server, then the files and the call.
`just-bash` is `new Bash({ files })` and `ls` on the page's main thread; the time has the import \
of its module in it.
One server sends everything; a link's rate is shared by all connections, and each response waits \
for its latency.
On loopback it sends files as they are, as servers on loopback do; over the other links with \
Brotli at its best wherever that is smaller and the browser accepts it.
What is named by its content, the stock Pyodide and the wheels are served as immutable; all else \
is asked for again."""

_BYTES = """\
Of a first visit in Chromium, bodies as they were sent over {link}; the page itself is left out."""
_PHASES = (
    "Medians, as `client.start` reports them: how long, and how long after `connect()` it began."
)
_RESPAWN = """\
A walk of 200,000 entries is stopped after 1 ms, on a page that is not cross-origin isolated: \
the worker is replaced and both trees are mounted again.
The time is from when the walk's time was over to the answer of the call behind it, which is the \
first call again."""
_MEMORY = "Right after the first answer of a first visit in Chromium, from loopback."


def render(rounds: Sequence[Round], *, plot: str, loads: Sequence[float]) -> str:
    """Return the section's body.

    Args:
        rounds: At least one.
        plot: Where the plot is, from the report.
        loads: The machine's load averages before the first round and after the last.
    """
    return "\n".join(
        [
            f"{_versions(rounds)}; {machine(loads)}",
            told_runs(len(rounds)),
            _METHOD,
            "",
            *_section("Targets", "", _target_table(rounds)),
            f"![Time to the first answer, by link and candidate]({plot})",
            "",
            *_section("Time to the first answer", "", _time_table(rounds)),
            *_section("The same as ratios to `bare`", "", _ratio_table(rounds)),
            *_section("What is fetched", _bytes_words(rounds), _bytes_table(rounds)),
            *_section(
                "Where the time of a start from the image goes", _PHASES, _phase_table(rounds)
            ),
            *_section("After a call that overran", _RESPAWN, _respawn_table(rounds)),
            *_section("Memory", _MEMORY, _memory_table(rounds)),
        ]
    ).rstrip()


def label(place: Place) -> str:
    """Return the name of a place in the report."""
    return f"{place.browser.capitalize()}, {LINK_LABELS[place.link]}, {place.visit} visit"


def _section(heading: str, words: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    return [f"### {heading}", "", *([words, ""] if words else []), *lines, ""]


def _versions(rounds: Sequence[Round]) -> str:
    browsers = {
        f"{place.browser.capitalize()} {visit.version}"
        for each in rounds
        for (place, _), visit in each.items()
    }
    package = json.loads((NODE_MODULES / "pyodide" / "package.json").read_text("utf-8"))
    return ", ".join([*sorted(browsers), f"Pyodide {package['version']}", pinned(("just-bash",))])


def _target_table(rounds: Sequence[Round]) -> list[str]:
    rows = target_rows(rounds)
    return table(["`image`", "Target", "Ratio", ""], rows) if rows else []


def _time_table(rounds: Sequence[Round]) -> list[str]:
    candidates = candidates_of(rounds)
    rows = []
    for place in places_of(rounds):
        times = [whole_times_of(rounds, place, candidate) for candidate in candidates]
        rows.append([label(place), *(spread(each, "ms") if each else "" for each in times)])
    return table(["", *candidates], rows)


def _ratio_table(rounds: Sequence[Round]) -> list[str]:
    candidates = [candidate for candidate in candidates_of(rounds) if candidate != "bare"]
    rows = []
    for place in places_of(rounds):
        bare = whole_times_of(rounds, place, "bare")
        if not bare:
            continue
        times = [whole_times_of(rounds, place, candidate) for candidate in candidates]
        cells = [spread_ratios(each, bare) if each else "" for each in times]
        rows.append([label(place), *cells])
    return table(["", *candidates], rows) if rows else []


def _bytes_words(rounds: Sequence[Round]) -> str:
    place = sent_place(rounds)
    return _BYTES.format(link=LINK_LABELS[place.link]) if place is not None else ""


def _bytes_table(rounds: Sequence[Round]) -> list[str]:
    place = sent_place(rounds)
    if place is None:
        return []
    bare = [float(visit.sent_bytes) for visit in visits_of(rounds, place, "bare")]
    rows = []
    for candidate in candidates_of(rounds):
        visits = visits_of(rounds, place, candidate)
        sent = [float(visit.sent_bytes) for visit in visits]
        rows.append(
            [
                candidate,
                f"{statistics.median(len(visit.sent) for visit in visits):.0f}",
                f"{statistics.median(sent):,.0f}",
                spread_ratios(sent, bare) if bare else "",
                f"{statistics.median(visit.later_bytes for visit in visits):,.0f}",
            ]
        )
    return table(["", "Responses", "Bytes", "of bare's", "Bytes after the answer"], rows)


def _phase_table(rounds: Sequence[Round]) -> list[str]:
    """Return a row for each phase and a column for each place; empty without reported phases."""
    columns = {
        label(place): phases
        for place in places_of(rounds)
        if (phases := _phases(visits_of(rounds, place, "image")))
    }
    names = list(dict.fromkeys(name for phases in columns.values() for name in phases))
    rows = [[f"`{name}`", *(phases.get(name, "") for phases in columns.values())] for name in names]
    return table(["Phase", *columns], rows) if rows else []


def _phases(visits: Sequence[Visit]) -> dict[str, str]:
    """Return the medians of each phase by its name, in the order in which the phases began."""
    found: dict[str, list[tuple[float, float]]] = {}
    for visit in visits:
        for phase in visit.start["phases"] if visit.start else ():
            times = (phase["startedMs"], phase["elapsedMs"])
            found.setdefault(phase["name"], []).append(times)
    medians = {
        name: tuple(map(statistics.median, zip(*times, strict=True)))
        for name, times in found.items()
    }
    return {
        name: f"{figure(elapsed_ms)} ms, at {figure(started_ms)}"
        for name, (started_ms, elapsed_ms) in sorted(medians.items(), key=lambda item: item[1])
    }


def _respawn_table(rounds: Sequence[Round]) -> list[str]:
    rows = []
    for place in places_of(rounds):
        visits = visits_of(rounds, place, "image")
        times = [visit.respawn_ms for visit in visits if visit.respawn_ms is not None]
        if times:
            bare = whole_times_of(rounds, place, "bare")
            ratio = spread_ratios(times, bare) if bare else ""
            rows.append([place.browser.capitalize(), spread(times, "ms"), ratio])
    return table(["", "Next answer", "of `bare`, first visit"], rows) if rows else []


def _memory_table(rounds: Sequence[Round]) -> list[str]:
    place = Place("chromium", "loopback", "first")
    rows = []
    for candidate in candidates_of(rounds):
        looks = [
            visit.memory
            for visit in visits_of(rounds, place, candidate)
            if visit.memory is not None
        ]
        if looks:
            rows.append(
                [
                    candidate,
                    spread_mib(look.renderer_peak_bytes for look in looks),
                    spread_mib(look.browser_share_bytes for look in looks),
                ]
            )
    return table(["", "Renderer, peak resident", "Whole browser, PSS"], rows) if rows else []
