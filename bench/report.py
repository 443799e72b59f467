"""Many sessions in, one Markdown report out: ratios first, medians with their spread."""

from __future__ import annotations

import os
import statistics
from typing import TYPE_CHECKING, NamedTuple

from bench.work import READ, TRIVIAL, WALK, WORKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.sessions import Footprint, Session

_MIB = 1024 * 1024

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
    """Return the report.

    Args:
        runs: At least one.
        loads: The machine's load averages before the first run and after the last.
    """
    last = runs[-1]
    shown_loads = " and ".join(f"{load:.1f}" for load in loads) or "unknown"
    about = (
        f"{last.browser.about}, {last.bare.about}, {last.cpython.about}; "
        f"{os.cpu_count()} cores, load {shown_loads} before and after."
    )
    spread = f"Each figure is the median of {len(runs)} runs, with the smallest and the largest."
    return "\n".join(
        [
            "# Measurements",
            "",
            about,
            spread,
            _METHOD,
            "Both sides gave the same answers to the same calls.",
            "",
            *_time_table(runs),
            "",
            *_memory_table(runs),
            "",
        ]
    )


def _time_table(runs: Sequence[Run]) -> list[str]:
    rows = [
        "| What | Ratio | treeglass in Chromium | Compared with |",
        "|---|---|---|---|",
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
    rows.append(f"| mount of the 50,000-file zip | | {_spread(mounts, 'ms')} | |")
    return rows


def _compared(what: str, ours: list[float], theirs: list[float], against: str) -> str:
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    cells = [what, _spread(ratios, "x"), _spread(ours, "ms"), f"{_spread(theirs, 'ms')}, {against}"]
    return f"| {' | '.join(cells)} |"


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
    rows = [
        "| After | Renderer, peak resident | Whole browser, PSS | WASM memory | CPython, peak |",
        "|---|---|---|---|---|",
    ]
    for what, session, stage, cpython_stage in stages:
        looks: list[Footprint] = [getattr(run, session).footprints[stage] for run in runs]
        natives = [run.cpython.footprints[cpython_stage] for run in runs] if cpython_stage else []
        cells = [
            _mib(looks, lambda look: look.memory.renderer_peak_bytes),
            _mib(looks, lambda look: look.memory.browser_share_bytes),
            _mib(looks, lambda look: look.heap_bytes),
            _mib(natives, lambda look: look.memory.renderer_peak_bytes),
        ]
        rows.append(f"| {what} | {' | '.join(cells)} |")
    return rows


def _mib(looks: Iterable[Footprint], of: Callable[[Footprint], int | None]) -> str:
    found = [size / _MIB for look in looks if (size := of(look)) is not None]
    return _spread(found, "MiB") if found else ""


def _spread(values: Sequence[float], unit: str) -> str:
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{_figure(middle)} {unit} [{_figure(low)}-{_figure(high)}]"


def _figure(value: float) -> str:
    """Return three significant digits, and never more of a number than was measured."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
