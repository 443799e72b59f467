r"""Spell hostile file names so that they can neither forge lines nor hide text.

A file name may hold a newline, an escape sequence or a bidirectional mark; in
a listing it then makes entries that do not exist. Such characters are spelled
``\u{A}``, and a byte that is not UTF-8 is spelled ``\x{FF}``. The spelling is
reversible: `unescape_name` undoes `escape_name` for every name. Names without
such characters are never touched, backslashes included.

Pure functions; the caller splits paths into names.
"""

from __future__ import annotations

import re

# Controls, line and paragraph separators, interlinear annotations, lone
# surrogates, and Unicode's Default_Ignorable_Code_Point (invisible by design:
# soft hyphen, zero-width, bidirectional, tag and filler characters), except
# the two selectors U+FE0E and U+FE0F, which choose how a visible sign looks.
_HOSTILE_IN_CONTENT = (
    "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufff9-\\ufffb\\ud800-\\udfff"
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
    "\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufff8"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
_HOSTILE = "\\t\\n\\r" + _HOSTILE_IN_CONTENT
_SPELLING = r"\\(?:u\{([0-9A-F]{1,6})\}|x\{([0-9A-F]{2})\})"
_hostile = re.compile(f"[{_HOSTILE}]")
_hostile_in_content = re.compile(f"[{_HOSTILE_IN_CONTENT}]")
_needs_escape = re.compile(f"[{_HOSTILE}]|{_SPELLING}")
_spelling = re.compile(_SPELLING)

_FIRST_RAW_BYTE, _LAST_RAW_BYTE = 0xDC80, 0xDCFF
_RAW_BYTE_BASE = 0xDC00
_LAST_CODE_POINT = 0x10FFFF


def _spell(character: str) -> str:
    code_point = ord(character)
    if _FIRST_RAW_BYTE <= code_point <= _LAST_RAW_BYTE:
        return f"\\x{{{code_point - _RAW_BYTE_BASE:02X}}}"
    return f"\\u{{{code_point:X}}}"


def is_plain(text: str) -> bool:
    """Tell whether text is printable ASCII without a backslash; so are joined names, if each is."""
    return text.isascii() and text.isprintable() and "\\" not in text


def escape_name(name: str) -> str:
    r"""Return one name with every hostile character spelled out.

    A backslash is spelled out only if it would read as the start of one of our
    spellings, so that no two names look the same.

    >>> escape_name("a\nb")
    'a\\u{A}b'
    >>> escape_name(r"plain \ name")
    'plain \\ name'
    """
    if is_plain(name):
        return name
    return _needs_escape.sub(
        lambda match: _spell(match[0]) if len(match[0]) == 1 else _spell("\\") + match[0][1:], name
    )


def escape_path(path: str) -> str:
    """Return a path with each of its names escaped."""
    if is_plain(path):
        return path
    return "/".join(map(escape_name, path.split("/")))


def escape_controls(text: str) -> str:
    """Return an agent's text, which may hold our spellings, with hostile characters spelled out."""
    return _hostile.sub(lambda match: _spell(match[0]), text)


def unescape_name(name: str) -> str:
    r"""Return the name that `escape_name` spelled out: its inverse.

    >>> unescape_name("a\\u{A}b")
    'a\nb'
    """
    if "\\" not in name:
        return name

    def read(match: re.Match[str]) -> str:
        if match[2] is not None:
            byte = int(match[2], 16)
            return chr(_RAW_BYTE_BASE + byte) if byte >= 0x80 else match[0]  # noqa: PLR2004  # ASCII is always valid
        code_point = int(match[1], 16)
        return chr(code_point) if code_point <= _LAST_CODE_POINT else match[0]

    return _spelling.sub(read, name)


def count_hostile(text: str) -> int:
    """Return how many characters could forge or hide something; line ends and tabs do not count."""
    return len(hostile_in(text))


def hostile_in(text: str) -> list[str]:
    """Return the characters that `count_hostile` counts, as often as they occur."""
    return _hostile_in_content.findall(text)
