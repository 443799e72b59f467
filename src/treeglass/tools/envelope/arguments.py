"""The arguments of the envelope tools, and the sentences for wrong ones (LSTool.md 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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


class LsArgs(BaseModel):
    """The arguments of one call; unknown keys are ignored (LSTool.md 2.2)."""

    model_config = ConfigDict(defer_build=True, extra="ignore", strict=True, frozen=True)

    path: str = Field(
        default=".",
        description="Directory path to list (relative to project root or absolute within it).",
    )
    offset: int = Field(default=0, ge=0, description="Pagination start index (>=0).")
    limit: int = Field(
        default=DEFAULT_ENTRIES, ge=1, le=MAX_ENTRIES, description="Max items to return (1-200)."
    )
    include_hidden: bool = Field(
        default=False, description="Whether to include hidden files (starting with '.')."
    )
    ignore: (
        Annotated[
            list[Annotated[str, Field(max_length=MAX_IGNORE_PATTERN_LENGTH)]],
            Field(max_length=MAX_IGNORE_PATTERNS),
        ]
        | None
    ) = Field(default=None, description="Optional list of glob patterns to ignore.")


# For each argument, in the order in which they are checked: the first wrong one is reported.
_LS_SENTENCES = {
    "offset": "offset must be a non-negative integer.",
    "limit": f"limit must be an integer between 1 and {MAX_ENTRIES}.",
    "ignore": "ignore must be a list of glob patterns.",
    "path": "path must be a string.",
    "include_hidden": "include_hidden must be true or false.",
}
_IGNORE_TOO_LONG = (
    f"ignore must hold at most {MAX_IGNORE_PATTERNS} patterns "
    f"of at most {MAX_IGNORE_PATTERN_LENGTH} characters each."
)


def parse_ls(arguments: ToolArguments, _config: object) -> LsArgs:
    """Return validated arguments, or refuse the first wrong one in the order of `_LS_SENTENCES`."""
    try:
        return LsArgs.model_validate(arguments.values)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
    kinds: dict[str, set[str]] = {}
    for fault in faults:
        kinds.setdefault(str(fault["loc"][0]), set()).add(fault["type"])
    wrong = next(name for name in _LS_SENTENCES if name in kinds)
    if wrong == "ignore" and kinds[wrong] <= {"too_long", "string_too_long"}:
        raise InvalidArguments(_IGNORE_TOO_LONG)
    raise InvalidArguments(_LS_SENTENCES[wrong])


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
    limit = _require_integer(
        values.get("limit", DEFAULT_LINES),
        1,
        MAX_LINES,
        f"limit must be an integer between 1 and {MAX_LINES}.",
    )
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
    limit = _require_integer(
        values.get("limit", DEFAULT_PATHS),
        1,
        MAX_PATHS,
        f"limit must be an integer between 1 and {MAX_PATHS}.",
    )
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
