"""The arguments of the envelope tools that change, the sentences for wrong ones, and summaries.

The expected time and size of a file are not here: they count only for a file that exists, and
`lock` checks them. Implements Write.md 2, Edit.md 2 and MultiEdit.md 2, what needs no tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.summary import summarize
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments
    from treeglass.config import Config


class WriteArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    path: str
    content: str
    dry_run: bool


class Replacement(NamedTuple):
    """A text that occurs once, and what takes its place."""

    old: str
    """Never empty."""
    new: str


class EditArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored."""

    path: str
    replacement: Replacement
    dry_run: bool


class MultiEditArgs(NamedTuple):
    """The arguments of one call; unknown keys are ignored, those of an edit too."""

    path: str
    replacements: tuple[Replacement, ...]
    """At least one."""
    dry_run: bool


def parse_write(arguments: ToolArguments, _config: object) -> WriteArgs:
    """Return validated arguments, or refuse the first wrong one (Write.md 2, 1 to 5)."""
    values = arguments.values
    path = _require_path(values)
    content = values.get("content")
    if content is None:
        raise InvalidArguments("Parameter 'content' is required.")
    if not isinstance(content, str):
        raise InvalidArguments("Parameter 'content' must be a string.")
    dry_run = _require_flag(values)
    return WriteArgs(_require_relative(path), content, dry_run)


def parse_edit(arguments: ToolArguments, _config: object) -> EditArgs:
    """Return validated arguments, or refuse the first wrong one (Edit.md 2, 1 to 6)."""
    values = arguments.values
    path = _require_path(values)
    replacement = _require_replacement(values, "Parameter ")
    dry_run = _require_flag(values)
    return EditArgs(_require_relative(path), replacement, dry_run)


def parse_multi_edit(arguments: ToolArguments, _config: object) -> MultiEditArgs:
    """Return validated arguments, or refuse the first wrong one (MultiEdit.md 2)."""
    values = arguments.values
    path = _require_path(values)
    edits = values.get("edits")
    if not isinstance(edits, list) or not edits:
        raise InvalidArguments("Parameter 'edits' must be a non-empty array.")
    replacements = []
    for index, edit in enumerate(edits):
        if not isinstance(edit, dict):
            raise InvalidArguments(
                f"Edit at index {index} must be an object with 'old_string' and 'new_string'."
            )
        replacements.append(_require_replacement(edit, f"Edit at index {index}: "))
    dry_run = _require_flag(values)
    return MultiEditArgs(_require_relative(path), tuple(replacements), dry_run)


def _require_path(values: Mapping[str, Any]) -> str:
    path = values.get("path")
    if not isinstance(path, str) or not path:
        raise InvalidArguments("Parameter 'path' must be a non-empty string.")
    return path


def _require_relative(path: str) -> str:
    if path.startswith("/"):
        raise InvalidArguments("Absolute path not allowed. Use relative path.")
    return path


def _require_flag(values: Mapping[str, Any]) -> bool:
    flag = values.get("dry_run", False)
    if not isinstance(flag, bool):
        raise InvalidArguments("Parameter 'dry_run' must be a boolean.")
    return flag


def _require_replacement(values: Mapping[str, Any], subject: str) -> Replacement:
    old, new = values.get("old_string"), values.get("new_string")
    if not isinstance(old, str):
        raise InvalidArguments(f"{subject}'old_string' must be a string.")
    if not old:
        raise InvalidArguments(
            f"{subject}'old_string' cannot be empty. Provide the exact text to replace."
        )
    if not isinstance(new, str):
        raise InvalidArguments(f"{subject}'new_string' must be a string (can be empty to delete).")
    return Replacement(old, new)


def summarize_write(args: WriteArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    size = byte_length(args.content)
    behind = f" with {size:,} byte{'s' * (size != 1)}{_tried(args)}"
    return summarize("Write the file ", args.path, config, behind=behind, quote="'")


def summarize_edit(args: EditArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    old, behind = args.replacement.old, _tried(args)
    return summarize(
        "Edit the file ", args.path, config, pattern=old, between=" at ", behind=behind, quote="'"
    )


def summarize_multi_edit(args: MultiEditArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    count = len(args.replacements)
    behind = f" at {count:,} place{'s' * (count != 1)}{_tried(args)}"
    return summarize("Edit the file ", args.path, config, behind=behind, quote="'")


def _tried(args: WriteArgs | EditArgs | MultiEditArgs) -> str:
    return ", as a dry run" if args.dry_run else ""
