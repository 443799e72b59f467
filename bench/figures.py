"""Numbers as a reader of the report sees them."""

from __future__ import annotations

import os
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MIB = 1024 * 1024


def spread(values: Sequence[float], unit: str) -> str:
    """Return the median with the smallest and the largest, or the one value that there is."""
    middle, low, high = statistics.median(values), min(values), max(values)
    if len(values) == 1:
        return f"{figure(middle)} {unit}"
    # A hyphen between two numbers of which one is negative reads as a third sign.
    between = "-" if low >= 0 else " to "
    return f"{figure(middle)} {unit} [{figure(low)}{between}{figure(high)}]"


def spread_mib(sizes_bytes: Iterable[int | None]) -> str:
    """Return the median of sizes in MiB, or nothing where none is known."""
    found = [size / MIB for size in sizes_bytes if size is not None]
    return spread(found, "MiB") if found else ""


def spread_ratios(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Return the median of what ours is divided by theirs, run by run."""
    return spread([mine / other for mine, other in zip(ours, theirs, strict=True)], "x")


def figure(value: float) -> str:
    """Return three significant digits, and never more of a number than was measured."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]


def told_runs(count: int) -> str:
    """Return what every figure of a report with so many runs is."""
    if count == 1:
        return "Each figure is of one run."
    return f"Each figure is the median of {count} runs, with the smallest and the largest."


def machine(loads: Sequence[float]) -> str:
    """Return what the machine is, and how busy it was before and after."""
    shown = " and ".join(f"{load:.1f}" for load in loads) or "unknown"
    return f"{os.cpu_count()} cores, load {shown} before and after."


def load() -> list[float]:
    """Return the load average of the last minute, or nothing where there is none."""
    return [os.getloadavg()[0]] if hasattr(os, "getloadavg") else []
