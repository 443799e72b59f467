"""The arguments of `apply_patch`, their schema and the summary: apply_patch.md 1.

Checked by hand, since a page could build no model late without the whole of pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.tools.codex.arguments import echo_of, refusal

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments
    from treeglass.config import Config

APPLY_PATCH_EXAMPLE: Final = {
    "input": "*** Begin Patch\n*** Add File: docs/notes.md\n+# Notes\n*** End Patch\n",
}

APPLY_PATCH_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "input": {
            "type": "string",
            "description": "The whole patch, from its begin marker to its end marker.",
        }
    },
    "required": ["input"],
    "additionalProperties": False,
}


class ApplyPatchArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    input: str


def parse_apply_patch(arguments: ToolArguments, _config: Config) -> ApplyPatchArgs:
    """Return validated arguments, or `InvalidArguments` in the words of codex.md 1.2."""
    sentences = ["`input` is given twice"] if "input" in arguments.repeated_keys else []
    patch = arguments.values.get("input")
    if "input" not in arguments.values:
        sentences.append("`input` is missing")
    elif not isinstance(patch, str):
        sentences.append(f"`input` must be a string, not {echo_of(patch)}")
    if sentences or not isinstance(patch, str):
        raise refusal(sentences, APPLY_PATCH_EXAMPLE)
    return ApplyPatchArgs(patch)


def summarize_apply_patch(args: ApplyPatchArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    # Imported late: a call that is not summarized needs it only after its arguments are right.
    from treeglass.tools.codex.changes.patch_summary import summarize_patch  # noqa: PLC0415

    return summarize_patch(args.input, is_escaped=config.tools.output.escape_names)
