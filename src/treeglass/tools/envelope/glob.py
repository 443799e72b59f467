"""`Glob`: files whose path matches a pattern, in a Standard Envelope."""

from __future__ import annotations

from typing import Final

from treeglass.tool import Tool, ToolContext, ToolResult
from treeglass.tools.envelope.glob_arguments import (
    INPUT_SCHEMA,
    GlobArgs,
    approval_summary,
    parse_arguments,
)
from treeglass.tools.envelope.search_root import report_error
from treeglass.tools.envelope.sibling_schemas import GLOB_OUTPUT_SCHEMA


def run(args: GlobArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the paths that match; see `glob_search.run`."""
    # Imported late: a page that never searches does not fetch it.
    from treeglass.tools.envelope.searching import glob_search  # noqa: PLC0415

    return glob_search.run(args, context)


GLOB: Final[Tool[GlobArgs]] = Tool(
    name="Glob",
    title="Find files by name",
    description=(
        "Find files by a glob pattern relative to a search root. It matches paths and reads no "
        "content; noisy directories such as node_modules are skipped unless asked for."
    ),
    family="envelope",
    input_schema=INPUT_SCHEMA,
    output_schema=GLOB_OUTPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=run,
    report_error=report_error,
    approval_summary=approval_summary,
)
