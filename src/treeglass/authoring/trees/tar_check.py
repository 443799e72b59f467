"""Checks a tar archive: answers over one are not recorded, and a broken one is a mistake.

`tarfile` goes through the headers. No more is held than one piece and the records of one entry.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import tarfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

from treeglass.authoring.demo import ArchiveNotRecorded, DemoInvalid
from treeglass.authoring.trees.tree_in_memory import MAX_ENTRIES, MAX_TOTAL_BYTES

_BLOCK_BYTES = 512
_END_BLOCK = bytes(_BLOCK_BYTES)
_PIECE_BYTES = 256 * 1024
_MAX_RECORD_BYTES = 1024 * 1024
_MAX_HEADER_BYTES = 64 * _MAX_RECORD_BYTES + 65_536 * _BLOCK_BYTES
"""Of one entry: its records and its sparse map."""
_MAX_XZ_MEMORY_BYTES = 80 * 1024 * 1024
_MAX_COMPRESSION_RATIO = 1000
_RATIO_EXEMPT_BYTES = 1024 * 1024
_MAX_INFLATED_BYTES = MAX_TOTAL_BYTES + 4096 * MAX_ENTRIES

_COMPRESSED_PIECE_BYTES = 1024
"""Small, since bzip2 makes up to 20,000 times as many bytes of them."""
_XZ_PADDING_UNIT_BYTES = 4

_MAGIC = slice(257, 262)
_GZIP_WINDOW_BITS = 16 + zlib.MAX_WBITS

_COMPRESSED: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": partial(zlib.decompressobj, _GZIP_WINDOW_BITS),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\0": partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_MAX_XZ_MEMORY_BYTES),
}
"""Makes a decompressor, by the first bytes of the file."""


class _Broken(Exception):
    """No page can mount the archive."""


def refuse_tar(file: BinaryIO, named: str) -> None:
    """Make sure that a file is no archive of the other kinds that a page mounts; left at its start.

    Raises:
        ArchiveNotRecorded: It is a sound tar archive, plain or compressed as a whole.
        DemoInvalid: It is a broken one.
    """
    pieces = _tar_in(file)
    if pieces is None:
        return
    try:
        _require_sound(_Reader(pieces))
    except (_Broken, RecursionError, zlib.error, lzma.LZMAError, OSError, EOFError):
        raise DemoInvalid(
            f"{named!r} is a broken tar archive, or a compressed file without one that pages "
            "mount; make it again"
        ) from None
    raise ArchiveNotRecorded(
        f"{named!r} is a tar archive, and only directories, zip archives and manifests are "
        "recorded here; make a zip with `treeglass pack`, or run the demo in a browser and paste "
        "its answer as <pre data-recorded>"
    )


def _tar_in(file: BinaryIO) -> Iterator[bytes] | None:
    """Return the pieces of what may be a tar archive, else None."""
    start = file.read(2 * _BLOCK_BYTES)
    file.seek(0)
    pieces = iter(partial(file.read, _PIECE_BYTES), b"")
    # A tar archive starts with a file's name, which may be spelled as another form's signature.
    try:
        tarfile.TarInfo.frombuf(start[:_BLOCK_BYTES], "utf-8", "replace")
    except tarfile.HeaderError:
        pass
    else:
        return pieces
    for signature, decompressor in _COMPRESSED.items():
        if start.startswith(signature):
            return _inflated(file, decompressor)
    is_tar = start[_MAGIC] == b"ustar" or start == 2 * _END_BLOCK
    return pieces if is_tar and not start.startswith(b"PK") else None


def _require_sound(reader: _Reader) -> None:
    member: tarfile.TarInfo | None = None
    is_done = False
    try:
        # Of a file it calls only what a reader has.
        with tarfile.TarFile(fileobj=reader, errors="replace") as archive:  # type: ignore[arg-type]
            while member := archive.next():
                if member.size < 0:
                    raise _Broken
                # It would keep each of them.
                archive.members.clear()  # type: ignore[attr-defined]
                reader.header_bytes_left = _MAX_HEADER_BYTES
        is_done = True
    except tarfile.ReadError:
        # Of the last content only the zeros after it may be missing.
        end = reader.tell()
        is_whole = member is not None and member.offset_data + member.size <= end
        is_done = is_whole and end % _BLOCK_BYTES > 0
    except ValueError:
        return  # a sparse map that `tarfile` cannot read, and a page need not
    # `tarfile` takes a broken header for the end, and an end right after a record for broken.
    if reader.last != _END_BLOCK and (reader.last or not is_done):
        raise _Broken
    # The checksum of a compressed file stands at its end.
    reader.seek(sys.maxsize)


class _Reader:
    """Bytes that arrive in pieces, as a file that `tarfile` reads forward."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.last = b""
        """Bytes that were read last; empty at the end."""
        self.header_bytes_left = _MAX_HEADER_BYTES
        self._pieces = pieces
        self._waiting = memoryview(b"")
        self._position = 0

    def tell(self) -> int:
        return self._position

    def seek(self, position: int) -> None:
        """Skip what comes before a position, or all that there is."""
        if position < self._position:
            raise _Broken
        while self._position < position and self._take(
            min(position - self._position, _PIECE_BYTES)
        ):
            pass

    def read(self, byte_count: int) -> bytes:
        """Return the next bytes; none at the end."""
        self.header_bytes_left -= byte_count
        if byte_count > _MAX_RECORD_BYTES or self.header_bytes_left < 0:
            raise _Broken
        self.last = self._take(byte_count)
        if 0 < len(self.last) < byte_count:
            raise _Broken
        return self.last

    def _take(self, byte_count: int) -> bytes:
        parts: list[memoryview] = []
        while byte_count and (piece := self._waiting or memoryview(next(self._pieces, b""))):
            parts.append(piece[:byte_count])
            self._waiting = piece[byte_count:]
            byte_count -= len(parts[-1])
        taken = b"".join(parts)
        self._position += len(taken)
        return taken


def _inflated(file: BinaryIO, decompressor: Callable[[], Any]) -> Iterator[bytes]:
    """Yield the inflated bytes; several streams count as one."""
    inflated_bytes = 0
    waiting = file.read(_COMPRESSED_PIECE_BYTES)
    while True:
        stream = decompressor()
        while not stream.eof:
            if not waiting:
                raise _Broken
            found = stream.decompress(waiting)
            waiting = stream.unused_data or file.read(_COMPRESSED_PIECE_BYTES)
            inflated_bytes += len(found)
            bomb_bytes = max(_RATIO_EXEMPT_BYTES, file.tell() * _MAX_COMPRESSION_RATIO)
            if inflated_bytes > min(bomb_bytes, _MAX_INFLATED_BYTES):
                raise _Broken
            # An empty piece is no end: bzip2 gives nothing before a block is complete.
            if found:
                yield found
        if isinstance(stream, lzma.LZMADecompressor):
            waiting = _after_padding(file, waiting)
        if not waiting:
            return


def _after_padding(file: BinaryIO, waiting: bytes) -> bytes:
    """Return the bytes after the zeros that follow a stream of xz."""
    padding_bytes = 0
    while waiting.startswith(b"\0"):
        rest = waiting.lstrip(b"\0")
        padding_bytes += len(waiting) - len(rest)
        waiting = rest or file.read(_COMPRESSED_PIECE_BYTES)
    if padding_bytes % _XZ_PADDING_UNIT_BYTES:
        raise _Broken
    return waiting
