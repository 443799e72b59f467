"""The envelope tools that only read, as values.

The published `Grep` calls ripgrep where it can, and otherwise Python; this is the second of the
two, which says so in every answer.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.summary import summarize
from treeglass.tool import Tool, late
from treeglass.tools.envelope import arguments, ls, read, schemas
from treeglass.tools.envelope.envelope_schema import LS_OUTPUT_SCHEMA
from treeglass.tools.envelope.errors import report_error

_FAMILY: Final = "envelope"

LS: Final[Tool[arguments.LsArgs]] = Tool(
    name="LS",
    title="List files",
    description="List files and directories in a given path with pagination and filters.",
    family=_FAMILY,
    example={"path": ".", "limit": 100},
    input_schema=schemas.LS_INPUT_SCHEMA,
    output_schema=LS_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_ls,
    run=ls.run,
    report_error=partial(report_error, tool_name="LS"),
    approval_summary=lambda args, config: summarize(
        "List the directory ", args.path, config, quote="'"
    ),
)

READ: Final[Tool[arguments.ReadArgs]] = Tool(
    name="Read",
    title="Read a text file",
    description=(
        "Read a text file with line numbers. Use it rather than a shell's `cat`; "
        "page through a long file with `start_line` and `limit`."
    ),
    family=_FAMILY,
    example={"path": "src/main.py", "start_line": 1, "limit": 200},
    input_schema=schemas.READ_INPUT_SCHEMA,
    output_schema=schemas.READ_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_read,
    run=read.run,
    report_error=partial(report_error, tool_name="Read"),
    approval_summary=lambda args, config: summarize("Read the file ", args.path, config, quote="'"),
)

GLOB: Final[Tool[arguments.GlobArgs]] = Tool(
    name="Glob",
    title="Find files by name",
    description=(
        "Find files by a glob pattern relative to a search root. It matches paths and reads no "
        "content; noisy directories such as node_modules are skipped unless asked for."
    ),
    family=_FAMILY,
    example={"pattern": "**/*.py", "path": "src"},
    input_schema=schemas.GLOB_INPUT_SCHEMA,
    output_schema=schemas.GLOB_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_glob,
    run=late("treeglass.tools.envelope.glob"),
    report_error=partial(report_error, tool_name="Glob"),
    approval_summary=lambda args, config: summarize(
        "Find files in ", args.path, config, pattern=args.pattern, quote="'"
    ),
)

GREP: Final[Tool[arguments.GrepArgs]] = Tool(
    name="Grep",
    title="Search file contents",
    description=(
        "Search the contents of files for a regular expression, newest files first. "
        "Use it rather than a shell's `grep`; `include` is a glob for the files, and noisy "
        "directories such as node_modules are skipped."
    ),
    family=_FAMILY,
    example={"pattern": "class Main", "path": "src", "include": "*.py"},
    input_schema=schemas.GREP_INPUT_SCHEMA,
    output_schema=schemas.GREP_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_grep,
    run=late("treeglass.tools.envelope.grep"),
    report_error=partial(report_error, tool_name="Grep"),
    approval_summary=lambda args, config: summarize(
        "Search in ", args.path, config, pattern=args.pattern, quote="'"
    ),
)

TOOLS = (LS, READ, GLOB, GREP)
