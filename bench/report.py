"""Render the sessions of calls as a section of Markdown: ratios first, then medians."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

from bench.figures import machine, spread, spread_mib, spread_ratios, table, told_runs
from bench.work import READ, TRIVIAL, WALK, WORKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.sessions import Footprint, Session

_METHOD = (
    "Every run is a new browser process with a new profile and a new CPython process, "
    "in an order that changes from run to run; "
    "a call's figure is the median of a session's calls after the first."
)


class Run(NamedTuple):
    """One round: every session once."""

    bare: Session
    cold: Session
    browser: Session
    cpython: Session


def render(runs: Sequence[Run], *, loads: Sequence[float]) -> str:
    """Return the section's body.

    Args:
        runs: At least one.
        loads: The machine's load averages before the first run and after the last.
    """
    last = runs[-1]
    about = f"{last.browser.about}, {last.bare.about}, {last.cpython.about}; {machine(loads)}"
    return "\n".join(
        [
            about,
            told_runs(len(runs)),
            _METHOD,
            "Both sides gave the same answers to the same calls.",
            "",
            *_time_table(runs),
            "",
            *_memory_table(runs),
        ]
    )


def _time_table(runs: Sequence[Run]) -> list[str]:
    rows = [
        _compared(
            "start to first tool result, 20 files",
            [run.cold.first_ms for run in runs],
            [run.bare.first_ms for run in runs],
            "bare `loadPyodide()`",
        ),
    ]
    for index, work in enumerate(WORKS):
        rows.append(
            _compared(
                work.label,
                [statistics.median(run.browser.works[index]["taken_ms"]) for run in runs],
                [statistics.median(run.cpython.works[index]["taken_ms"]) for run in runs],
                "CPython",
            )
        )
    trivial = WORKS.index(TRIVIAL)
    rows.append(
        _compared(
            "trivial call, 95th percentile",
            [_p95(run.browser.works[trivial]["taken_ms"]) for run in runs],
            [_p95(run.cpython.works[trivial]["taken_ms"]) for run in runs],
            "CPython",
        )
    )
    mounts = [run.browser.mount_ms or 0.0 for run in runs]
    rows.append(["mount of the 50,000-file zip", "", spread(mounts, "ms"), ""])
    return table(["What", "Ratio", "treeglass in Chromium", "Compared with"], rows)


def _compared(what: str, ours: list[float], theirs: list[float], against: str) -> list[str]:
    return [
        what,
        spread_ratios(ours, theirs),
        spread(ours, "ms"),
        f"{spread(theirs, 'ms')}, {against}",
    ]


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _memory_table(runs: Sequence[Run]) -> list[str]:
    stages = [
        ("a blank page; CPython before any import", "bare", "blank", "started"),
        ("bare `loadPyodide()`", "bare", "bare", None),
        ("first result", "browser", "first", "first"),
        ("50,000 files mounted and listed", "browser", WALK.label, WALK.label),
        ("100 MB read to near its end", "browser", READ.label, READ.label),
    ]
    rows = []
    for what, session, stage, cpython_stage in stages:
        looks: list[Footprint] = [getattr(run, session).footprints[stage] for run in runs]
        natives = [run.cpython.footprints[cpython_stage] for run in runs] if cpython_stage else []
        rows.append(
            [
                what,
                spread_mib(look.memory.renderer_peak_bytes for look in looks),
                spread_mib(look.memory.browser_share_bytes for look in looks),
                spread_mib(look.heap_bytes for look in looks),
                spread_mib(look.memory.renderer_peak_bytes for look in natives),
            ]
        )
    head = [
        "After",
        "Renderer, peak resident",
        "Whole browser, PSS",
        "WASM memory",
        "CPython, peak",
    ]
    return table(head, rows)
