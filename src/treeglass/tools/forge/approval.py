"""The line that a person reads before approving a call; does no I/O."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treeglass.escaping import escape_controls

if TYPE_CHECKING:
    from treeglass.tools.forge.arguments import ListDirectoryArgs

MAX_SUMMARY_CHARACTERS = 200
"""Longest summary. Unit: characters."""

# A secret that begins before the summary's end is recognised by less than this.
_MAX_SEARCHED_CHARACTERS = 1000

_secret = re.compile(
    r"(?P<name>(?:password|passwd|secret|token|api[_-]?key|access[_-]?key)=)[^/&\s]+"
    r"|(?P<login>[a-z]:/+)[^/@:\s]*:[^/@\s]+(?=@)"
    r"|\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}"
    r"|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|npm_)[A-Za-z0-9_-]{10,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bAIza[0-9A-Za-z_-]{35}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    re.IGNORECASE,
)


def approval_summary(args: ListDirectoryArgs) -> str:
    """Return `List <path>`, with `[depth N]` for a recursive call.

    At most 200 characters; a longer path ends in an ellipsis. Characters that
    could hide or forge text are spelled out, and secrets read `[redacted]`.
    A secret is what looks like a credential by its form: the value after
    `password=`, `token=`, `secret=` or `api_key=`, the login of a URL, and
    tokens with a well-known beginning (`ghp_`, `sk-`, `AKIA`, a JSON Web
    Token and the like). A long name alone is none: commits have long names.
    """
    # Bounded first: looking for secrets takes longer than linear time.
    path = escape_controls(_secret.sub(_redact, args.path[:_MAX_SEARCHED_CHARACTERS]))
    depth = f" [depth {args.max_depth}]" if args.recursive else ""
    room = MAX_SUMMARY_CHARACTERS - len("List ") - len(depth)
    if len(path) > room:
        path = path[: room - 1] + "…"
    return f"List {path}{depth}"


def _redact(match: re.Match[str]) -> str:
    return f"{match['name'] or match['login'] or ''}[redacted]"
