"""The forge tools as values. `list_directory` implements FR-LD-DEF-01 to FR-LD-DEF-04."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import Tool, late
from treeglass.tools.forge import list_directory
from treeglass.tools.forge.arguments import (
    GlobArgs,
    ListDirectoryArgs,
    ReadArgs,
    SearchArgs,
    parse_glob,
    parse_list_directory,
    parse_read,
    parse_search,
    summarize_glob,
    summarize_list_directory,
    summarize_read,
    summarize_search,
)
from treeglass.tools.forge.errors import report_error, report_listing_error
from treeglass.tools.forge.schemas import (
    GLOB_INPUT_SCHEMA,
    LIST_DIRECTORY_INPUT_SCHEMA,
    LIST_DIRECTORY_OUTPUT_SCHEMA,
    READ_INPUT_SCHEMA,
    SEARCH_INPUT_SCHEMA,
)

_FAMILY: Final = "forge"

LIST_DIRECTORY: Final[Tool[ListDirectoryArgs]] = Tool(
    name="list_directory",
    title="List directory entries",
    description="List directory entries",
    family=_FAMILY,
    example={"path": ".", "recursive": True, "max_depth": 2},
    input_schema=LIST_DIRECTORY_INPUT_SCHEMA,
    output_schema=LIST_DIRECTORY_OUTPUT_SCHEMA,
    parse_arguments=parse_list_directory,
    run=list_directory.run,
    report_error=report_listing_error,
    approval_summary=summarize_list_directory,
)

SEARCH: Final[Tool[SearchArgs]] = Tool(
    name="Search",
    title="Search in files",
    description=(
        "Find the lines of files that match a regular expression or a text. Only pattern is "
        "required. To find files by name, use a tool that matches paths."
    ),
    family=_FAMILY,
    example={"pattern": "class Main", "path": "src", "include_glob": ["*.py"]},
    input_schema=SEARCH_INPUT_SCHEMA,
    parse_arguments=parse_search,
    run=late("treeglass.tools.forge.search"),
    report_error=partial(report_error, tool_name="Search"),
    approval_summary=summarize_search,
    risk_level="medium",
)

READ: Final[Tool[ReadArgs]] = Tool(
    name="Read",
    title="Read file",
    description="Read a file, or a range of its lines.",
    family=_FAMILY,
    example={"path": "src/main.py", "start_line": 1, "end_line": 200},
    input_schema=READ_INPUT_SCHEMA,
    parse_arguments=parse_read,
    run=late("treeglass.tools.forge.read"),
    report_error=partial(report_error, tool_name="Read"),
    approval_summary=summarize_read,
)

GLOB: Final[Tool[GlobArgs]] = Tool(
    name="Glob",
    title="Find files by name",
    description=(
        "Find files whose path matches a glob pattern. It matches paths and reads no content."
    ),
    family=_FAMILY,
    example={"pattern": "**/*.py", "path": "src"},
    input_schema=GLOB_INPUT_SCHEMA,
    parse_arguments=parse_glob,
    run=late("treeglass.tools.forge.glob"),
    report_error=partial(report_error, tool_name="Glob"),
    approval_summary=summarize_glob,
)

TOOLS = (LIST_DIRECTORY, SEARCH, READ, GLOB)
