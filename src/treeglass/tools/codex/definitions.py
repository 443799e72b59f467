"""The codex tools that only read, as values."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.summary import summarize
from treeglass.tool import Tool, late
from treeglass.tools.codex import arguments, list_dir, read_file
from treeglass.tools.codex.errors import report_error

_FAMILY: Final = "codex"

LIST_DIR: Final[Tool[arguments.ListDirArgs]] = Tool(
    name="list_dir",
    title="List directory",
    description=(
        "List the entries of a directory and of the directories below it, page by page. "
        "Entry numbers count from 1, and a label after each name tells its type: "
        "/ directory, @ symbolic link, ? other, nothing for a file."
    ),
    family=_FAMILY,
    example=arguments.LIST_DIR_EXAMPLE,
    input_schema=arguments.input_schema(arguments.ListDirArgs),
    parse_arguments=partial(arguments.parse, arguments.ListDirArgs, arguments.LIST_DIR_EXAMPLE),
    run=list_dir.run,
    report_error=partial(report_error, tool_name="list_dir"),
    approval_summary=lambda args, config: summarize("List directory ", args.dir_path, config),
)

READ_FILE: Final[Tool[arguments.ReadFileArgs]] = Tool(
    name="read_file",
    title="Read file",
    description=(
        "Read a text file, each line after its number (counted from 1): a slice of lines, "
        "or the indented block around one line."
    ),
    family=_FAMILY,
    example=arguments.READ_FILE_EXAMPLE,
    input_schema=arguments.input_schema(arguments.ReadFileArgs),
    parse_arguments=arguments.parse_read_file,
    run=read_file.run,
    report_error=partial(report_error, tool_name="read_file"),
    approval_summary=lambda args, config: summarize("Read file ", args.file_path, config),
)

GREP_FILES: Final[Tool[arguments.GrepFilesArgs]] = Tool(
    name="grep_files",
    title="Search files",
    description=(
        "Find the files that have a line which matches a regular expression, and list their "
        "paths, the newest first."
    ),
    family=_FAMILY,
    example=arguments.GREP_FILES_EXAMPLE,
    input_schema=arguments.input_schema(arguments.GrepFilesArgs),
    parse_arguments=partial(arguments.parse, arguments.GrepFilesArgs, arguments.GREP_FILES_EXAMPLE),
    run=late("treeglass.tools.codex.grep_files"),
    report_error=partial(report_error, tool_name="grep_files"),
    approval_summary=lambda args, config: summarize(
        "Search ",
        "the working directory" if args.path is None else args.path,
        config,
        pattern=args.pattern,
    ),
)

TOOLS = (LIST_DIR, READ_FILE, GREP_FILES)
