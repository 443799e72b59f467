"""The forge tools that only read, as values (FR-LD-DEF-01 to FR-LD-DEF-04)."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.summary import summarize
from treeglass.tool import Tool, late
from treeglass.tools.forge import arguments, list_directory, schemas
from treeglass.tools.forge.errors import report_error, report_listing_error

_FAMILY: Final = "forge"

LIST_DIRECTORY: Final[Tool[arguments.ListDirectoryArgs]] = Tool(
    name="list_directory",
    title="List directory entries",
    description="List directory entries",
    family=_FAMILY,
    example={"path": ".", "recursive": True, "max_depth": 2},
    input_schema=schemas.LIST_DIRECTORY_INPUT_SCHEMA,
    output_schema=schemas.LIST_DIRECTORY_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_list_directory,
    run=list_directory.run,
    report_error=report_listing_error,
    approval_summary=arguments.summarize_list_directory,
)

SEARCH: Final[Tool[arguments.SearchArgs]] = Tool(
    name="Search",
    title="Search in files",
    description=(
        "Find the lines of files that match a regular expression or a text. Only pattern is "
        "required. To find files by name, use a tool that matches paths."
    ),
    family=_FAMILY,
    example={"pattern": "class Main", "path": "src", "include_glob": ["*.py"]},
    input_schema=schemas.SEARCH_INPUT_SCHEMA,
    parse_arguments=arguments.parse_search,
    run=late("treeglass.tools.forge.search"),
    report_error=partial(report_error, tool_name="Search"),
    approval_summary=lambda args, config: summarize(
        "Search ", args.path or ".", config, pattern=args.pattern
    ),
    risk_level="medium",
)

READ: Final[Tool[arguments.ReadArgs]] = Tool(
    name="Read",
    title="Read file",
    description="Read a file, or a range of its lines.",
    family=_FAMILY,
    example={"path": "src/main.py", "start_line": 1, "end_line": 200},
    input_schema=schemas.READ_INPUT_SCHEMA,
    parse_arguments=partial(arguments.parse, arguments.ReadArgs),
    run=late("treeglass.tools.forge.read"),
    report_error=partial(report_error, tool_name="Read"),
    approval_summary=arguments.summarize_read,
)

GLOB: Final[Tool[arguments.GlobArgs]] = Tool(
    name="Glob",
    title="Find files by name",
    description=(
        "Find files whose path matches a glob pattern. It matches paths and reads no content."
    ),
    family=_FAMILY,
    example={"pattern": "**/*.py", "path": "src"},
    input_schema=schemas.GLOB_INPUT_SCHEMA,
    parse_arguments=partial(arguments.parse, arguments.GlobArgs),
    run=late("treeglass.tools.forge.glob"),
    report_error=partial(report_error, tool_name="Glob"),
    approval_summary=lambda args, config: summarize(
        "Glob in ", args.path or ".", config, pattern=args.pattern
    ),
)

TOOLS = (LIST_DIRECTORY, SEARCH, READ, GLOB)
