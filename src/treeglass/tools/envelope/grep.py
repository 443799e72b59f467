"""`Grep`: lines that match a regular expression, in a Standard Envelope.

The published tool calls ripgrep where it can, and otherwise Python; this is the second of the two,
which says so in every answer.
"""

from __future__ import annotations

from typing import Final

from treeglass.tool import Tool, ToolContext, ToolResult
from treeglass.tools.envelope.grep_arguments import (
    INPUT_SCHEMA,
    GrepArgs,
    approval_summary,
    parse_arguments,
)
from treeglass.tools.envelope.search_root import report_error
from treeglass.tools.envelope.sibling_schemas import GREP_OUTPUT_SCHEMA


def run(args: GrepArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the lines that match; see `grep_answer.run`."""
    # Imported late: a page that never searches does not fetch it.
    from treeglass.tools.envelope.searching import grep_answer  # noqa: PLC0415

    return grep_answer.run(args, context)


GREP: Final[Tool[GrepArgs]] = Tool(
    name="Grep",
    title="Search file contents",
    description=(
        "Search the contents of files for a regular expression, newest files first. "
        "Use it rather than a shell's `grep`; `include` is a glob for the files, and noisy "
        "directories such as node_modules are skipped."
    ),
    family="envelope",
    input_schema=INPUT_SCHEMA,
    output_schema=GREP_OUTPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=run,
    report_error=report_error,
    approval_summary=approval_summary,
)
