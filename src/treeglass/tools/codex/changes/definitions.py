"""The codex tool that changes, as a value; a page fetches it once a configuration offers it."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import CHANGING, Tool, late
from treeglass.tools.codex.changes import arguments
from treeglass.tools.codex.changes.patch_grammar import PATCH_GRAMMAR
from treeglass.tools.codex.errors import report_error

APPLY_PATCH: Final[Tool[arguments.ApplyPatchArgs]] = Tool(
    name="apply_patch",
    title="Apply a patch",
    description=(
        "Add, change, move and delete files by one patch. "
        "Where a tool takes plain text, send the patch as it is and not wrapped in JSON."
    ),
    family="codex",
    example=arguments.APPLY_PATCH_EXAMPLE,
    input_schema=arguments.APPLY_PATCH_INPUT_SCHEMA,
    parse_arguments=arguments.parse_apply_patch,
    run=late("treeglass.tools.codex.changes.apply_patch"),
    report_error=partial(report_error, tool_name="apply_patch"),
    approval_summary=arguments.summarize_apply_patch,
    free_form_argument="input",
    grammar=PATCH_GRAMMAR,
    **CHANGING,
)

TOOLS = (APPLY_PATCH,)
