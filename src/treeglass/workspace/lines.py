"""Read a file line by line, or as text, holding no more of it than the caller asks for.

Except for `iter_text`, lines end at LF only. A line's LF, and one CR directly before it, are
dropped; a last line without LF counts; an empty file has no lines.
"""

from __future__ import annotations

import codecs
import io
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, NamedTuple

_BLOCK_BYTES = 1024 * 1024
_STEP_BYTES = 1024


class Line(NamedTuple):
    """One line, or as much of its head as the caller asked to keep."""

    head: bytes
    """The line's first bytes, without its line ending."""
    is_cut: bool
    """True if the line goes on after its head."""


class MarkedFile(io.BufferedReader):
    """A file that never changes, with places that `skip_lines` found in it.

    An agent reads a large file page by page, and each page begins by skipping the ones
    before; the next call goes on from the last place.
    """

    marks: list[tuple[int, int]]
    """Starts of lines, in order: the line feeds before each, and its position in bytes.
    A host that opens the same file again passes the same list on."""


# The same as a named tuple's own constructor, without its detour through Python.
_made_line: Callable[[tuple[bytes, bool]], Line] = partial(tuple.__new__, Line)


def skip_lines(file: BinaryIO, line_count: int, checkpoint: Callable[[], None]) -> int:
    """Move past ``line_count`` lines, or to the end, and return how many were skipped.

    Only counts line feeds, one block at a time, so it costs no more than reading. In a
    `MarkedFile`, starts from the last mark before.
    """
    marks = file.marks if isinstance(file, MarkedFile) and file.tell() == 0 else []
    skipped = 0
    ends_open = False
    if before := bisect_left(marks, (line_count + 1, 0)):
        skipped, start = marks[before - 1]
        file.seek(start)
    while skipped < line_count:
        checkpoint()
        start = file.tell()
        block = file.read(_BLOCK_BYTES)
        if not block:
            return skipped + ends_open
        count = block.count(b"\n")
        if skipped + count >= line_count:
            file.seek(start + _end_of_line(block, line_count - skipped))
            return line_count
        skipped += count
        ends_open = not block.endswith(b"\n")
        if count and (not marks or skipped > marks[-1][0]):
            marks.append((skipped, start + block.rindex(b"\n") + 1))
    return skipped


def _end_of_line(block: bytes, number: int) -> int:
    """Return the position after the block's ``number``-th line feed."""
    # Halved by counting: a search from one line feed to the next takes ten times as long.
    start, end = 0, len(block)
    while end - start > _STEP_BYTES:
        middle = (start + end) // 2
        count = block.count(b"\n", start, middle)
        if count < number:
            number -= count
            start = middle
        else:
            end = middle
    for _ in range(number):
        start = block.index(b"\n", start) + 1
    return start


def iter_lines(
    file: BinaryIO, max_head_bytes: int, checkpoint: Callable[[], None]
) -> Iterator[Line]:
    """Yield the remaining lines, each with at most ``max_head_bytes`` of it; give 2 or more."""
    since_checkpoint = 0
    while head := file.readline(max_head_bytes):
        since_checkpoint += len(head)
        if since_checkpoint >= _BLOCK_BYTES:
            since_checkpoint = 0
            checkpoint()
        if head.endswith(b"\n"):
            yield _made_line((head[:-2] if head.endswith(b"\r\n") else head[:-1], False))
            continue
        rest = b""
        is_cut = False
        while len(head) == max_head_bytes and (rest := file.readline(_BLOCK_BYTES)):
            checkpoint()
            is_cut = is_cut or rest not in {b"\n", b"\r\n"}
            if rest.endswith(b"\n"):
                break
        if rest == b"\n" and not is_cut and head.endswith(b"\r"):
            head = head[:-1]
        yield Line(head, is_cut=is_cut)


_decoder_of = codecs.getincrementaldecoder("utf-8")


class TextBlock(NamedTuple):
    """A part of a file's text, never empty."""

    text: str
    """Each line end is a line feed, each invalid sequence a U+FFFD."""
    is_valid: bool
    """True if all bytes up to here are UTF-8."""


def iter_text(file: BinaryIO, checkpoint: Callable[[], None]) -> Iterator[TextBlock]:
    """Yield the remaining text in blocks of about a MiB, as Python's text files read it.

    It is UTF-8. CR, LF and CRLF end a line, and nothing else does. A byte order mark stays, as
    U+FEFF.
    """
    decoder = _decoder_of("strict")
    line_ends = io.IncrementalNewlineDecoder(None, translate=True)
    is_valid = True
    block = b"\n"
    while block:
        checkpoint()
        block = file.read(_BLOCK_BYTES)
        split_character, _ = decoder.getstate()
        try:
            decoded = decoder.decode(block, final=not block)
        except UnicodeDecodeError:
            is_valid = False
            decoder = _decoder_of("replace")
            decoded = decoder.decode(split_character + block, final=not block)
        if text := line_ends.decode(decoded, final=not block):
            yield TextBlock(text, is_valid)
