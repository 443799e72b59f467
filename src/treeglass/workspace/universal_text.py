"""Decode a file as Python's text files do: UTF-8, and every line end as a line feed.

CR, LF and CRLF end a line, and nothing else does. A byte order mark stays, as U+FEFF.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

_BLOCK_BYTES = 1024 * 1024

_decoder_of = codecs.getincrementaldecoder("utf-8")


class TextBlock(NamedTuple):
    """A part of a file's text, never empty."""

    text: str
    """Each line end is a line feed, each invalid sequence a U+FFFD."""
    is_valid: bool
    """True if all bytes up to here are UTF-8."""


def iter_text(file: BinaryIO, checkpoint: Callable[[], None]) -> Iterator[TextBlock]:
    """Yield the remaining text in blocks of about a MiB."""
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
