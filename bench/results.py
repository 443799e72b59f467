"""`RESULTS.md`: one section for each part, each replaced separately."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

RESULTS = Path(__file__).parent / "RESULTS.md"

PLOTS = Path(__file__).parent / "plots"
"""The plots that the report shows."""

HEADINGS = {
    "starts": "Starts",
    "calls": "Calls",
    "searching": "Searching",
    "mounting": "Mounting",
    "hosts": "Hosts",
}
"""Every part of the benchmark, in the order of the report, and its section's heading."""

_TITLE = "# Measurements\n"


def render_results(bodies: Mapping[str, str]) -> str:
    """Return the report with the parts that are given."""
    sections = [
        f"\n## {heading}\n\n{bodies[part].strip()}\n"
        for part, heading in HEADINGS.items()
        if part in bodies
    ]
    return "".join([_TITLE, *sections])


def parse_results(text: str) -> dict[str, str]:
    """Return each part's body; inverse of `render_results`.

    Raises:
        ValueError: Some text belongs to no part, and would be lost.
    """
    head, *pieces = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    found = dict(zip(pieces[::2], pieces[1::2], strict=True))
    parts = {
        part: found.pop(heading).strip() for part, heading in HEADINGS.items() if heading in found
    }
    if head.strip() != _TITLE.strip() or found:
        message = (
            f"RESULTS.md holds text that belongs to no part of the report: {[head, *found]!r:.200}"
        )
        raise ValueError(message)
    return parts


def write_results(bodies: Mapping[str, str]) -> None:
    """Replace the sections of these parts; the others stay as they are."""
    kept = parse_results(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    RESULTS.write_text(render_results({**kept, **bodies}), encoding="utf-8", newline="\n")
