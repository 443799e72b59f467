"""The arguments of `Edit` and `Write`, their schemas and the summaries.

Checked by hand, since a page could build no model late without the whole of pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.summary import MAX_SUMMARY_CHARACTERS, cut_middle, shown_path, summarize
from treeglass.tools.forge.arguments import must_be
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments
    from treeglass.config import Config

EDIT_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"patch": {"type": "string", "description": "The patch, in LP1."}},
    "required": ["patch"],
}

WRITE_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "File to make; directories that are missing above it are made, too.",
        },
        "content": {"type": "string", "description": "All that the file is to hold."},
    },
    "required": ["path", "content"],
    "additionalProperties": False,
}


class EditArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    patch: str
    """In LP1."""


class WriteArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    path: str
    content: str


def parse_edit(arguments: ToolArguments, _config: Config) -> EditArgs:
    """Return validated arguments, or `InvalidArguments`; the patch is checked by `run`."""
    return EditArgs(*_require_strings(arguments, EditArgs._fields))


def parse_write(arguments: ToolArguments, _config: Config) -> WriteArgs:
    """Return validated arguments; `InvalidArguments` names each that is missing or no string."""
    return WriteArgs(*_require_strings(arguments, WriteArgs._fields))


def _require_strings(arguments: ToolArguments, names: tuple[str, ...]) -> list[str]:
    values = arguments.values
    found = [value for name in names if isinstance(value := values.get(name), str)]
    if len(found) == len(names):
        return found
    raise InvalidArguments(
        "; ".join(
            must_be(name, "a string", values[name]) if name in values else f"{name} is missing"
            for name in names
            if not isinstance(values.get(name), str)
        )
    )


def summarize_edit(args: EditArgs, config: Config) -> str:
    """Return `Apply patch to <n> file(s): <paths>`; without paths if the patch has none."""
    # Imported late: a call that is not summarized needs it only after its arguments are right.
    from treeglass.tools.forge.changes.lp1_patch import Lp1Invalid, parse_patch  # noqa: PLC0415

    try:
        sections = parse_patch(args.patch, lambda: None)
    except Lp1Invalid:
        # It changes nothing, and its call says why.
        sections = []
    if not sections:
        return "Apply patch (no files)"
    is_escaped = config.tools.output.escape_names
    paths = ", ".join(shown_path(section.path, is_escaped=is_escaped) for section in sections)
    before = f"Apply patch to {len(sections)} file(s): "
    return before + cut_middle(paths, MAX_SUMMARY_CHARACTERS - len(before))


def summarize_write(args: WriteArgs, config: Config) -> str:
    """Return `Write new file: <path> (<n> bytes)`."""
    size = f" ({byte_length(args.content)} bytes)"
    return summarize("Write new file: ", args.path, config, behind=size)
