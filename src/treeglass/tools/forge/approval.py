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
    path = escape_controls(redact_secrets(args.path))
    depth = f" [depth {args.max_depth}]" if args.recursive else ""
    room = MAX_SUMMARY_CHARACTERS - len("List ") - len(depth)
    if len(path) > room:
        path = path[: room - 1] + "…"
    return f"List {path}{depth}"
