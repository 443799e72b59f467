"""The entries of a zip archive, read as a mount in the browser reads them.

A file is read when a tool asks for it, and never more of it than the archive declares.
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

from treeglass.authoring.demo import DemoInvalid, NotRecordable

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
_DRIVE = re.compile(r"[A-Za-z]:(/|$)")
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
# An encrypted entry is a RuntimeError to zipfile, and an unknown method NotImplementedError.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError),
    *(NotImplementedError, RuntimeError),
)


class ArchiveNotRecorded(NotRecordable):
    """The tree is an archive that pages mount and that is not recorded here."""


def refuse_tar(start: bytes, named: str) -> None:
    """Make sure that a file is no archive of the other kinds that a page mounts.

    Args:
        start: Its first 512 bytes.
        named: How the page names it, for the message.

    Raises:
        ArchiveNotRecorded: It is a tar archive, or compressed as a whole.
    """
    if start.startswith(_COMPRESSED) or _is_tar(start):
        raise ArchiveNotRecorded(
            f"{named!r} is a tar archive or a compressed file, and only directories, zip archives "
            "and manifests are recorded here; make a zip with `treeglass pack`, or run the demo in "
            "a browser and paste its answer as <pre data-recorded>"
        )


def _is_tar(start: bytes) -> bool:
    # By its first header: a tar archive starts with a file's name, which may be spelled as a
    # zip's signature, and may have a zip at its end.
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "replace")
    except tarfile.HeaderError:
        return False
    return True


def add_zip(file: BinaryIO, builder: TreeBuilder, stack: ExitStack) -> None:
    """Add the entries of a zip archive.

    Args:
        file: The archive, which stays open until the stack is closed.
        builder: Takes the entries.
        stack: Closes what content is read from.

    Raises:
        DemoInvalid: It is not a zip archive, is broken, or is over a limit of a tree.
    """
    size_bytes = file.seek(0, 2)
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
    except _BROKEN:
        raise DemoInvalid(
            "the tree is not a sound zip archive or manifest; pack it again"
        ) from None
    for entry in archive.infolist():
        _add_entry(archive, entry, size_bytes, builder)


def _add_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, archive_bytes: int, builder: TreeBuilder
) -> None:
    path = _path(entry)
    mode = entry.external_attr >> 16 if entry.create_system in _UNIX_MAKERS else 0
    kind = stat.S_IFMT(mode)
    modified_ms = _modified_ms(entry)
    is_marked = bool(entry.external_attr & _DOS_DIRECTORY) or kind == stat.S_IFDIR
    if _DRIVE.match(path):
        return
    if path.endswith("/") or is_marked:
        builder.add_directory(path, modified_ms)
    elif not _is_mounted(entry, kind, archive_bytes):
        return
    elif kind == stat.S_IFLNK:
        target = _target(archive, entry)
        if target is not None:
            builder.add_symlink(path, target, modified_ms, stays_inside=True)
    else:
        builder.add_file(path, entry.file_size, modified_ms, partial(_read, archive, entry))


def _path(entry: zipfile.ZipInfo) -> str:
    path = entry.orig_filename
    if not entry.flag_bits & _UTF8_FLAG:
        # Many archivers write UTF-8 and do not say so; hardly any other name is valid UTF-8.
        try:
            path = path.encode("cp437").decode("utf-8")
        except UnicodeError:
            path = entry.orig_filename
    # Some archivers of Windows separate names so.
    return path.replace("\\", "/")


def _is_mounted(entry: zipfile.ZipInfo, kind: int, archive_bytes: int) -> bool:
    """Tell whether a mount has the entry at all, by what the archive's directory says of it."""
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


def _target(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str | None:
    if entry.file_size > _MAX_TARGET_BYTES:
        return None
    try:
        return _read(archive, entry).decode("utf-8", "replace")
    except DemoInvalid:
        return None


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(entry)
    except _BROKEN:
        raise DemoInvalid("the archive is broken there; pack it again") from None


def _modified_ms(entry: zipfile.ZipInfo) -> int:
    """Return the entry's time; a DOS time, which has no time zone, is taken as UTC."""
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
    # Archivers that know no time write month 0 and day 0, and some count further than 12.
    years, months = divmod(max(0, month - 1), 12)
    first = datetime(year + years, months + 1, 1, tzinfo=UTC)
    since = timedelta(days=max(1, day) - 1, hours=hour, minutes=minute, seconds=second)
    return (first + since - _EPOCH) // timedelta(milliseconds=1)
