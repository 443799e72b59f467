"""The entries of a zip archive, taken as a mount in the browser takes them.

A file is read when a tool asks for it, and never more of it than the archive declares.
"""

from __future__ import annotations

import re
import stat
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.trees.zip_entries import (
    DEFLATED,
    STORED,
    ZipEntry,
    read_content,
    read_entries,
)

if TYPE_CHECKING:
    from treeglass.authoring.trees.tree_in_memory import TreeBuilder

_ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
_MAX_TARGET_BYTES = 4095
_MAX_COMPRESSION_RATIO = 1000
_RATIO_EXEMPT_BYTES = 1024 * 1024
_MAX_DEFLATE_GROWTH, _MAX_DEFLATE_OVERHEAD_BYTES = 2, 1024
_DRIVE = re.compile(r"[A-Za-z]:(/|$)")


def add_zip(archive: BinaryIO, builder: TreeBuilder) -> None:
    """Add the entries of a zip archive.

    Args:
        archive: Has to stay open while the files are read.
        builder: Takes the entries.

    Raises:
        DemoInvalid: It is not a zip archive, is broken, or is over a limit of a tree.
    """
    archive_bytes = archive.seek(0, 2)
    for entry in read_entries(archive):
        _add_entry(archive, entry, archive_bytes, builder)


def _add_entry(
    archive: BinaryIO, entry: ZipEntry, archive_bytes: int, builder: TreeBuilder
) -> None:
    path, kind = entry.path, stat.S_IFMT(entry.mode)
    if _DRIVE.match(path):
        return
    if path.endswith("/") or entry.is_dos_directory or kind == stat.S_IFDIR:
        builder.add_directory(path, entry.modified_ms)
    elif not _is_mounted(entry, kind, archive_bytes):
        return
    elif kind == stat.S_IFLNK:
        target = _target(archive, entry)
        if target is not None:
            builder.add_symlink(path, target, entry.modified_ms, stays_inside=True)
    else:
        read = partial(read_content, archive, entry)
        builder.add_file(path, entry.size_bytes, entry.modified_ms, read)


def _is_mounted(entry: ZipEntry, kind: int, archive_bytes: int) -> bool:
    """Tell whether a mount has the entry at all, by what the table of contents says of it."""
    packed, size = entry.packed_bytes, entry.size_bytes
    return not (
        entry.flags & _ENCRYPTED_FLAGS
        or kind not in {0, stat.S_IFREG, stat.S_IFLNK}
        or entry.method not in {STORED, DEFLATED}
        or (size == 0 and entry.crc != 0)
        or (entry.method == STORED and size != packed)
        or packed > size * _MAX_DEFLATE_GROWTH + _MAX_DEFLATE_OVERHEAD_BYTES
        or entry.header_start + packed > archive_bytes
        or (size > _RATIO_EXEMPT_BYTES and size > packed * _MAX_COMPRESSION_RATIO)
    )


def _target(archive: BinaryIO, entry: ZipEntry) -> str | None:
    if entry.size_bytes > _MAX_TARGET_BYTES:
        return None
    try:
        return read_content(archive, entry).decode("utf-8", "replace")
    except DemoInvalid:
        return None
