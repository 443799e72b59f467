"""`Read`: a text file or a range of its lines, or a binary file as base64.

Specified in forge_read.md.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import Field

from treeglass.summary import summarize
from treeglass.tool import Tool, ToolArguments, ToolContext, ToolResult
from treeglass.tools.forge.sibling_arguments import (
    SiblingArgs,
    Word,
    parse_model,
    report_failure,
)

if TYPE_CHECKING:
    from treeglass.config import Config

NAME = "Read"

INPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "File to read."},
        "start_line": {
            "type": "integer",
            "minimum": 1,
            "description": "First line to return; the first of the file by default.",
        },
        "end_line": {
            "type": "integer",
            "minimum": 1,
            "description": "Last line to return; the last of the file by default.",
        },
        "line_numbers": {
            "type": "boolean",
            "default": True,
            "description": "Whether each line begins with its number.",
        },
    },
    "required": ["path"],
}


class ReadArgs(SiblingArgs):
    """The arguments of one call."""

    path: str
    start_line: Word | None = None
    end_line: Word | None = None
    line_numbers: bool = Field(default=True)


def parse_arguments(arguments: ToolArguments, _config: object) -> ReadArgs:
    """Return validated arguments; what they mean is checked by `run`.

    Raises:
        InvalidArguments: A field is missing or of the wrong type.
    """
    return parse_model(ReadArgs, arguments)


def run(args: ReadArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the file; see `read_run.run`."""
    # Imported late: a page that never asks for it does not fetch it.
    from treeglass.tools.forge.searching import read_run  # noqa: PLC0415

    return read_run.run(args, context)


def approval_summary(args: ReadArgs, config: Config) -> str:
    """Return `Read <path>`, with ` lines <start>-<end>` for a range that has a start."""
    end = "" if args.end_line is None else args.end_line
    lines = "" if args.start_line is None else f" lines {args.start_line}-{end}"
    is_escaped = config.tools.output.escape_names
    return summarize("Read ", args.path, is_escaped=is_escaped, behind=lines)


READ = Tool(
    name=NAME,
    title="Read file",
    description="Read a file, or a range of its lines.",
    family="forge",
    input_schema=INPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=run,
    report_error=partial(report_failure, tool=NAME),
    approval_summary=approval_summary,
)
