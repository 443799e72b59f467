"""The forge tools as values. `list_directory` implements FR-LD-DEF-01 to FR-LD-DEF-04."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import CHANGING, Tool, late
from treeglass.tools.forge import arguments, list_directory, schemas
from treeglass.tools.forge.errors import report_change_error, report_error, report_listing_error

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
    approval_summary=arguments.summarize_search,
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
    approval_summary=arguments.summarize_glob,
)

EDIT: Final[Tool[arguments.EditArgs]] = Tool(
    name="Edit",
    title="Edit files by a patch",
    description=(
        "Change files by a patch in LP1, whole or not at all. Read the lines that you change "
        "first.\n\n"
        "The patch begins with the line LP1 and ends with the line END. In between, a line "
        '`F path` (or `F "path with blanks"`) names a file, and the operations on it follow, '
        "each on what the ones before it left:\n"
        "R [n] replaces lines: a block to find, then a block to put there.\n"
        "I [n] inserts behind, P [n] before the lines that are found: the same two blocks.\n"
        "E [n] erases lines: a block to find.\n"
        "T appends a block to the file, B puts one at its beginning; both make a new file.\n"
        "N + and N - set whether the last line has a line end.\n"
        "A block is whole lines, exactly as they are in the file, and ends with a line of one "
        "dot; a line that begins with a dot gets a second one. What is looked for has to occur "
        "once, or n says which place counts, from 1 at the top."
    ),
    family=_FAMILY,
    example={"patch": "LP1\nF notes.md\nT\n# Notes\n.\nN +\nEND\n"},
    input_schema=schemas.EDIT_INPUT_SCHEMA,
    parse_arguments=partial(arguments.parse, arguments.EditArgs),
    run=late("treeglass.tools.forge.edit"),
    report_error=partial(report_change_error, tool_name="Edit"),
    approval_summary=arguments.summarize_edit,
    **CHANGING,
)

WRITE: Final[Tool[arguments.WriteArgs]] = Tool(
    name="Write",
    title="Write a new file",
    description="Make a new file, and the directories above it. To change one, use `Edit`.",
    family=_FAMILY,
    example={"path": "notes/new.md", "content": "# Notes\n"},
    input_schema=schemas.WRITE_INPUT_SCHEMA,
    parse_arguments=partial(arguments.parse, arguments.WriteArgs),
    run=late("treeglass.tools.forge.write"),
    report_error=partial(report_change_error, tool_name="Write"),
    approval_summary=arguments.summarize_write,
    **CHANGING,
)

TOOLS = (LIST_DIRECTORY, SEARCH, READ, GLOB, EDIT, WRITE)
