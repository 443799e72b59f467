"""Render figures as Markdown: medians with their spread, ratios, and tables of them."""

from __future__ import annotations

import math
import re
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.facts import Facts

_MIB = 1024 * 1024


def render_part(facts: Facts, method: str, *sections: Sequence[str]) -> str:
    """Return a part's body: its command and machine, how it was measured, and its sections."""
    loads = " and ".join(f"{load:.1f}" for load in facts.loads) or "unknown"
    machine = f"{facts.cores} cores, load {loads} before and after."
    return "\n".join(
        [
            f"Made by `{facts.command}`.",
            "",
            f"{', '.join(facts.about)}; {machine}",
            _runs(len(facts.rounds)),
            method,
            "",
            *(line for lines in sections for line in lines),
        ]
    ).rstrip()


def _runs(count: int) -> str:
    if count == 1:
        return "Each figure is of one run."
    return f"Each figure is the median of {count} runs, with the smallest and the largest."


def section(heading: str, words: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a section; empty if its table is."""
    if not lines:
        return []
    return [f"### {heading}", "", *([words, ""] if words else []), *lines, ""]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table without its rows that are empty; none if all are."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows if any(cells[1:])]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines] if lines else []


def cell(facts: Facts, case: str, by: str, what: str) -> str:
    """Return a figure of all rounds, or the reason why there is no figure.

    The end of the quantity's name is its unit: `_ms`, or `_bytes`, which are shown as MiB.
    """
    reasons = facts.texts(case, by, what)
    count = len(facts.rounds)
    if not reasons:
        return spread(facts.values(case, by, what), what)
    often = "" if len(reasons) == count else f", in {len(reasons)} of {count} runs"
    # A bar would end the cell.
    return f"{reasons[0]}{often}".replace("|", "\\|")


def ratio(facts: Facts, ours: Sequence[str], theirs: Sequence[str]) -> str:
    """Return the ratio of ours to theirs, round by round; see `Facts.ratios`."""
    return spread(facts.ratios(ours, theirs), "x")


def spread(values: Sequence[float], what: str) -> str:
    """Return the median with the smallest and the largest; empty if there is no value."""
    if not values:
        return ""
    unit = what.rpartition("_")[2]
    if unit == "bytes":
        values, unit = [value / _MIB for value in values], "MiB"
    middle, low, high = statistics.median(values), min(values), max(values)
    if len(values) == 1:
        return f"{figure(middle)} {unit}"
    # A hyphen beside a negative number would look like another minus.
    between = "-" if low >= 0 else " to "
    return f"{figure(middle)} {unit} [{figure(low)}{between}{figure(high)}]"


def figure(value: float) -> str:
    """Return a number with three significant digits; from 100 on, without a fraction."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def p95(taken: Sequence[float]) -> float:
    """Return the 95th percentile by nearest rank; of fewer than 20 values the largest."""
    return sorted(taken)[math.ceil(len(taken) * 0.95) - 1]


_RESULTS = Path(__file__).parent / "RESULTS.md"
_TITLE = "# Measurements\n"


def render_results(bodies: Mapping[str, str], headings: Mapping[str, str]) -> str:
    """Return the report with the parts that are given, in the order of the headings."""
    sections = [
        f"\n## {heading}\n\n{bodies[part].strip()}\n"
        for part, heading in headings.items()
        if part in bodies
    ]
    return "".join([_TITLE, *sections])


def write_results(bodies: Mapping[str, str], headings: Mapping[str, str]) -> None:
    """Replace the sections of these parts; the others stay as they are.

    Raises:
        ValueError: Some text belongs to no part, and would be lost.
    """
    kept = _parse(_RESULTS.read_text("utf-8"), headings) if _RESULTS.is_file() else {}
    text = render_results({**kept, **bodies}, headings)
    _RESULTS.write_text(text, "utf-8", newline="\n")


def _parse(text: str, headings: Mapping[str, str]) -> dict[str, str]:
    """Return each part's body; inverse of `render_results`."""
    head, *pieces = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    found = dict(zip(pieces[::2], pieces[1::2], strict=True))
    parts = {
        part: found.pop(heading).strip() for part, heading in headings.items() if heading in found
    }
    if head.strip() != _TITLE.strip() or found:
        foreign = [head, *found]
        raise ValueError(f"RESULTS.md holds text that belongs to no part: {foreign!r:.200}")
    return parts
