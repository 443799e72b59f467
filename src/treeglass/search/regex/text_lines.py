"""The lines of a text, be it `str` or `bytes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Spans = Iterator[tuple[int, int]]
"""The start and the end of each of several parts of a text."""


def line_feed_of(text: str | bytes) -> Any:
    """Return a line feed of the text's own type."""
    return b"\n" if isinstance(text, bytes) else "\n"


def last_line_end(text: str | bytes) -> int:
    """Return where the last line ends: at its line feed, or at the end of the text."""
    return len(text) - text.endswith(line_feed_of(text))


def line_at(text: str | bytes, start: int, at: int, end: int) -> tuple[int, int]:
    """Return where the line of a place begins and ends; a line feed belongs to the line it ends.

    `start` is where this line or one before it begins, `end` where this or one behind it ends.
    """
    line_feed = line_feed_of(text)
    first, last = text.rfind(line_feed, start, at), text.find(line_feed, at, end)
    return max(start, first + 1), end if last < 0 else last


def find_text(text: str | bytes, wanted: str, start: int, end: int) -> int:
    """Return where a text is found; in bytes, its characters are bytes. -1 if it is not."""
    if isinstance(text, bytes):
        return text.find(wanted.encode("latin-1"), start, end)
    return text.find(wanted, start, end)


def pieces(
    text: str | bytes, max_line_characters: int, chunk_characters: int
) -> Iterator[tuple[int, int, bool]]:
    """Yield a text in pieces that end where lines end, and whether its lines are short.

    A piece has at most `chunk_characters`; a longer line is a piece of its own.
    """
    length, line_feed = last_line_end(text), line_feed_of(text)
    at = 0
    while at <= length:
        stop = min(at + chunk_characters, length + 1)
        end = at
        while end < stop:
            window = min(end + max_line_characters + 1, stop)
            # The end of the text counts as a line feed.
            last = length if window > length else text.rfind(line_feed, end, window)
            if last < end:
                break
            end = last + 1
        is_short = end > at
        if not is_short:
            end = line_at(text, at, at, length)[1] + 1
        yield at, end - 1, is_short or end - at <= max_line_characters
        at = end
