"""`grep_files`: the files whose lines match a regular expression, newest first.

Specified in docs/tools/grep_files.md: ripgrep's walk, globs and regular expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from treeglass.errors import CallTimedOut, TreeglassError
from treeglass.summary import summarize
from treeglass.tool import Tool, ToolArguments, ToolContext, ToolResult
from treeglass.tools.codex.text import (
    FAMILY,
    CodexArgs,
    Unsigned,
    object_schema,
    parse_model,
    report,
)

if TYPE_CHECKING:
    from treeglass.config import Config

MAX_LIMIT = 2000
"""Most paths of one answer; a larger `limit` counts as this."""

_EXAMPLE = '{"pattern": "class Main", "include": "*.py", "path": "/repo/src", "limit": 100}'


class GrepFilesArgs(CodexArgs):
    """Arguments of `grep_files`."""

    pattern: str = Field(description="Regular expression that a line has to match.")
    include: str | None = Field(
        default=None,
        description='Optional glob for the files to search, such as "*.rs" or "*.{ts,tsx}".',
    )
    path: str | None = Field(
        default=None,
        description="Directory or file to search; the working directory by default.",
    )
    limit: Unsigned = Field(default=100, description="Most paths to return, 100 by default.")


def parse_arguments(arguments: ToolArguments, _config: object) -> GrepFilesArgs:
    """Return validated arguments; what they mean is checked by `run`.

    Raises:
        InvalidArguments: A field is missing or of the wrong type.
    """
    return parse_model(GrepFilesArgs, arguments, example=_EXAMPLE)


def run(args: GrepFilesArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the paths of the files; see `grep_run.run`."""
    # Imported late: a page that never searches does not fetch it.
    from treeglass.tools.codex.searching import grep_run  # noqa: PLC0415

    return grep_run.run(args, context)


def report_error(error: Exception, context: ToolContext) -> ToolResult:
    """Return the error answer."""
    if isinstance(error, CallTimedOut):
        seconds = context.timeout_seconds
        shown = int(seconds) if seconds == int(seconds) else seconds
        return _answer_of(TreeglassError(f"rg timed out after {shown} seconds"), context)
    return _answer_of(error, context)


def _answer_of(error: Exception, context: ToolContext) -> ToolResult:
    return report(
        error,
        context,
        tool_name="grep_files",
        failed_to="search",
        limit_hint="ask for less, for example one subdirectory or a narrower include",
    )


def approval_summary(args: GrepFilesArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    where = "the working directory" if args.path is None else args.path
    is_escaped = config.tools.output.escape_names
    return summarize("Search ", where, is_escaped=is_escaped, pattern=args.pattern)


_INPUT_SCHEMA: dict[str, Any] = object_schema(
    GrepFilesArgs,
    {"pattern": "string", "include": "string", "path": "string", "limit": "number"},
    required=["pattern"],
)

GREP_FILES = Tool(
    name="grep_files",
    title="Search files",
    description=(
        "Find the files that have a line which matches a regular expression, and list their "
        "paths, the newest first."
    ),
    family=FAMILY,
    input_schema=_INPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=run,
    report_error=report_error,
    approval_summary=approval_summary,
    supports_parallel_tool_calls=True,
)
