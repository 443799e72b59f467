"""The codex tool that changes, as a value; a page fetches it once a configuration offers it."""

from __future__ import annotations

from functools import partial
from typing import Final

from treeglass.tool import CHANGING, Tool, late
from treeglass.tools.codex.changes import arguments
from treeglass.tools.codex.errors import report_error

PATCH_GRAMMAR: Final = r"""start: begin hunk+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?

hunk: added | deleted | updated
added: "*** Add File: " PATH LF (NEW_LINE LF)+
deleted: "*** Delete File: " PATH LF
updated: "*** Update File: " PATH LF moved? body?
moved: "*** Move to: " PATH LF

body: ((MARKER | CHANGE) LF)+ end_of_file?
end_of_file: "*** End of File" LF

PATH: /.+/
NEW_LINE: /\+.*/
MARKER: /@@( .+)?/
CHANGE: /[-+ ].*/

%import common.LF
"""
"""The grammar of a patch in Lark's notation, for hosts with tools whose input is a plain text.

Implements apply_patch.md 1. It is stricter than `patch_text`, except that it allows an update and
a context marker without lines, which the parser refuses.
"""

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
