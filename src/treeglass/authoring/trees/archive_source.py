"""The entries of an archive, read as a mount in the browser reads them.

Zip, and tar plain or in gzip, bzip2 or xz, told apart by content. Content is
read when a tool asks for it, and never more of it than was declared.
"""

from __future__ import annotations

import re
import stat
import struct
import tarfile
import zipfile
import zlib
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.trees.tree_in_memory import ContentUnreadable

if TYPE_CHECKING:
    from contextlib import ExitStack

    from treeglass.authoring.trees.tree_in_memory import TreeBuilder

_ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
_UTF8_FLAG = 0x800
_UNIX_MAKERS = frozenset({3, 19})
_DOS_DIRECTORY = 0x10
_EXTENDED_TIME = 0x5455
_MAX_TARGET_BYTES = 4095
_MAX_COMPRESSION_RATIO = 1000
_RATIO_EXEMPT_BYTES = 1024 * 1024
_MAX_DEFLATE_GROWTH, _MAX_DEFLATE_OVERHEAD_BYTES = 2, 1024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TAR_TIME = re.compile(r"(-?)([0-9]{1,15})(?:\.([0-9]*))?")
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
_BLOCK_BYTES = 512
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError)
_DUMPED_DIRECTORY = b"D"


def add_archive(archive: BinaryIO, builder: TreeBuilder, stack: ExitStack) -> None:
    """Add an archive's entries.

    Args:
        archive: The archive, which stays open until the stack is closed.
        builder: Takes the entries.
        stack: Closes what content is read from.

    Raises:
        DemoInvalid: It is no archive that can be read, or is broken.
    """
    # Before the library holds a position in it.
    size_bytes = archive.seek(0, 2)
    archive.seek(0)
    try:
        is_zip = _is_zip(archive)
        archive.seek(0)
        if is_zip:
            _add_zip(stack.enter_context(zipfile.ZipFile(archive)), size_bytes, builder)
        else:
            opened = tarfile.open(fileobj=archive, mode="r:*", encoding="utf-8", errors="replace")  # noqa: SIM115
            _add_tar(stack.enter_context(opened), size_bytes, builder)
    except _BROKEN as error:
        if isinstance(error, DemoInvalid):
            raise
        raise DemoInvalid(
            "the tree is no sound archive (zip, or tar in gzip, bzip2, xz or nothing) and no "
            "manifest; pack it again"
        ) from None


def _is_zip(archive: BinaryIO) -> bool:
    start = archive.read(_BLOCK_BYTES)
    archive.seek(0)
    if start.startswith(_COMPRESSED):
        return False
    # A tar archive starts with a file's name, which may be spelled as a zip's signature.
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "replace")
    except tarfile.HeaderError:
        return zipfile.is_zipfile(archive)
    return False


def _add_zip(archive: zipfile.ZipFile, size_bytes: int, builder: TreeBuilder) -> None:
    for entry in archive.infolist():
        path = _zip_path(entry)
        mode = entry.external_attr >> 16 if entry.create_system in _UNIX_MAKERS else 0
        kind = stat.S_IFMT(mode)
        modified_ms = _zip_time_ms(entry)
        is_marked = bool(entry.external_attr & _DOS_DIRECTORY) or kind == stat.S_IFDIR
        if path.endswith(("/", "\\")) or is_marked:
            builder.add_directory(path, modified_ms)
        elif not _is_readable(entry, kind, size_bytes):
            continue
        elif kind == stat.S_IFLNK:
            target = _zip_target(archive, entry)
            if target is not None:
                builder.add_symlink(path, target, modified_ms, stays_inside=True)
        else:
            read = partial(_read_zipped, archive, entry)
            builder.add_file(path, entry.file_size, modified_ms, read)


def _zip_path(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & _UTF8_FLAG:
        return entry.orig_filename
    # Many archivers write UTF-8 and do not say so; hardly any other name is valid UTF-8.
    try:
        return entry.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.orig_filename


def _is_readable(entry: zipfile.ZipInfo, kind: int, archive_bytes: int) -> bool:
    """Tell whether a mount has the entry at all, by what the directory says of it."""
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


def _zip_target(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str | None:
    if entry.file_size > _MAX_TARGET_BYTES:
        return None
    try:
        return _read_zipped(archive, entry).decode("utf-8", "replace")
    except ContentUnreadable:
        return None


def _read_zipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(entry)
    # An encrypted entry is a RuntimeError to zipfile, and an unknown method NotImplementedError.
    except (*_BROKEN, NotImplementedError, RuntimeError):
        raise ContentUnreadable("the archive is broken there; pack it again") from None


def _zip_time_ms(entry: zipfile.ZipInfo) -> int:
    """Return the entry's time; that of DOS, which names no time zone, as if it were UTC."""
    extra = entry.extra
    while len(extra) >= 4:  # noqa: PLR2004  # two numbers of 16 bits
        tag, length = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + length], extra[4 + length :]
        if len(field) < length:
            break
        if tag == _EXTENDED_TIME and length >= 5 and field[0] & 1:  # noqa: PLR2004  # flags, seconds
            seconds: int = struct.unpack_from("<i", field, 1)[0]
            return seconds * 1000
    year, month, day, hour, minute, second = entry.date_time
    # What archivers write that know no time is month 0 and day 0, and some count further than 12.
    years, months = divmod(max(0, month - 1), 12)
    first = datetime(year + years, months + 1, 1, tzinfo=UTC)
    since = timedelta(days=max(1, day) - 1, hours=hour, minutes=minute, seconds=second)
    return (first + since - _EPOCH) // timedelta(milliseconds=1)


def _add_tar(archive: tarfile.TarFile, size_bytes: int, builder: TreeBuilder) -> None:
    # What a mount takes, asked before it is inflated.
    most_bytes = max(size_bytes * _MAX_COMPRESSION_RATIO, _RATIO_EXEMPT_BYTES)
    for member in archive:
        if member.offset_data + member.size > most_bytes:
            raise DemoInvalid(
                f"the tree would grow more than {_MAX_COMPRESSION_RATIO} times; pack it again"
            )
        _add_member(archive, member, builder)
    _require_end(archive)


def _add_member(archive: tarfile.TarFile, member: tarfile.TarInfo, builder: TreeBuilder) -> None:
    modified_ms = _tar_time_ms(member)
    if member.isdir() or member.type == _DUMPED_DIRECTORY:
        builder.add_directory(member.name, modified_ms)
    elif member.issym():
        builder.add_symlink(member.name, member.linkname, modified_ms, stays_inside=True)
    elif member.islnk():
        original = builder.find_file(member.linkname)
        if original is not None:
            builder.add_file(member.name, original.size_bytes, modified_ms, original.read)
    elif member.isreg() and not member.issparse():
        read = partial(_read_tarred, archive, member)
        builder.add_file(member.name, member.size, modified_ms, read)


def _read_tarred(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    try:
        content = archive.extractfile(member)
        return b"" if content is None else content.read()
    except _BROKEN:
        raise ContentUnreadable("the archive is broken there; pack it again") from None


def _tar_time_ms(member: tarfile.TarInfo) -> int:
    match = _TAR_TIME.fullmatch(member.pax_headers.get("mtime", ""))
    if match is None:
        return int(member.mtime) * 1000
    # Digit by digit: as a float, some milliseconds come out one less.
    sign, seconds, fraction = match.groups()
    modified_ms = int(seconds) * 1000 + int(f"{fraction or ''}000"[:3])
    return -modified_ms if sign else modified_ms


def _require_end(archive: tarfile.TarFile) -> None:
    """Refuse an archive that a broken header ends: the library takes that for its end."""
    file = archive.fileobj
    if file is None:
        return
    file.seek(archive.offset)
    if file.read(_BLOCK_BYTES).strip(b"\0"):
        raise tarfile.ReadError
