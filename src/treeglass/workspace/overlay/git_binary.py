"""Git's binary patch: both contents whole, in letters.

Git reads a stream of zlib from it. The streams are made here without compressing, so the same
contents give the same bytes on every system, and where zlib is missing.
"""

from __future__ import annotations

from base64 import b85encode
from collections.abc import Iterator
from itertools import accumulate

_LINE_BYTES = 52
_LINE_LETTERS = _LINE_BYTES * 5 // 4
_LENGTHS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_ZLIB_HEAD = b"\x78\x01"
_MOST_STORED = 0xFFFF
_LARGEST_PRIME = 65521
"""Below 2**16: the modulus of Adler-32."""
_SUMMED_BYTES = 1 << 16


def binary_patch(before: bytes, after: bytes) -> bytes:
    """Return the part of a file's patch that turns one content into the other, and back."""
    return b"".join([b"GIT binary patch\n", *_literal(after), *_literal(before)])


def _literal(content: bytes) -> Iterator[bytes]:
    yield b"literal %d\n" % len(content)
    stream = zlib_stream(content)
    # A full line is whole groups of four bytes, so all lines can be encoded at once.
    letters = b85encode(stream, pad=True)
    for number, start in enumerate(range(0, len(stream), _LINE_BYTES)):
        length = min(_LINE_BYTES, len(stream) - start)
        at = number * _LINE_LETTERS
        yield b"%c%b\n" % (_LENGTHS[length - 1], letters[at : at + _LINE_LETTERS])
    yield b"\n"


def zlib_stream(content: bytes) -> bytes:
    """Return a stream of zlib with this content, stored in blocks (RFC 1950, RFC 1951)."""
    parts = [_ZLIB_HEAD]
    for start in range(0, max(len(content), 1), _MOST_STORED):
        block = content[start : start + _MOST_STORED]
        is_last = start + _MOST_STORED >= len(content)
        size = len(block).to_bytes(2, "little")
        inverse = (len(block) ^ _MOST_STORED).to_bytes(2, "little")
        parts += [b"\x01" if is_last else b"\x00", size, inverse, block]
    parts.append(_adler32(content).to_bytes(4, "big"))
    return b"".join(parts)


def _adler32(content: bytes) -> int:
    low, high = 1, 0
    for start in range(0, len(content), _SUMMED_BYTES):
        sums = list(accumulate(content[start : start + _SUMMED_BYTES], initial=low))
        low, high = sums[-1] % _LARGEST_PRIME, (high + sum(sums) - sums[0]) % _LARGEST_PRIME
    return high << 16 | low
