"""The table of contents of a zip archive, read as a mount in the browser reads it.

Python's own `zipfile` takes archives that no page mounts, and refuses others.
"""

from __future__ import annotations

import struct
import zlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from treeglass.authoring.demo import DemoInvalid

if TYPE_CHECKING:
    from collections.abc import Iterator

STORED, DEFLATED = 0, 8

_END = struct.Struct("<IHHHHIIH")
_END_SIGNATURE = 0x06054B50
_MAX_COMMENT_BYTES = 0xFFFF
_ZIP64_LOCATOR = struct.Struct("<IIQI")
_ZIP64_LOCATOR_SIGNATURE = 0x07064B50
_ZIP64_END = struct.Struct("<IQHHIIQQQQ")
_ZIP64_END_SIGNATURE = 0x06064B50
_ENTRY = struct.Struct("<IBBHHHHHIIIHHHHHII")
_ENTRY_SIGNATURE = 0x02014B50
_LOCAL = struct.Struct("<IHHHHHIIIHH")
_LOCAL_SIGNATURE = 0x04034B50
_SATURATED_16, _SATURATED_32 = 0xFFFF, 0xFFFFFFFF

_UTF8_FLAG = 0x800
_UNIX_MAKERS = frozenset({3, 19})
_DOS_DIRECTORY = 0x10
_ZIP64_FIELD, _EXTENDED_TIME_FIELD = 0x0001, 0x5455
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ZipEntry(NamedTuple):
    """One entry; sizes and offsets are what the archive claims."""

    path: str
    flags: int
    method: int
    crc: int
    packed_bytes: int
    size_bytes: int
    modified_ms: int
    mode: int
    """The Unix mode with its file type; 0 if the archive was not made on Unix."""
    is_dos_directory: bool
    header_start: int


class _Directory(NamedTuple):
    start: int
    end: int
    entry_count: int
    shift: int
    """Added to every offset: how many bytes stand before the archive itself."""


def read_entries(archive: BinaryIO) -> Iterator[ZipEntry]:
    """Yield the entries in the order of the table of contents.

    Raises:
        DemoInvalid: The table is missing or broken.
    """
    directory = _find_directory(archive)
    archive.seek(directory.start)
    table = archive.read(directory.end - directory.start)
    at = index = 0
    # The count has 16 bits, and a packer of more entries may have let it overflow.
    while index < directory.entry_count or _is_entry(table, at):
        if not _is_entry(table, at):
            raise _unsound()
        fields = _ENTRY.unpack_from(table, at)
        name_end = at + _ENTRY.size + fields[11]
        extra_end = name_end + fields[12]
        end = extra_end + fields[13]
        if end > len(table):
            raise _unsound()
        name = table[at + _ENTRY.size : name_end]
        yield _entry(fields, name, _extra_fields(table[name_end:extra_end]), directory.shift)
        at, index = end, index + 1


def read_content(archive: BinaryIO, entry: ZipEntry) -> bytes:
    """Return the content of a stored or deflated entry.

    Raises:
        DemoInvalid: It is not what the table of contents declares.
    """
    if entry.size_bytes == 0:
        return b""
    archive_bytes = archive.seek(0, 2)
    local = _read_at(archive, entry.header_start, _LOCAL.size)
    if len(local) < _LOCAL.size or local[:4] != struct.pack("<I", _LOCAL_SIGNATURE):
        raise _broken_content()
    *_, name_bytes, extra_bytes = _LOCAL.unpack(local)
    start = entry.header_start + _LOCAL.size + name_bytes + extra_bytes
    if start + entry.packed_bytes > archive_bytes:
        raise _broken_content()
    content = _read_at(archive, start, entry.packed_bytes)
    if entry.method == DEFLATED:
        content = _inflated(content, entry.size_bytes)
    if zlib.crc32(content) != entry.crc:
        raise _broken_content()
    return content


def _inflated(packed: bytes, size_bytes: int) -> bytes:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = inflater.decompress(packed, size_bytes + 1)
    except zlib.error:
        raise _broken_content() from None
    if len(content) != size_bytes or not inflater.eof:
        raise _broken_content()
    return content


def _unsound() -> DemoInvalid:
    return DemoInvalid("the tree is not a sound zip archive or manifest; pack it again")


def _broken_content() -> DemoInvalid:
    return DemoInvalid("the archive is broken there; pack it again")


def _read_at(archive: BinaryIO, start: int, byte_count: int) -> bytes:
    archive.seek(start)
    return archive.read(byte_count)


def _find_directory(archive: BinaryIO) -> _Directory:
    archive_bytes = archive.seek(0, 2)
    tail_start = max(0, archive_bytes - _END.size - _MAX_COMMENT_BYTES)
    tail = _read_at(archive, tail_start, archive_bytes - tail_start)
    at = _find_end_record(tail)
    _, disk, first_disk, _, count, size, start, _ = _END.unpack_from(tail, at)
    if disk != first_disk:
        raise _unsound()
    position = tail_start + at
    if count == _SATURATED_16 or _SATURATED_32 in {size, start}:
        wide = _read_zip64_record(archive, position)
        position, count, size, start = wide or (position, count, size, start)
    shift = position - size - start
    if shift < 0:
        raise _unsound()
    return _Directory(start + shift, position, count, shift)


def _find_end_record(tail: bytes) -> int:
    signature = struct.pack("<I", _END_SIGNATURE)
    at = tail.rfind(signature, 0, max(0, len(tail) - _END.size + len(signature)))
    while at >= 0:
        comment_bytes = _END.unpack_from(tail, at)[-1]
        if at + _END.size + comment_bytes <= len(tail):
            return at
        at = tail.rfind(signature, 0, at + len(signature) - 1)
    raise _unsound()


def _read_zip64_record(archive: BinaryIO, end_position: int) -> tuple[int, int, int, int] | None:
    locator_start = end_position - _ZIP64_LOCATOR.size
    if locator_start < 0:
        return None
    locator = _ZIP64_LOCATOR.unpack(_read_at(archive, locator_start, _ZIP64_LOCATOR.size))
    if locator[0] != _ZIP64_LOCATOR_SIGNATURE:
        return None
    # The locator's offset does not count bytes before the archive either, so the place
    # right before the locator is tried too.
    for position in (locator[2], locator_start - _ZIP64_END.size):
        if 0 <= position <= locator_start - _ZIP64_END.size:
            record = _ZIP64_END.unpack(_read_at(archive, position, _ZIP64_END.size))
            if record[0] == _ZIP64_END_SIGNATURE:
                return position, record[7], record[8], record[9]
    raise _unsound()


def _is_entry(table: bytes, at: int) -> bool:
    return (
        at + _ENTRY.size <= len(table)
        and struct.unpack_from("<I", table, at)[0] == _ENTRY_SIGNATURE
    )


def _entry(fields: tuple[int, ...], name: bytes, extra: dict[int, bytes], shift: int) -> ZipEntry:
    _, _, maker, _, flags, method, time, date, crc, packed, size, *_, attributes, start = fields
    size, packed, start = _wide((size, packed, start), extra.get(_ZIP64_FIELD, b""))
    return ZipEntry(
        path=_path(name, says_utf8=bool(flags & _UTF8_FLAG)),
        flags=flags,
        method=method,
        crc=crc,
        packed_bytes=packed,
        size_bytes=size,
        modified_ms=_modified_ms(date, time, extra.get(_EXTENDED_TIME_FIELD, b"")),
        mode=attributes >> 16 if maker in _UNIX_MAKERS else 0,
        is_dos_directory=bool(attributes & _DOS_DIRECTORY),
        header_start=start + shift,
    )


def _extra_fields(extra: bytes) -> dict[int, bytes]:
    fields: dict[int, bytes] = {}
    while len(extra) >= 4:  # noqa: PLR2004  # two numbers of 16 bits
        tag, length = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + length], extra[4 + length :]
        if len(field) < length:
            break
        fields[tag] = field
    return fields


def _wide(narrow: tuple[int, int, int], zip64: bytes) -> list[int]:
    """Replace each saturated number by its 64-bit form; zip64 holds only those, in this order."""
    wide: list[int] = []
    for value in narrow:
        if value == _SATURATED_32 and len(zip64) >= 8:  # noqa: PLR2004  # one number of 64 bits
            wide.append(int.from_bytes(zip64[:8], "little"))
            zip64 = zip64[8:]
        else:
            wide.append(value)
    return wide


def _path(name: bytes, *, says_utf8: bool) -> str:
    try:
        # Many archivers write UTF-8 and do not say so; hardly any other name is valid UTF-8.
        path = name.decode("utf-8")
    except UnicodeDecodeError:
        path = name.decode("utf-8" if says_utf8 else "cp437", "replace")
    # Some archivers of Windows separate names so.
    return path.replace("\\", "/")


def _modified_ms(date: int, time: int, extended: bytes) -> int:
    """Return the entry's time; a DOS time, which has no time zone, is taken as UTC."""
    if len(extended) >= 5 and extended[0] & 1:  # noqa: PLR2004  # flags and seconds
        return int.from_bytes(extended[1:5], "little", signed=True) * 1000
    # Archivers that know no time write month 0 and day 0, and some count further than 12.
    years, months = divmod(max(0, (date >> 5 & 15) - 1), 12)
    first = datetime(1980 + (date >> 9) + years, months + 1, 1, tzinfo=UTC)
    since = timedelta(
        days=max(1, date & 31) - 1,
        hours=time >> 11,
        minutes=time >> 5 & 63,
        seconds=(time & 31) * 2,
    )
    return (first + since - _EPOCH) // timedelta(milliseconds=1)
