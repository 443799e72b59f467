"""The line that a person reads before approving a call: what the call reaches comes first.

The author of the arguments may want to hide it. So a path is shown as the gate reads
it, a pattern comes after it, and what is too long loses its middle.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treeglass.escaping import escape_controls, escape_name, unescape_name

if TYPE_CHECKING:
    from treeglass.config import Config

MAX_SUMMARY_CHARACTERS = 200
"""Longest summary. Unit: characters."""

_MIN_PATH_CHARACTERS = 120
"""Characters that a long pattern leaves to the path."""

# A summary has 200 characters from both ends, and a secret that reaches into it is recognised
# by less than this.
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


def summarize(
    before: str,
    path: str,
    config: Config,
    *,
    pattern: str | None = None,
    between: str = " for ",
    behind: str = "",
    quote: str = "",
) -> str:
    """Return a summary of at most 200 characters, with secrets as `[redacted]`; no I/O happens.

    It is the words before, the path, if there is a pattern the words between and the pattern, and
    the words behind; quotes stand around path and pattern.
    """
    room = MAX_SUMMARY_CHARACTERS - len(before) - len(behind) - 2 * len(quote)
    shown = shown_path(path, is_escaped=config.tools.output.escape_names)
    if pattern is None:
        return f"{before}{quote}{cut_middle(shown, room)}{quote}{behind}"
    room -= len(between) + 2 * len(quote)
    wanted = redact_secrets(escape_controls(pattern))
    where = cut_middle(shown, max(room - len(wanted), min(room, _MIN_PATH_CHARACTERS)))
    what = cut_middle(wanted, room - len(where))
    return f"{before}{quote}{where}{quote}{between}{quote}{what}{quote}{behind}"


def shown_path(path: str, *, is_escaped: bool) -> str:
    r"""Return a path as the gate reads it: without `.` and empty names, its spellings read.

    What could hide or forge text is spelled out, and nothing else: `\u{73}` is an `s`.
    `..` stays, since it applies after a link.

    >>> shown_path(r"/repo/./a//\u{73}ecrets/", is_escaped=True)
    '/repo/a/secrets'
    """
    names = [_shown_name(name, is_escaped=is_escaped) for name in path.split("/")]
    joined = "/".join(name for name in names if name not in {"", "."})
    return redact_secrets("/" + joined if path.startswith("/") else joined or ".")


def _shown_name(name: str, *, is_escaped: bool) -> str:
    plain = unescape_name(name) if is_escaped else name
    # The gate takes what is spelled as a name, so these are not steps but names without an entry.
    if plain != name and (plain in {"", ".", ".."} or "/" in plain):
        return escape_controls(name)
    return escape_name(plain) if is_escaped else escape_controls(name)


def cut_middle(text: str, most_characters: int) -> str:
    """Return a text of at most so many characters, with an ellipsis for a middle that is left out.

    >>> cut_middle("/repo/a/b/c/key.txt", 11)
    '/repo…y.txt'
    """
    if len(text) <= most_characters:
        return text
    kept = max(most_characters - 1, 0)
    return f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"


def redact_secrets(text: str) -> str:
    """Return a text with `[redacted]` for secrets; of a long one, 1,000 characters from each end.

    What is left out between them is an ellipsis.

    A secret is recognised by its form: the value after `password=`, `token=`,
    `secret=` or `api_key=`, the login of a URL, and tokens with a well-known
    beginning (`ghp_`, `sk-`, `AKIA`, a JSON Web Token and the like). A long name
    alone is not a secret: commits have long names.
    """
    # Bounded first: the search for secrets takes more than linear time.
    if len(text) <= 2 * _MAX_SEARCHED_CHARACTERS:
        return _secret.sub(_redact, text)
    ends = text[:_MAX_SEARCHED_CHARACTERS], text[-_MAX_SEARCHED_CHARACTERS:]
    return "…".join(_secret.sub(_redact, end) for end in ends)


def _redact(match: re.Match[str]) -> str:
    return f"{match['name'] or match['login'] or ''}[redacted]"
