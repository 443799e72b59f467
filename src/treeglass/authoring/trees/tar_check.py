"""Whether a tar archive is sound, judged as a mount in the browser judges it.

Answers over one are not recorded, but an archive that no page can mount is a
mistake. Nothing is extracted, and no more of it is held than one piece.
"""

from __future__ import annotations

import bz2
import lzma
import re
import tarfile
import zlib
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol

from treeglass.authoring.demo import DemoInvalid, NotRecordable
from treeglass.authoring.trees.tree_in_memory import MAX_ENTRIES, MAX_TOTAL_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK_BYTES = 512
_PIECE_BYTES = 256 * 1024
_MAX_RECORD_BYTES = 1024 * 1024
_MAX_RECORDS_PER_ENTRY = 64
_MAX_SPARSE_BLOCKS = 65_536
_MAX_SIZE_BYTES = 2**53 - 1
_MAX_XZ_MEMORY_BYTES = 80 * 1024 * 1024
_MAX_COMPRESSION_RATIO = 1000
_RATIO_EXEMPT_BYTES = 1024 * 1024
_MAX_INFLATED_BYTES = MAX_TOTAL_BYTES + 4096 * MAX_ENTRIES

_COMPRESSED_PIECE_BYTES = 1024
"""Small, since bzip2 makes up to 20,000 times as many bytes of them."""
_XZ_PADDING_UNIT_BYTES = 4

_MAGIC = slice(257, 262)
_OLD_SPARSE_EXTENDED_AT, _NEXT_SPARSE_EXTENDED_AT = 482, 504
_PAX_TYPES = frozenset({b"x", b"X"})
_RECORD_TYPES = _PAX_TYPES | {b"g", b"L", b"K"}
_WITHOUT_CONTENT = frozenset({b"1", b"2", b"3", b"4", b"5", b"6"})
_GZIP_WINDOW_BITS = 16 + zlib.MAX_WBITS
_RECORD_LENGTH = re.compile(rb"(\d{1,9}) ")

_Form = Literal["tar", "gzip", "bzip2", "xz"]
_COMPRESSED: tuple[tuple[_Form, bytes], ...] = (
    ("gzip", b"\x1f\x8b"),
    ("bzip2", b"BZh"),
    ("xz", b"\xfd7zXZ\0"),
)


class ArchiveNotRecorded(NotRecordable):
    """The tree is an archive that pages mount and that is not recorded here."""


class _Broken(Exception):
    """No page can mount the archive."""


def refuse_tar(file: BinaryIO, named: str) -> None:
    """Make sure that a file is no archive of the other kinds that a page mounts.

    Args:
        file: Read from its start, and left there.
        named: How the page names it, for the message.

    Raises:
        ArchiveNotRecorded: It is a sound tar archive, plain or compressed as a whole.
        DemoInvalid: It is a broken one.
    """
    form = _form_of(file.read(2 * _BLOCK_BYTES))
    file.seek(0)
    if form is None:
        return
    try:
        pieces = _pieces(file, _PIECE_BYTES) if form == "tar" else _inflated(file, form)
        _require_sound(pieces, form)
    except (_Broken, tarfile.HeaderError, zlib.error, lzma.LZMAError, OSError, EOFError):
        raise DemoInvalid(
            f"{named!r} is a broken tar archive, or a compressed file without one that pages "
            "mount; make it again"
        ) from None
    raise ArchiveNotRecorded(
        f"{named!r} is a tar archive, and only directories, zip archives and manifests are "
        "recorded here; make a zip with `treeglass pack`, or run the demo in a browser and paste "
        "its answer as <pre data-recorded>"
    )


def _form_of(start: bytes) -> _Form | None:
    # A tar archive starts with a file's name, which may be spelled as another form's signature.
    try:
        tarfile.TarInfo.frombuf(start[:_BLOCK_BYTES], "utf-8", "replace")
    except tarfile.HeaderError:
        pass
    else:
        return "tar"
    for form, signature in _COMPRESSED:
        if start.startswith(signature):
            return form
    is_tar = not start.startswith(b"PK") and _looks_like_tar(start)
    return "tar" if is_tar else None


def _looks_like_tar(start: bytes) -> bool:
    if len(start) < _BLOCK_BYTES:
        return False
    return start[_MAGIC] == b"ustar" or start == bytes(2 * _BLOCK_BYTES)


def _require_sound(pieces: Iterator[bytes], form: _Form) -> None:
    reader = _Reader(pieces)
    if form != "tar":
        start = reader.peek(2 * _BLOCK_BYTES)
        if _form_of(start) != "tar":
            raise _Broken
    _walk(reader)
    # The checksum of a compressed file stands at its end.
    while form != "tar" and reader.take(_PIECE_BYTES):
        pass


def _walk(reader: _Reader) -> None:
    """Go from header to header, up to the end mark or the end of the archive."""
    for_all: int | None = None
    override: int | None = None
    record_count = 0
    while (block := reader.take(_BLOCK_BYTES)) or record_count:
        if block == bytes(_BLOCK_BYTES):
            return
        header = tarfile.TarInfo.frombuf(block, "utf-8", "replace")
        if header.size < 0:
            raise _Broken
        if header.type in _RECORD_TYPES:
            record_count += 1
            body = _record(reader, header.size, record_count)
            if header.type == tarfile.XGLTYPE:
                override = for_all = _size_in(body, for_all)
            elif header.type in _PAX_TYPES:
                override = _size_in(body, override)
            continue
        if header.type == tarfile.GNUTYPE_SPARSE:
            _skip_sparse_map(reader, is_continued=block[_OLD_SPARSE_EXTENDED_AT] != 0)
        if header.type not in _WITHOUT_CONTENT:
            size = header.size if override is None else override
            if not reader.skip(size):
                raise _Broken
            reader.skip(-size % _BLOCK_BYTES)
        override, record_count = for_all, 0


def _record(reader: _Reader, size: int, record_count: int) -> bytes:
    if size > _MAX_RECORD_BYTES or record_count > _MAX_RECORDS_PER_ENTRY:
        raise _Broken
    body = reader.take(size + -size % _BLOCK_BYTES)[:size]
    if len(body) < size:
        raise _Broken
    return body


def _size_in(body: bytes, size: int | None) -> int | None:
    """Return the size that the records of a pax header give, or else the one before."""
    at = 0
    while at < len(body):
        length = _RECORD_LENGTH.match(body, at)
        if length is None or not at < (end := at + int(length[1])) <= len(body):
            raise _Broken
        key, equals, value = body[length.end() : end].partition(b"=")
        if not equals or not value.endswith(b"\n"):
            raise _Broken
        if key == b"size":
            size = _size_of(value[:-1])
        at = end
    return size


def _size_of(digits: bytes) -> int | None:
    if not digits:
        return None
    if not digits.isdigit() or len(digits.lstrip(b"0")) > len(str(_MAX_SIZE_BYTES)):
        raise _Broken
    if int(digits) > _MAX_SIZE_BYTES:
        raise _Broken
    return int(digits)


def _skip_sparse_map(reader: _Reader, *, is_continued: bool) -> None:
    for _ in range(_MAX_SPARSE_BLOCKS):
        if not is_continued:
            return
        block = reader.take(_BLOCK_BYTES)
        if len(block) < _BLOCK_BYTES:
            raise _Broken
        is_continued = block[_NEXT_SPARSE_EXTENDED_AT] != 0
    raise _Broken


class _Reader:
    """Bytes that arrive in pieces."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._waiting = b""

    def peek(self, byte_count: int) -> bytes:
        """Return the next bytes, and leave them; fewer at the end."""
        while len(self._waiting) < byte_count and (piece := next(self._pieces, b"")):
            self._waiting += piece
        return self._waiting[:byte_count]

    def take(self, byte_count: int) -> bytes:
        """Return the next bytes; fewer at the end."""
        taken = self.peek(byte_count)
        self._waiting = self._waiting[byte_count:]
        return taken

    def skip(self, byte_count: int) -> bool:
        """Tell whether so many bytes came."""
        while byte_count > 0 and (taken := self.take(min(byte_count, _PIECE_BYTES))):
            byte_count -= len(taken)
        return byte_count <= 0


def _pieces(file: BinaryIO, byte_count: int) -> Iterator[bytes]:
    while piece := file.read(byte_count):
        yield piece


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def _decompressor(form: _Form) -> _Decompressor:
    if form == "gzip":
        return zlib.decompressobj(_GZIP_WINDOW_BITS)
    if form == "bzip2":
        return bz2.BZ2Decompressor()
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_XZ_MEMORY_BYTES)


def _inflated(file: BinaryIO, form: _Form) -> Iterator[bytes]:
    """Yield the inflated bytes; several streams of bzip2 or xz count as one."""
    current: _Decompressor | None = _decompressor(form)
    consumed = inflated = padding = 0
    for piece in _pieces(file, _COMPRESSED_PIECE_BYTES):
        consumed += len(piece)
        waiting = piece
        while waiting:
            if current is None:
                if form == "gzip":
                    raise _Broken
                rest = waiting.lstrip(b"\0") if form == "xz" else waiting
                padding += len(waiting) - len(rest)
                waiting = rest
                if not rest:
                    break
                if padding % _XZ_PADDING_UNIT_BYTES:
                    raise _Broken
                current = _decompressor(form)
            found = current.decompress(waiting)
            waiting = current.unused_data
            if current.eof:
                current, padding = None, 0
            inflated += len(found)
            _require_bounded(inflated, consumed)
            # An empty piece is no end: bzip2 gives nothing before a block is complete.
            if found:
                yield found
    if current is not None or padding % _XZ_PADDING_UNIT_BYTES:
        raise _Broken


def _require_bounded(inflated: int, consumed: int) -> None:
    is_bomb = inflated > max(_RATIO_EXEMPT_BYTES, consumed * _MAX_COMPRESSION_RATIO)
    if is_bomb or inflated > _MAX_INFLATED_BYTES:
        raise _Broken
