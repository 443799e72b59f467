"""The arguments of `Grep`: the published schema, and the sentences for wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.tools.envelope.arguments import require_text, summarize_call

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import ToolArguments


MAX_INCLUDE_LENGTH = 4096
"""Longest `include`. Unit: code points."""


class GrepArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored, `limit` too."""

    pattern: str
    path: str
    include: str | None
    case_sensitive: bool


def parse_arguments(arguments: ToolArguments, config: Config) -> GrepArgs:  # noqa: ARG001  # nothing of Grep is configured
    """Return validated arguments; the regex is compiled by `run`.

    Raises:
        InvalidArguments: One of them is wrong; the sentence is about the first of
            pattern, include, case_sensitive and path.
    """
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
    return GrepArgs(pattern, require_text(values, "path", "."), include, case_sensitive)


def approval_summary(args: GrepArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    return summarize_call("Search in ", args.path, config, args.pattern)


INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": "Regular expression in Python's dialect, looked for in each line.",
        },
        "path": {
            "type": "string",
            "description": (
                "Directory to search (relative to project root or absolute within it)."
            ),
            "default": ".",
        },
        "include": {
            "type": "string",
            "description": "Glob that the path of a file must match from the right, as '*.py'.",
            "default": None,
        },
        "case_sensitive": {
            "type": "boolean",
            "description": "Whether case counts.",
            "default": False,
        },
    },
    "required": ["pattern"],
}
