"""Texts within a budget: whole lines, and a notice that says what is missing."""

from __future__ import annotations

from typing import NamedTuple

from treeglass.utf8 import byte_length

NOTICE = "\n\n... [output truncated]"


class CutText(NamedTuple):
    """A text as it is given."""

    text: str
    kept_lines: int | None
    """How many lines are left; None for all."""


def cut_to_lines(text: str, budget_bytes: int) -> CutText:
    """Return a text within a budget.

    What is too long ends with `NOTICE`, behind as many whole lines as fit. A budget that is
    smaller than the notice gets its beginning.
    """
    if byte_length(text) <= budget_bytes:
        return CutText(text, None)
    room = budget_bytes - len(NOTICE)
    kept = size = 0
    lines = text.split("\n")
    for line in lines:
        # A line feed before each line but the first.
        size += byte_length(line) + (kept > 0)
        if size > room:
            break
        kept += 1
    return CutText(("\n".join(lines[:kept]) + NOTICE)[: None if room > 0 else budget_bytes], kept)
