"""Hide what looks like a credential from the summary that a person approves."""

from __future__ import annotations

import re

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
