"""Match canonical paths against the glob patterns of the sandbox.

The dialect: `*` and `?` also match `/`; `**/` matches zero or more whole components; `/**` at the
end matches everything below a directory, and the directory itself; `[...]`, `[!...]`, `{a,b}` and a
backslash before a character work as in a shell. Upper and lower case differ. A bracket or brace
that is never closed matches itself.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

DEFAULT_DENIED_PATTERNS = (
    *("**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.azure/**", "**/.config/gcloud/**"),
    *("**/.git-credentials", "**/.npmrc", "**/.pypirc", "**/.netrc", "**/.env", "**/.env.*"),
    *("**/*.env", "**/id_rsa*", "**/id_ed25519*", "**/id_ecdsa*", "**/*.pem", "**/*.key"),
    *("**/*.p12", "**/*.pfx", "**/*.der"),
)
"""The patterns of `include_default_denies`: places of keys and credentials.

Without `.git`: a hidden directory may be listed by its name.
"""

MAX_ALTERNATIVES = 256
"""Most patterns that the braces of one pattern may expand to. Unit: patterns."""

_UNIT = re.compile(r"\\.|\[[!^]?+.[^]]*]|.", re.DOTALL)
"""An escape, a set, to which a `]` that comes first belongs, or any other character."""

_ANY = "*"
_COMPONENTS = "**/"


class DeniedPattern(NamedTuple):
    """A pattern as it is configured, and its regular expressions."""

    pattern: str
    expressions: tuple[re.Pattern[str], ...]

    def matches(self, path: str) -> bool:
        """Tell whether a canonical absolute path is covered."""
        return any(expression.fullmatch(path) for expression in self.expressions)


@lru_cache(maxsize=64)
def compile_patterns(patterns: tuple[str, ...]) -> tuple[DeniedPattern, ...]:
    """Return the patterns ready for matching, in their order.

    Matching takes time in proportion to pattern times path, for every pattern. A
    pattern whose braces expand to more than `MAX_ALTERNATIVES` patterns matches
    every path: a path that cannot be checked is denied.
    """
    return tuple(DeniedPattern(pattern, _compile(pattern)) for pattern in patterns)


def _compile(pattern: str) -> tuple[re.Pattern[str], ...]:
    alternatives = _expand(pattern)
    if len(alternatives) > MAX_ALTERNATIVES:
        return (re.compile("(?s:.*)"),)
    sources: list[str] = []
    for alternative in alternatives:
        sources.append(_translate(alternative))
        covered = alternative
        # Listing `X` would reveal the names that `X/**` protects.
        while covered.endswith("/**"):
            covered = covered.removesuffix("/**")
            sources.append(_translate(covered))
    return tuple(re.compile(source) for source in dict.fromkeys(sources))


def _expand(pattern: str) -> list[str]:
    """Return the patterns that braces expand to, or more than `MAX_ALTERNATIVES` of them.

    Expanded, since an alternation inside an expression could not be atomic, and without atomic
    groups a crafted pattern takes exponential time.
    """
    done: list[str] = []
    open_patterns = [pattern]
    while open_patterns and len(done) + len(open_patterns) <= MAX_ALTERNATIVES:
        current = open_patterns.pop(0)
        braces = _first_braces(current)
        if braces is None:
            done.append(current)
            continue
        start, end, options = braces
        open_patterns += [current[:start] + option + current[end:] for option in options]
    return done + open_patterns


def _first_braces(pattern: str) -> tuple[int, int, list[str]] | None:
    """Return the start, the end and the options of the first outermost braces."""
    depth = start = option_start = 0
    options: list[str] = []
    for unit in _UNIT.finditer(pattern):
        position = unit.start()
        if unit[0] == "{":
            depth += 1
            if depth == 1:
                start, option_start, options = position, position + 1, []
        elif depth == 1 and unit[0] in ",}":
            options.append(pattern[option_start:position])
            option_start = position + 1
        if unit[0] == "}" and depth:
            depth -= 1
            if not depth:
                return start, position + 1, options
    return None


def _translate(pattern: str) -> str:
    """Return the regular expression of a pattern without braces.

    The part between two gaps has a fixed length, so its leftmost match is always
    right: each gap is atomic and never tried twice.
    """
    chunks, gaps = _split(pattern)
    source = ["(?s)", chunks[0]]
    last = len(gaps) - 1
    for index, (gap, chunk) in enumerate(zip(gaps, chunks[1:], strict=True)):
        if index == last:
            source.append((".*" if gap == _ANY else "(?:.*/)?") + chunk)
        else:
            source.append("(?>" + (".*?" if gap == _ANY else "(?:.*?/)??") + chunk + ")")
    return "".join(source)


def _split(pattern: str) -> tuple[list[str], list[str]]:
    """Return the expressions of fixed length and the gaps between them."""
    chunks, gaps = [""], list[str]()
    position = 0
    while unit := _UNIT.match(pattern, position):
        at_component = position == 0 or pattern[position - 1] == "/"
        if at_component and pattern.startswith(_COMPONENTS, position):
            gap = _COMPONENTS
        elif unit[0] == "*":
            gap = _ANY
        else:
            chunks[-1] += _unit(unit[0])
            position = unit.end()
            continue
        position += len(gap)
        # Two gaps in a row are one: `**` is `*`, `**/**/` is `**/`.
        if gaps and not chunks[-1] and gap == gaps[-1]:
            continue
        gaps.append(gap)
        chunks.append("")
    return chunks, gaps


def _unit(unit: str) -> str:
    """Return the expression of one character, escape or bracket."""
    if unit == "?":
        return "."
    if len(unit) == 1:
        return re.escape(unit)
    if unit[0] == "\\":
        return re.escape(unit[1])
    is_negated = unit[1] in "!^"
    members = unit[2:-1] if is_negated else unit[1:-1]
    return f"[{'^' if is_negated else ''}{_set_members(members)}]"


def _set_members(members: str) -> str:
    """Return the inside of a set, its ranges kept and the rest literal."""
    parts: list[str] = []
    position = 0
    while position < len(members):
        bounds = members[position : position + 3]
        if len(bounds) == 3 and bounds[1] == "-" and bounds[0] <= bounds[2]:  # noqa: PLR2004  # `a-z`
            parts.append(f"{re.escape(bounds[0])}-{re.escape(bounds[2])}")
            position += 3
        else:
            parts.append(re.escape(members[position]))
            position += 1
    return "".join(parts)
