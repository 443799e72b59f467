"""Many small files in one buffer, where what a pattern requires is sought at once."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, BinaryIO

from treeglass.workspace.host import ALONE

if TYPE_CHECKING:
    from treeglass.search.regex import LinePattern
    from treeglass.search.regex.required_literals import RequiredBytes
    from treeglass.workspace import ResolvedPath, Workspace

MAX_GATHERED_BYTES = 4 * 1024 * 1024
"""Content that is read before the search needs it."""

_FIRST_GATHERED_BYTES = 256 * 1024
"""Of the first buffer; each further one is twice as large, since a search may end early."""

_MAX_GATHERED_FILES = 2_048

_PIECE_BYTES = 256 * 1024

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def gathered(
    workspace: Workspace, paths: Sequence[ResolvedPath], pattern: LinePattern
) -> Iterator[bytes | int]:
    """Yield for each file its content, or the number of its bytes if no line can match.

    `ALONE` stands for a file that has to be opened, which tells any error. At most
    `MAX_GATHERED_BYTES` are read ahead, and only when the next file is asked for.
    """
    at, max_bytes = 0, _FIRST_GATHERED_BYTES
    while at < len(paths):
        content, sizes = workspace.gather(paths[at : at + _MAX_GATHERED_FILES], max_bytes)
        at += len(sizes)
        max_bytes = min(max_bytes * 2, MAX_GATHERED_BYTES)
        yield from _looked_at(content, sizes, pattern.required)


def content_of(workspace: Workspace, path: ResolvedPath, read: bytes | int) -> bytes | int:
    """Return what `gathered` gave for a file; open the file if it has to be opened.

    Of a file beyond `max_searched_bytes`, one byte more is returned than that.
    """
    max_bytes = workspace.limits.max_searched_bytes + 1
    if isinstance(read, bytes):
        return read[:max_bytes]
    if read != ALONE:
        return read
    with workspace.open(path) as opened:
        return _read_up_to(opened, max_bytes)


def _read_up_to(file: BinaryIO, max_bytes: int) -> bytes:
    """Return a file from its start, and of a larger one so many bytes."""
    pieces = []
    left_bytes = max_bytes
    # A read makes room for all it is asked for, and the memory of a page never shrinks.
    while left_bytes and (piece := file.read(min(left_bytes, _PIECE_BYTES))):
        pieces.append(piece)
        left_bytes -= len(piece)
    return b"".join(pieces)


def _looked_at(content: bytes, sizes: list[int], required: RequiredBytes) -> list[bytes | int]:
    ends = [*accumulate(max(size, 0) for size in sizes)]
    answers: list[bytes | int] = [*sizes]
    for index in _candidates(content, ends, required):
        if sizes[index] != ALONE:
            answers[index] = content[ends[index] - sizes[index] : ends[index]]
    return answers


def _candidates(content: bytes, ends: list[int], required: RequiredBytes) -> set[int] | range:
    """Return the numbers of the files in which a line may match."""
    if not required.literals:
        return range(len(ends))
    beyond_ascii = [] if content.isascii() else _beyond_ascii(content, ends)
    found = {
        index for index, file in beyond_ascii if required.only_in_ascii or file.startswith(_UTF_16)
    }
    lowered = b""
    for literal, ignores_case in required.literals:
        if not literal.isascii() and not ignores_case:
            found.update(index for index, file in beyond_ascii if literal in file)
            continue
        if ignores_case:
            lowered = lowered or content.lower()
        found |= _holders(lowered if ignores_case else content, ends, literal)
    return found


def _beyond_ascii(content: bytes, ends: list[int]) -> list[tuple[int, bytes]]:
    """Return the files that are not ASCII, each with its number."""
    starts = [0, *ends]
    files = ((index, content[starts[index] : end]) for index, end in enumerate(ends))
    return [(index, file) for index, file in files if not file.isascii()]


def _holders(content: bytes, ends: list[int], literal: bytes) -> set[int]:
    """Return the numbers of the files that hold a text."""
    found = set()
    at = content.find(literal)
    while at >= 0:
        index = bisect_right(ends, at)
        if at + len(literal) <= ends[index]:
            found.add(index)
            at = content.find(literal, ends[index])
        else:
            # It lies in two files.
            at = content.find(literal, at + 1)
    return found
