"""`Glob`: the files whose path below a directory matches a pattern.

Specified in forge_glob.md.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from treeglass.summary import summarize
from treeglass.tool import Tool, ToolArguments, ToolContext, ToolResult
from treeglass.tools.forge.sibling_arguments import (
    SiblingArgs,
    Size,
    parse_model,
    report_failure,
)

if TYPE_CHECKING:
    from treeglass.config import Config

NAME = "Glob"
DEFAULT_LIMIT = 1000
MAX_LIMIT = 10_000
"""Most paths of one answer; a larger `limit` counts as this."""

INPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": 'Glob for paths below the directory, such as "src/**/*.{ts,tsx}".',
        },
        "path": {
            "type": "string",
            "default": ".",
            "description": "Directory to look in.",
        },
        "hidden": {
            "type": "boolean",
            "default": False,
            "description": "Whether hidden files and directories count.",
        },
        "limit": {
            "type": "integer",
            "default": DEFAULT_LIMIT,
            "description": f"Most paths to return, 1 to {MAX_LIMIT}.",
        },
    },
    "required": ["pattern"],
    "additionalProperties": False,
}


class GlobArgs(SiblingArgs):
    """The arguments of one call."""

    pattern: str
    path: str | None = None
    hidden: bool = False
    limit: Size | None = None


def parse_arguments(arguments: ToolArguments, _config: object) -> GlobArgs:
    """Return validated arguments; what they mean is checked by `run`.

    Raises:
        InvalidArguments: A field is missing or of the wrong type.
    """
    return parse_model(GlobArgs, arguments)


def run(args: GlobArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the paths; see `glob_run.run`."""
    # Imported late: a page that never searches does not fetch it.
    from treeglass.tools.forge.searching import glob_run  # noqa: PLC0415

    return glob_run.run(args, context)


def approval_summary(args: GlobArgs, config: Config) -> str:
    """Return `Glob in <path> for <pattern>`."""
    is_escaped = config.tools.output.escape_names
    return summarize("Glob in ", args.path or ".", is_escaped=is_escaped, pattern=args.pattern)


GLOB = Tool(
    name=NAME,
    title="Find files by name",
    description=(
        "Find files whose path matches a glob pattern. It matches paths and reads no content."
    ),
    family="forge",
    input_schema=INPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=run,
    report_error=partial(report_failure, tool=NAME),
    approval_summary=approval_summary,
)
