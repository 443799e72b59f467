"""The codex tools as values."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import CHANGING, Tool, late
from treeglass.tools.codex import arguments, list_dir, read_file
from treeglass.tools.codex.errors import report_error
from treeglass.tools.codex.patch_grammar import PATCH_GRAMMAR

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
    approval_summary=arguments.summarize_list_dir,
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
    approval_summary=arguments.summarize_read_file,
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
    approval_summary=arguments.summarize_grep_files,
)

APPLY_PATCH: Final[Tool[arguments.ApplyPatchArgs]] = Tool(
    name="apply_patch",
    title="Apply a patch",
    description=(
        "Add, change, move and delete files by one patch. "
        "Where a tool takes plain text, send the patch as it is and not wrapped in JSON."
    ),
    family=_FAMILY,
    example=arguments.APPLY_PATCH_EXAMPLE,
    input_schema=arguments.input_schema(arguments.ApplyPatchArgs),
    parse_arguments=partial(
        arguments.parse, arguments.ApplyPatchArgs, arguments.APPLY_PATCH_EXAMPLE
    ),
    run=late("treeglass.tools.codex.apply_patch"),
    report_error=partial(report_error, tool_name="apply_patch"),
    approval_summary=arguments.summarize_apply_patch,
    free_form_argument="input",
    grammar=PATCH_GRAMMAR,
    **CHANGING,
)

TOOLS = (LIST_DIR, READ_FILE, GREP_FILES, APPLY_PATCH)
