"""The envelope tools that change, as values; a page fetches them once one of them is offered."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import CHANGING, Tool, late
from treeglass.tools.envelope.changes import arguments, schemas
from treeglass.tools.envelope.changes.errors import report_change_error

WRITE: Final[Tool[arguments.WriteArgs]] = Tool(
    name="Write",
    title="Write a file",
    description=(
        "Create a file, or replace the whole of one; missing directories are made. "
        "Read a file before you replace it, and prefer `Edit` for a part of it."
    ),
    family="envelope",
    example={"path": "docs/notes.md", "content": "# Notes\n"},
    input_schema=schemas.WRITE_INPUT_SCHEMA,
    output_schema=schemas.WRITE_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_write,
    run=late("treeglass.tools.envelope.changes.write"),
    report_error=partial(report_change_error, tool_name="Write"),
    approval_summary=arguments.summarize_write,
    **CHANGING,
)

EDIT: Final[Tool[arguments.EditArgs]] = Tool(
    name="Edit",
    title="Edit a file",
    description=(
        "Replace one text of a file that was read before. `old_string` must occur once, "
        "exactly as the file has it, without the line numbers of `Read`."
    ),
    family="envelope",
    example={"path": "src/main.py", "old_string": "return 1", "new_string": "return 2"},
    input_schema=schemas.EDIT_INPUT_SCHEMA,
    output_schema=schemas.EDIT_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_edit,
    run=late("treeglass.tools.envelope.changes.edit"),
    report_error=partial(report_change_error, tool_name="Edit"),
    approval_summary=arguments.summarize_edit,
    **CHANGING,
)

MULTI_EDIT: Final[Tool[arguments.MultiEditArgs]] = Tool(
    name="MultiEdit",
    title="Edit a file in several places",
    description=(
        "Replace several texts of a file that was read before, all of them or none. Each "
        "`old_string` must occur once in the file as it is now; the places must not overlap."
    ),
    family="envelope",
    example={
        "path": "src/main.py",
        "edits": [
            {"old_string": "return 1", "new_string": "return 2"},
            {"old_string": "import os\n", "new_string": ""},
        ],
    },
    input_schema=schemas.MULTI_EDIT_INPUT_SCHEMA,
    output_schema=schemas.MULTI_EDIT_OUTPUT_SCHEMA,
    parse_arguments=arguments.parse_multi_edit,
    run=late("treeglass.tools.envelope.changes.multi_edit"),
    report_error=partial(report_change_error, tool_name="MultiEdit"),
    approval_summary=arguments.summarize_multi_edit,
    **CHANGING,
)

TOOLS = (WRITE, EDIT, MULTI_EDIT)
