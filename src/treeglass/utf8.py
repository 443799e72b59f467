"""Turn bytes and host names into valid text, sort names, and cut text at a number of bytes."""

from __future__ import annotations

import re

_HALF_OF_A_PAIR = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates that carry no byte; a name of Windows may hold them."""

_ELLIPSIS = "…"

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's White_Space, which Rust trims; `str.strip` takes U+001C to U+001F too."""


def decode_lossy(raw: bytes) -> str:
    """Decode bytes as UTF-8 with U+FFFD for each maximal invalid subpart.

    A byte order mark stays. Rust's ``from_utf8_lossy`` and the WHATWG decoder
    give the same text.
    """
    return raw.decode("utf-8", "replace")


def lossy_text(name: str) -> str:
    """Return a name of the host as valid text.

    Python carries the invalid bytes of a name as lone surrogates; each maximal
    invalid subpart becomes U+FFFD, as `decode_lossy` does for bytes. So does half of
    a surrogate pair, which only Windows stores.
    """
    if name.isascii():
        return name
    return decode_lossy(
        _HALF_OF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", name).encode("utf-8", "surrogateescape")
    )


def raw_bytes(name: str) -> bytes:
    """Return the bytes of a name on the host, or on Windows those that name it alone."""
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")


def by_lossy_name(name: str) -> tuple[str, bytes]:
    """Order names of the host by their lossy text, twins by their raw bytes."""
    return lossy_text(name), raw_bytes(name)


def by_lower_case(name: str) -> tuple[str, str, bytes]:
    """Order names without regard to case, then by the name itself."""
    text = lossy_text(name)
    return text.lower(), text, raw_bytes(name)


def byte_length(text: str) -> int:
    """Return the length of valid text in UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode())


def cut_to_bytes(text: str, max_bytes: int) -> str:
    """Return the longest prefix of whole code points within ``max_bytes`` bytes.

    >>> cut_to_bytes("aé", 2)
    'a'
    """
    if byte_length(text) <= max_bytes:
        return text
    return text.encode()[:max_bytes].decode("utf-8", "ignore")


def cut_with_marker(text: str, max_bytes: int, marker: str) -> str:
    """Return text within ``max_bytes`` bytes, its end replaced by an ASCII marker if it is longer.

    >>> cut_with_marker("abcdef", 5, "...")
    'ab...'
    """
    if byte_length(text) <= max_bytes:
        return text
    room = max_bytes - len(marker)
    return cut_to_bytes(text, room) + marker if room > 0 else marker[:max_bytes]


def cut_middle_to_bytes(text: str, max_bytes: int) -> str:
    """Return valid text within ``max_bytes`` bytes, an ellipsis for a middle that is left out.

    Fewer than three bytes do not hold the ellipsis and give an empty text.

    >>> cut_middle_to_bytes("Path '/a/b/c/d' is missing", 15)
    "Path '…issing"
    """
    raw = text.encode()
    if len(raw) <= max_bytes:
        return text
    kept = max_bytes - len(_ELLIPSIS.encode())
    if kept < 0:
        return ""
    end = raw[len(raw) - kept // 2 :].decode("utf-8", "ignore")
    return raw[: kept - kept // 2].decode("utf-8", "ignore") + _ELLIPSIS + end


def is_encodable(text: str) -> bool:
    """Tell whether text is free of lone surrogates, so that it can be UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
