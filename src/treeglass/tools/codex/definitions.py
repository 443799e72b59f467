"""The codex tools as values."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import Tool, late
from treeglass.tools.codex import list_dir, read_file
from treeglass.tools.codex.arguments import (
    GREP_FILES_EXAMPLE,
    LIST_DIR_EXAMPLE,
    READ_FILE_EXAMPLE,
    GrepFilesArgs,
    ListDirArgs,
    ReadFileArgs,
    input_schema,
    parse_grep_files,
    parse_list_dir,
    parse_read_file,
    summarize_grep_files,
    summarize_list_dir,
    summarize_read_file,
)
from treeglass.tools.codex.errors import report_error

_FAMILY: Final = "codex"

LIST_DIR: Final[Tool[ListDirArgs]] = Tool(
    name="list_dir",
    title="List directory",
    description=(
        "List the entries of a directory and of the directories below it, page by page. "
        "Entry numbers count from 1, and a label after each name tells its type: "
        "/ directory, @ symbolic link, ? other, nothing for a file."
    ),
    family=_FAMILY,
    example=LIST_DIR_EXAMPLE,
    input_schema=input_schema(ListDirArgs),
    parse_arguments=parse_list_dir,
    run=list_dir.run,
    report_error=partial(report_error, tool_name="list_dir"),
    approval_summary=summarize_list_dir,
)

READ_FILE: Final[Tool[ReadFileArgs]] = Tool(
    name="read_file",
    title="Read file",
    description=(
        "Read a text file, each line after its number (counted from 1): a slice of lines, "
        "or the indented block around one line."
    ),
    family=_FAMILY,
    example=READ_FILE_EXAMPLE,
    input_schema=input_schema(ReadFileArgs),
    parse_arguments=parse_read_file,
    run=read_file.run,
    report_error=partial(report_error, tool_name="read_file"),
    approval_summary=summarize_read_file,
)

GREP_FILES: Final[Tool[GrepFilesArgs]] = Tool(
    name="grep_files",
    title="Search files",
    description=(
        "Find the files that have a line which matches a regular expression, and list their "
        "paths, the newest first."
    ),
    family=_FAMILY,
    example=GREP_FILES_EXAMPLE,
    input_schema=input_schema(GrepFilesArgs),
    parse_arguments=parse_grep_files,
    run=late("treeglass.tools.codex.grep_files"),
    report_error=partial(report_error, tool_name="grep_files"),
    approval_summary=summarize_grep_files,
)

TOOLS = (LIST_DIR, READ_FILE, GREP_FILES)
