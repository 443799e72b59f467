"""The arguments of `Read`: the published schema, and the sentences for wrong ones."""

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

MAX_LIMIT = 2000
"""Most lines of one page."""

DEFAULT_LIMIT = 500
"""Lines of a page by default."""


class ReadArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    path: str
    start_line: int
    limit: int


def parse_arguments(arguments: ToolArguments, config: Config) -> ReadArgs:  # noqa: ARG001  # nothing of Read is configured
    """Return validated arguments.

    Raises:
        InvalidArguments: One of them is wrong; the sentence is about the first of a
            missing path, start_line, limit, and a path that is no text.
    """
    values = arguments.values
    if not values.get("path"):
        raise InvalidArguments("Parameter 'path' is required.")
    start_line = require_integer(
        values.get("start_line", 1), 1, None, "start_line must be a positive integer (>= 1)."
    )
    limit = require_integer(
        values.get("limit", DEFAULT_LIMIT),
        1,
        MAX_LIMIT,
        f"limit must be an integer between 1 and {MAX_LIMIT}.",
    )
    return ReadArgs(require_text(values, "path"), start_line, limit)


def approval_summary(args: ReadArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    return summarize_call("Read the file ", args.path, config)


INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "File to read (relative to project root or absolute within it).",
        },
        "start_line": {
            "type": "integer",
            "description": "Number of the first line to return (1-based).",
            "default": 1,
            "minimum": 1,
        },
        "limit": {
            "type": "integer",
            "description": f"Max lines to return (1-{MAX_LIMIT}).",
            "default": DEFAULT_LIMIT,
            "minimum": 1,
            "maximum": MAX_LIMIT,
        },
    },
    "required": ["path"],
}
