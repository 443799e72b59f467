"""Format numbers and tables for the report."""

from __future__ import annotations

import os
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MIB = 1024 * 1024


def spread(values: Sequence[float], unit: str) -> str:
    """Return the median with the smallest and the largest, or the value if there is only one."""
    middle, low, high = statistics.median(values), min(values), max(values)
    if len(values) == 1:
        return f"{figure(middle)} {unit}"
    # A hyphen beside a negative number would look like another minus.
    between = "-" if low >= 0 else " to "
    return f"{figure(middle)} {unit} [{figure(low)}{between}{figure(high)}]"


def spread_mib(sizes_bytes: Iterable[int | None]) -> str:
    """Return the median of the known sizes in MiB, or an empty text."""
    found = [size / MIB for size in sizes_bytes if size is not None]
    return spread(found, "MiB") if found else ""


def spread_ratios(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Return the median of the ratios of ours to theirs, run by run."""
    return spread([mine / other for mine, other in zip(ours, theirs, strict=True)], "x")


def figure(value: float) -> str:
    """Return a number with three significant digits; from 100 on, without a fraction."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]


def told_runs(count: int) -> str:
    """Return a sentence on how the figures come from so many runs."""
    if count == 1:
        return "Each figure is of one run."
    return f"Each figure is the median of {count} runs, with the smallest and the largest."


def machine(loads: Sequence[float]) -> str:
    """Return the machine's cores, and its load before and after."""
    shown = " and ".join(f"{load:.1f}" for load in loads) or "unknown"
    return f"{os.cpu_count()} cores, load {shown} before and after."


def load() -> list[float]:
    """Return the load average of the last minute; empty if this system has none."""
    return [os.getloadavg()[0]] if hasattr(os, "getloadavg") else []
