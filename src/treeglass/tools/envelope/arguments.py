"""Checks of arguments that the tools of the family share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treeglass.errors import InvalidArguments
from treeglass.summary import summarize

if TYPE_CHECKING:
    from treeglass.config import Config


def require_integer(value: object, lowest: int, highest: int | None, sentence: str) -> int:
    """Return an integer within its bounds; true and 1.0 are no integers.

    Raises:
        InvalidArguments: It is something else; the text is the sentence.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidArguments(sentence)
    if value < lowest or (highest is not None and value > highest):
        raise InvalidArguments(sentence)
    return value


def require_text(values: dict[str, Any], name: str, default: str | None = None) -> str:
    """Return an argument that must be a text.

    Raises:
        InvalidArguments: It is something else.
    """
    value = values.get(name, default)
    if not isinstance(value, str):
        raise InvalidArguments(f"{name} must be a string.")
    return value


def summarize_call(before: str, path: str, config: Config, pattern: str | None = None) -> str:
    """Return the summary for a person who approves a call."""
    is_escaped = config.tools.output.escape_names
    return summarize(before, path, is_escaped=is_escaped, pattern=pattern, quote="'")
