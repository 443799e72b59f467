"""Read the `path` argument as text: trim, convert, normalise, show; no tree is touched."""

from __future__ import annotations

import re

from treeglass.errors import InvalidArguments
from treeglass.escaping import escape_controls, unescape_name
from treeglass.utf8 import WHITE_SPACE

_invalid = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
_backslash = re.compile(r"\\(?:[ux]\{[0-9A-F]{1,6}\})?")
_drive_root = re.compile("[A-Za-z]:/+")

MAX_SHOWN_CHARACTERS = 200
"""Longest part of an argument that an error text repeats. Unit: characters."""


def normalize_path(text: str, *, is_escaped: bool) -> str:
    r"""Return the requested path in its one normal form, `.` for an empty one.

    White space around it is removed, separators become `/`, repeated ones become one, `.` segments
    and the slash at the end are removed; `/` and `C:/` stay, and so does the case. `..` stays for
    the sandbox to refuse. The backslash of a spelling such as `\u{A}` is no separator, if spellings
    are read. White space alone, a control or a bidirectional mark is `InvalidArguments`. Implements
    FR-LD-VAL-01 and FR-LD-VAL-10.
    """
    trimmed = text.strip(WHITE_SPACE)
    if not trimmed:
        raise InvalidArguments("path must not be empty; give '.' for the working directory")
    if _invalid.search(trimmed):
        raise InvalidArguments("path contains invalid control characters")

    def convert(match: re.Match[str]) -> str:
        if is_escaped and unescape_name(match[0]) != match[0]:
            return match[0]
        return "/" + match[0][1:]

    converted = _backslash.sub(convert, trimmed)
    if _drive_root.fullmatch(converted):
        return converted[:2] + "/"
    joined = "/".join(part for part in converted.split("/") if part not in {"", "."})
    return "/" + joined if converted.startswith("/") else joined or "."


def shown(text: str) -> str:
    """Return an argument as an error text repeats it: spelled out and shortened."""
    if len(text) > MAX_SHOWN_CHARACTERS:
        text = text[: MAX_SHOWN_CHARACTERS - 1] + "…"
    return escape_controls(text)
