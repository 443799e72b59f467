"""The forge tools that change, as values; a page fetches them once one of them is offered."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import CHANGING, Tool, late
from treeglass.tools.forge.changes import arguments
from treeglass.tools.forge.changes.errors import report_change_error

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
    family="forge",
    example={"patch": "LP1\nF notes.md\nT\n# Notes\n.\nN +\nEND\n"},
    input_schema=arguments.EDIT_INPUT_SCHEMA,
    parse_arguments=arguments.parse_edit,
    run=late("treeglass.tools.forge.changes.edit"),
    report_error=partial(report_change_error, tool_name="Edit"),
    approval_summary=arguments.summarize_edit,
    **CHANGING,
)

WRITE: Final[Tool[arguments.WriteArgs]] = Tool(
    name="Write",
    title="Write a new file",
    description="Make a new file, and the directories above it. To change one, use `Edit`.",
    family="forge",
    example={"path": "notes/new.md", "content": "# Notes\n"},
    input_schema=arguments.WRITE_INPUT_SCHEMA,
    parse_arguments=arguments.parse_write,
    run=late("treeglass.tools.forge.changes.write"),
    report_error=partial(report_change_error, tool_name="Write"),
    approval_summary=arguments.summarize_write,
    **CHANGING,
)

TOOLS = (EDIT, WRITE)
