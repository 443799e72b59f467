"""The arguments of the envelope tools, and the sentences for wrong ones (LSTool.md 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.tools.envelope.ignore import MAX_IGNORE_PATTERN_LENGTH, MAX_IGNORE_PATTERNS

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments

MAX_ENTRIES: Final = 200
"""Most entries of one page of `LS` (LSTool.md 2.2)."""

DEFAULT_ENTRIES: Final = 100
"""Entries of a page of `LS` by default (LSTool.md 2.2)."""

MAX_LINES: Final = 2000
"""Most lines of one page of `Read`."""

DEFAULT_LINES: Final = 500
"""Lines of a page of `Read` by default."""

MAX_PATHS: Final = 200
"""Most paths of one answer of `Glob`."""

DEFAULT_PATHS: Final = 50
"""Paths of an answer of `Glob` by default."""

MAX_PATTERN_LENGTH: Final = 4096
"""Longest glob, since a matcher has a bit for each character. Unit: code points."""

MAX_INCLUDE_LENGTH: Final = 4096
"""Longest `include`. Unit: code points."""

_NO_PATTERNS: Final = "ignore must be a list of glob patterns."


class LsArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored (LSTool.md 2.2)."""

    path: str = "."
    offset: int = 0
    limit: int = DEFAULT_ENTRIES
    include_hidden: bool = False
    ignore: list[str] | None = None


def parse_ls(arguments: ToolArguments, _config: object) -> LsArgs:
    """Return validated arguments, or refuse the first wrong one (LSTool.md 2.2)."""
    values = arguments.values
    offset = _require_integer(
        values.get("offset", 0), 0, None, "offset must be a non-negative integer."
    )
    limit = _require_limit(values, DEFAULT_ENTRIES, MAX_ENTRIES)
    ignore = _require_patterns(values.get("ignore"))
    path = _require_text(values, "path", ".")
    include_hidden = values.get("include_hidden", False)
    if not isinstance(include_hidden, bool):
        raise InvalidArguments("include_hidden must be true or false.")
    return LsArgs(path, offset, limit, include_hidden, ignore)


def _require_patterns(patterns: object) -> list[str] | None:
    if patterns is None:
        return None
    if not isinstance(patterns, list):
        raise InvalidArguments(_NO_PATTERNS)
    texts = [each for each in patterns if isinstance(each, str)]
    is_long = any(len(text) > MAX_IGNORE_PATTERN_LENGTH for text in texts)
    if len(patterns) > MAX_IGNORE_PATTERNS or (is_long and len(texts) == len(patterns)):
        raise InvalidArguments(
            f"ignore must hold at most {MAX_IGNORE_PATTERNS} patterns "
            f"of at most {MAX_IGNORE_PATTERN_LENGTH} characters each."
        )
    if len(texts) < len(patterns):
        raise InvalidArguments(_NO_PATTERNS)
    return texts


class ReadArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    path: str
    start_line: int
    limit: int


def parse_read(arguments: ToolArguments, _config: object) -> ReadArgs:
    """Return validated arguments, or refuse the first wrong one; what is no text comes last."""
    values = arguments.values
    if not values.get("path"):
        raise InvalidArguments("Parameter 'path' is required.")
    start_line = _require_integer(
        values.get("start_line", 1), 1, None, "start_line must be a positive integer (>= 1)."
    )
    limit = _require_limit(values, DEFAULT_LINES, MAX_LINES)
    return ReadArgs(_require_text(values, "path"), start_line, limit)


class GlobArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    pattern: str
    """Normalised: slashes for backslashes, and stripped."""
    path: str
    limit: int
    include_hidden: bool
    include_ignored: bool


def parse_glob(arguments: ToolArguments, _config: object) -> GlobArgs:
    """Return validated arguments, or refuse the first wrong one; what is no text comes last."""
    values = arguments.values
    if not values.get("pattern"):
        raise InvalidArguments("Missing required parameter 'pattern'.")
    limit = _require_limit(values, DEFAULT_PATHS, MAX_PATHS)
    pattern = _require_text(values, "pattern")
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise InvalidArguments(f"pattern must have at most {MAX_PATTERN_LENGTH} characters.")
    return GlobArgs(
        pattern.replace("\\", "/").strip(),
        _require_text(values, "path", "."),
        limit,
        bool(values.get("include_hidden")),
        bool(values.get("include_ignored")),
    )


class GrepArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored, `limit` too."""

    pattern: str
    path: str
    include: str | None
    case_sensitive: bool


def parse_grep(arguments: ToolArguments, _config: object) -> GrepArgs:
    """Return validated arguments, or refuse the first wrong one; the regex is compiled by `run`."""
    values = arguments.values
    pattern = values.get("pattern")
    if not isinstance(pattern, str) or not pattern.strip():
        raise InvalidArguments("Missing required parameter 'pattern'.")
    include = values.get("include")
    if include is not None and not isinstance(include, str):
        raise InvalidArguments("include must be a string if provided.")
    if include is not None and len(include) > MAX_INCLUDE_LENGTH:
        raise InvalidArguments(f"include must have at most {MAX_INCLUDE_LENGTH} characters.")
    case_sensitive = values.get("case_sensitive", False)
    if not isinstance(case_sensitive, bool):
        raise InvalidArguments("case_sensitive must be a boolean.")
    return GrepArgs(pattern, _require_text(values, "path", "."), include, case_sensitive)


def _require_limit(values: dict[str, Any], default: int, most: int) -> int:
    sentence = f"limit must be an integer between 1 and {most}."
    return _require_integer(values.get("limit", default), 1, most, sentence)


def _require_integer(value: object, lowest: int, highest: int | None, sentence: str) -> int:
    """Return an integer within its bounds, else refuse; neither true nor 1.0 is an integer."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidArguments(sentence)
    if value < lowest or (highest is not None and value > highest):
        raise InvalidArguments(sentence)
    return value


def _require_text(values: dict[str, Any], name: str, default: str | None = None) -> str:
    """Return an argument that must be a text."""
    value = values.get(name, default)
    if not isinstance(value, str):
        raise InvalidArguments(f"{name} must be a string.")
    return value
