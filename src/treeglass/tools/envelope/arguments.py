"""Checks of arguments that the tools of the family share."""

from __future__ import annotations

from typing import Any

from treeglass.errors import InvalidArguments
from treeglass.escaping import escape_controls
from treeglass.redaction import redact_secrets

MAX_SUMMARY_LENGTH = 200
"""Most characters of the summary that a person approves."""


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


def shown(text: str) -> str:
    """Return an argument as a person may see it: secrets redacted, hostile characters spelled."""
    return escape_controls(redact_secrets(text))
