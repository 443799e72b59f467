"""The entries of a zip archive, taken as a mount in the browser takes them.

`zipfile` reads the table of contents. An archive that it might read otherwise
than a page is not recorded. A file is read when a tool asks for it, and never
more of it than the archive declares.
"""

from __future__ import annotations

import calendar
import re
import stat
import struct
import zipfile
import zlib
from functools import partial
from typing import BinaryIO, NamedTuple

from treeglass.authoring.demo import ArchiveNotRecorded, DemoInvalid
from treeglass.authoring.trees.tree_in_memory import TreeBuilder, require_entry_count

_END = struct.Struct("<4sHHHHIIH")
_END_SIGNATURE = b"PK\5\6"
_MAX_COMMENT_BYTES = 0xFFFF
_ZIP64_END = struct.Struct("<4s28xQQQ4s4xQ4x")
"""The wide record and its locator, one after the other."""
_ZIP64_SIGNATURE, _LOCATOR_SIGNATURE = b"PK\6\6", b"PK\6\7"
_ENTRY_BYTES = 46
_ENTRY_SIGNATURE = b"PK\1\2"
_ENTRY_LENGTHS_AT = 28
_LOCAL = struct.Struct("<4s22xHH")
_LOCAL_SIGNATURE = b"PK\3\4"
_SATURATED_16, _SATURATED_32 = 0xFFFF, 0xFFFFFFFF

_ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
_UTF8_FLAG = 0x800
_UNIX_MAKERS = frozenset({3, 19})
_DOS_DIRECTORY = 0x10
_EXTENDED_TIME_FIELD = 0x5455
_MAX_TARGET_BYTES = 4095
_MAX_COMPRESSION_RATIO = 1000
_RATIO_EXEMPT_BYTES = 1024 * 1024
_MAX_DEFLATE_GROWTH, _MAX_DEFLATE_OVERHEAD_BYTES = 2, 1024
_DRIVE = re.compile(r"[A-Za-z]:(/|$)")


class _Table(NamedTuple):
    """The table of contents, where a page finds it."""

    start: int
    end: int
    entry_count: int
    """As the archive claims it; more entries may follow, where 16 bits were too few."""


def add_zip(archive: BinaryIO, builder: TreeBuilder) -> None:
    """Add the entries of a zip archive, which has to stay open while the files are read.

    What a page might read otherwise is `ArchiveNotRecorded`, what it refuses `DemoInvalid`.
    """
    archive_bytes = archive.seek(0, 2)
    for entry in _entries(archive):
        _add_entry(archive, entry, archive_bytes, builder)


def _entries(archive: BinaryIO) -> list[zipfile.ZipInfo]:
    """Return the entries in the order of the table, which is the same for a page."""
    table = _find_table(archive)
    content = _read_at(archive, table.start, table.end - table.start)
    require_entry_count(content.count(_ENTRY_SIGNATURE))
    try:
        listed = zipfile.ZipFile(archive)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error):
        raise _odd() from None
    entries = listed.infolist()
    if listed.start_dir != table.start:
        raise _odd()
    if len(entries) < table.entry_count or not all(
        _is_last(each, content) for each in entries[-1:]
    ):
        raise _unsound()
    return entries


def _find_table(archive: BinaryIO) -> _Table:
    archive_bytes = archive.seek(0, 2)
    tail_start = max(0, archive_bytes - _END.size - _MAX_COMMENT_BYTES)
    tail = _read_at(archive, tail_start, archive_bytes - tail_start)
    at = tail.rfind(_END_SIGNATURE)
    if tail.count(_END_SIGNATURE) > 1:
        raise _odd()
    if at < 0 or at + _END.size > len(tail):
        raise _unsound()
    _, disk, first_disk, _, count, size, start, comment_bytes = _END.unpack_from(tail, at)
    if disk != first_disk or at + _END.size + comment_bytes > len(tail):
        raise _unsound()
    end = tail_start + at
    if count == _SATURATED_16 or _SATURATED_32 in {size, start}:
        end -= _ZIP64_END.size
        record = _read_at(archive, max(0, end), _ZIP64_END.size)
        signature, count, size, start, locator_signature, located = _ZIP64_END.unpack(record)
        if (signature, locator_signature, located) != (_ZIP64_SIGNATURE, _LOCATOR_SIGNATURE, end):
            raise _odd()
    if start + size > end:
        raise _unsound()
    return _Table(end - size, end, count)


def _is_last(entry: zipfile.ZipInfo, table: bytes) -> bool:
    """Tell whether an entry ends where the table does, by the lengths that it claims."""
    lengths = (len(_raw_name(entry)), len(entry.extra), len(entry.comment))
    at = len(table) - _ENTRY_BYTES - sum(lengths)
    claimed = struct.unpack_from("<HHH", table, at + _ENTRY_LENGTHS_AT)
    return table.startswith(_ENTRY_SIGNATURE, at) and claimed == lengths


def _add_entry(
    archive: BinaryIO, entry: zipfile.ZipInfo, archive_bytes: int, builder: TreeBuilder
) -> None:
    path, modified_ms = _path(entry), _modified_ms(entry)
    mode = entry.external_attr >> 16 if entry.create_system in _UNIX_MAKERS else 0
    kind = stat.S_IFMT(mode)
    if _DRIVE.match(path):
        return
    if path.endswith("/") or entry.external_attr & _DOS_DIRECTORY or kind == stat.S_IFDIR:
        builder.add_directory(path, modified_ms)
    elif not _is_mounted(entry, kind, archive_bytes):
        return
    elif kind == stat.S_IFLNK:
        target = _target(archive, entry)
        if target is not None:
            builder.add_symlink(path, target, modified_ms, stays_inside=True)
    else:
        builder.add_file(path, entry.file_size, modified_ms, partial(_content, archive, entry))


def _is_mounted(entry: zipfile.ZipInfo, kind: int, archive_bytes: int) -> bool:
    """Tell whether a mount has the entry at all, by what the table of contents says of it."""
    packed, size = entry.compress_size, entry.file_size
    is_stored = entry.compress_type == zipfile.ZIP_STORED
    return not (
        entry.flag_bits & _ENCRYPTED_FLAGS
        or kind not in {0, stat.S_IFREG, stat.S_IFLNK}
        or not (is_stored or entry.compress_type == zipfile.ZIP_DEFLATED)
        or (size == 0 and entry.CRC != 0)
        or (is_stored and size != packed)
        or packed > size * _MAX_DEFLATE_GROWTH + _MAX_DEFLATE_OVERHEAD_BYTES
        or entry.header_offset + packed > archive_bytes
        or (size > _RATIO_EXEMPT_BYTES and size > packed * _MAX_COMPRESSION_RATIO)
    )


def _target(archive: BinaryIO, entry: zipfile.ZipInfo) -> str | None:
    if entry.file_size > _MAX_TARGET_BYTES:
        return None
    try:
        return _content(archive, entry).decode("utf-8", "replace")
    except DemoInvalid:
        return None


def _content(archive: BinaryIO, entry: zipfile.ZipInfo) -> bytes:
    """Return an entry's content; `ZipFile.open` takes one that is longer than declared."""
    if entry.file_size == 0:
        return b""
    local = _read_at(archive, entry.header_offset, _LOCAL.size)
    if len(local) < _LOCAL.size or not local.startswith(_LOCAL_SIGNATURE):
        raise _broken_content()
    _, name_bytes, extra_bytes = _LOCAL.unpack(local)
    start = entry.header_offset + _LOCAL.size + name_bytes + extra_bytes
    content = _read_at(archive, start, entry.compress_size)
    is_whole = len(content) == entry.compress_size
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(content, entry.file_size + 1)
        except zlib.error:
            raise _broken_content() from None
        is_whole = is_whole and inflater.eof and len(content) == entry.file_size
    if not is_whole or zlib.crc32(content) != entry.CRC:
        raise _broken_content()
    return content


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    return entry.orig_filename.encode("utf-8" if entry.flag_bits & _UTF8_FLAG else "cp437")


def _path(entry: zipfile.ZipInfo) -> str:
    try:
        # Many archivers write UTF-8 and do not say so; hardly any other name is valid UTF-8.
        path = _raw_name(entry).decode("utf-8")
    except UnicodeDecodeError:
        path = entry.orig_filename
    # Some archivers of Windows separate names so.
    return path.replace("\\", "/")


def _modified_ms(entry: zipfile.ZipInfo) -> int:
    """Return the entry's time; a DOS time, which has no time zone, is taken as UTC."""
    fields: dict[int, bytes] = {}
    extra = entry.extra
    while len(extra) >= 4:  # noqa: PLR2004  # two numbers of 16 bits
        tag, length = struct.unpack_from("<HH", extra)
        if tag in fields:
            raise _odd()
        fields[tag], extra = extra[4 : 4 + length], extra[4 + length :]
    extended = fields.get(_EXTENDED_TIME_FIELD, b"")
    if len(extended) >= 5 and extended[0] & 1:  # noqa: PLR2004  # flags and seconds
        return int.from_bytes(extended[1:5], "little", signed=True) * 1000
    # Archivers that know no time write month 0 and day 0, and some count further than 12.
    year, month, day, *clock = entry.date_time
    years, months = divmod(max(0, month - 1), 12)
    return calendar.timegm((year + years, months + 1, max(1, day), *clock)) * 1000


def _read_at(archive: BinaryIO, start: int, byte_count: int) -> bytes:
    archive.seek(start)
    return archive.read(byte_count)


def _unsound() -> DemoInvalid:
    return DemoInvalid("the tree is not a sound zip archive or manifest; pack it again")


def _broken_content() -> DemoInvalid:
    return DemoInvalid("the archive is broken there; pack it again")


def _odd() -> ArchiveNotRecorded:
    return ArchiveNotRecorded(
        "the tree is a zip archive that pages may read otherwise than Python does; pack it again "
        "with `treeglass pack`, or run the demo in a browser and paste its answer as "
        "<pre data-recorded>"
    )
