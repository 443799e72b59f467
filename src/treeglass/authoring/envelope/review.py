"""Checks of valid envelopes: data against its family's fields, and advice about the text.

`validation.validate_envelope` says what makes an envelope invalid. The checks
here depend on what the tool does, or are advice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from treeglass.authoring.envelope.validation import faults_of, is_framework_form

if TYPE_CHECKING:
    from collections.abc import Mapping

DataFamily = Literal["listing", "globbing", "searching", "reading", "writing"]
"""A kind of tool whose data fields the protocol names."""

MIN_TEXT_LENGTH = 10
"""Shortest text without a remark. Unit: code points."""


class _Shape(BaseModel):
    # Other fields are the tool's own.
    model_config = ConfigDict(defer_build=True, extra="allow", strict=True)


class _ListedEntry(_Shape):
    path: str
    type: Literal["file", "dir", "link"]


class _FoundMatch(_Shape):
    file: str
    line: int
    text: str


class _Listing(_Shape):
    entries: list[_ListedEntry]


class _Globbing(_Shape):
    paths: list[str]


class _Searching(_Shape):
    matches: list[_FoundMatch]


class _Reading(_Shape):
    content: str


class _Writing(_Shape):
    applied: bool


_SHAPES: dict[DataFamily, type[BaseModel]] = {
    "listing": _Listing,
    "globbing": _Globbing,
    "searching": _Searching,
    "reading": _Reading,
    "writing": _Writing,
}

_HINTS = (
    ("data.truncated", ("truncat", "limit", "first", "partial")),
    ("data.fallback", ("fallback", "slower", "python")),
    ("status 'partial'", ("partial", "truncat", "fallback", "incomplete")),
    ("status 'error'", ("try", "check", "use", "run", "verify")),
)


def check_data(envelope: Mapping[str, Any], family: DataFamily) -> list[str]:
    """Return how the data of a valid envelope differs from its family's fields.

    Implements the D-rules of the protocol. Errors and envelopes of the
    framework's output truncation have no family and no violations.

    Returns:
        One sentence for each violation; it begins with the key.
    """
    data = envelope["data"]
    if envelope["status"] == "error" or is_framework_form(data):
        return []
    faults = faults_of(_SHAPES[family], data, "data.")
    if family == "writing" and envelope["status"] == "success" and data.get("applied") is False:
        faults.append("data.applied: false needs the status 'partial'")
    return faults


def review_envelope(envelope: Mapping[str, Any]) -> list[str]:
    """Return advice on a valid envelope; none of it makes the envelope invalid.

    Implements the warning grade of the T-rules of the protocol. Some sentences
    draw a warning although a tool's specification fixes them.
    """
    status, data, text = envelope["status"], envelope["data"], envelope["text"]
    states = {
        "data.truncated": data.get("truncated") is True,
        "data.fallback": "fallback" in data,
        "status 'partial'": status == "partial",
        "status 'error'": status == "error",
    }
    advice = []
    if len(text) < MIN_TEXT_LENGTH:
        advice.append(f"text: has fewer than {MIN_TEXT_LENGTH} characters")
    lower = text.lower()
    advice += [
        f"text: has none of the words {', '.join(words)} that tell of {state}"
        for state, words in _HINTS
        if states[state] and not any(word in lower for word in words)
    ]
    if status == "error" and data and not is_framework_form(data):
        advice.append("data: is usually empty on an error")
    advice += [
        f"context.{key}: should be relative to the project root"
        for key in ("cwd", "path_resolved")
        if str(envelope["context"].get(key, "")).startswith("/")
    ]
    return advice
