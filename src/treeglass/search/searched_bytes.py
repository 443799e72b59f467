"""A file's bytes as ripgrep searches them: without a byte order mark, and with its rule of NULs."""

from __future__ import annotations

import codecs

WINDOW_BYTES = 65_536
"""The size of ripgrep's first read, and of each after the last whole line of a window."""

# Not `bytes.decode`, which imports a module for the codec that pages lack.
_UTF_16 = {
    codecs.BOM_UTF16_LE: codecs.utf_16_le_decode,
    codecs.BOM_UTF16_BE: codecs.utf_16_be_decode,
}


def without_mark(content: bytes) -> bytes:
    """Return the bytes in UTF-8 without a byte order mark; UTF-16 is decoded by its mark."""
    for mark, decode in _UTF_16.items():
        if content.startswith(mark):
            text, _ = decode(content[len(mark) :], "replace", True)  # noqa: FBT003
            return text.encode("utf-8", "replace")
    return content.removeprefix(codecs.BOM_UTF8)


def is_hidden_by_nul(content: bytes, match_end: int) -> bool:
    """Tell whether a NUL hides a file that a walk has found.

    It does if a window has one, up to and with the window in which the first line that matches
    ends, behind its line feed. The first read is 3 bytes, for the mark. What is searched of a
    window ends at its last line feed, and the next window begins behind that.
    """
    first_nul = content.find(b"\0")
    if first_nul < 0:
        return False
    start = 0
    length = 3 if b"\n" in content[:3] else WINDOW_BYTES
    while start < len(content):
        end = min(start + length, len(content))
        line_end = content.rfind(b"\n", start, end) + 1
        if end < len(content) and not line_end:
            # A full window without a line feed grows, until it has one or the file ends.
            length *= 3
            continue
        if first_nul < end:
            return True
        searched = line_end if end < len(content) else end
        if match_end <= searched:
            return False
        start, length = searched, WINDOW_BYTES
    return False
