"""The arguments of `Glob`: the published schema, and the sentences for wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.tools.envelope.arguments import (
    require_integer,
    require_text,
    summarize_call,
)

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import ToolArguments

MAX_PATTERN_LENGTH = 4096
"""Longest pattern, since a matcher has a bit for each character. Unit: code points."""

MAX_LIMIT = 200
"""Most paths of one answer."""

DEFAULT_LIMIT = 50
"""Paths of an answer by default."""


class GlobArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    pattern: str
    """Normalised: slashes for backslashes, and stripped."""
    path: str
    limit: int
    include_hidden: bool
    include_ignored: bool


def parse_arguments(arguments: ToolArguments, config: Config) -> GlobArgs:  # noqa: ARG001  # its tables bound the walk
    """Return validated arguments.

    Raises:
        InvalidArguments: One of them is wrong; the sentence is about the first of a
            missing pattern, limit, and a pattern or path that is no text.
    """
    values = arguments.values
    if not values.get("pattern"):
        raise InvalidArguments("Missing required parameter 'pattern'.")
    limit = require_integer(
        values.get("limit", DEFAULT_LIMIT),
        1,
        MAX_LIMIT,
        f"limit must be an integer between 1 and {MAX_LIMIT}.",
    )
    pattern = require_text(values, "pattern")
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise InvalidArguments(f"pattern must have at most {MAX_PATTERN_LENGTH} characters.")
    return GlobArgs(
        pattern.replace("\\", "/").strip(),
        require_text(values, "path", "."),
        limit,
        bool(values.get("include_hidden")),
        bool(values.get("include_ignored")),
    )


def approval_summary(args: GlobArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    return summarize_call("Find files in ", args.path, config, args.pattern)


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description, "default": False}


INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": (
                "Glob relative to path, such as '**/*.py': '*' and '?' stay within one name, "
                "'**' crosses directories."
            ),
        },
        "path": {
            "type": "string",
            "description": (
                "Directory to search (relative to project root or absolute within it)."
            ),
            "default": ".",
        },
        "limit": {
            "type": "integer",
            "description": f"Max paths to return (1-{MAX_LIMIT}).",
            "default": DEFAULT_LIMIT,
            "minimum": 1,
            "maximum": MAX_LIMIT,
        },
        "include_hidden": _flag("Whether to include names starting with '.'."),
        "include_ignored": _flag("Whether to search directories such as node_modules and dist."),
    },
    "required": ["pattern"],
}
