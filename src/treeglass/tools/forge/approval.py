"""The line that a person reads before approving a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.escaping import escape_controls
from treeglass.redaction import redact_secrets

if TYPE_CHECKING:
    from treeglass.tools.forge.arguments import ListDirectoryArgs

MAX_SUMMARY_CHARACTERS = 200
"""Longest summary. Unit: characters."""


def approval_summary(args: ListDirectoryArgs) -> str:
    """Return `List <path>`, with `[depth N]` for a recursive call.

    At most 200 characters; a longer path ends in an ellipsis. Characters that
    could hide or forge text are spelled out, secrets become `[redacted]`, and no
    I/O happens.
    """
    depth = f" [depth {args.max_depth}]" if args.recursive else ""
    return summarize("List ", args.path, depth)


def summarize(before: str, written: str, behind: str) -> str:
    """Return a summary around what the caller wrote, which is shortened to fit."""
    text = escape_controls(redact_secrets(written))
    room = max(1, MAX_SUMMARY_CHARACTERS - len(before) - len(behind))
    if len(text) > room:
        text = text[: room - 1] + "…"
    return f"{before}{text}{behind}"
