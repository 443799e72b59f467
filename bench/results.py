"""`RESULTS.md`: one section for each part, each replaced separately."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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
