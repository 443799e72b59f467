"""Bombs: archives of some hundred kilobytes that would fill a page's memory, made in a moment.

What repeats is compressed once: behind a full flush the same bytes become the same form again.
"""

import struct
import zlib
from functools import cache

from tests.browser.hostile.archives import (
    COMPRESSORS,
    MIB,
    STORED,
    Entry,
    ZipMember,
    deflate,
    tar_header,
    zip64_end,
    zip_of,
)

BOMB_BYTES = 300 * MIB
_UNIT_BYTES = 15 * MIB
_UNITS = BOMB_BYTES // _UNIT_BYTES
_TAR_END = bytes(1024)


@cache
def deflated_zeros() -> tuple[bytes, int]:
    """Return 300 MiB of zeros as zip holds them, in about 300 kB, and their checksum."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    unit = bytes(_UNIT_BYTES)
    body = (packer.compress(unit) + packer.flush(zlib.Z_FULL_FLUSH)) * _UNITS
    checksum = 0
    for _ in range(_UNITS):
        checksum = zlib.crc32(unit, checksum)
    return body + deflate(b""), checksum


def zip_bomb(declared_bytes: int = BOMB_BYTES) -> bytes:
    """Return a zip of one such file, `bomb`, which may say that it is smaller."""
    body, checksum = deflated_zeros()
    numbers = {"size": declared_bytes, "crc": checksum}
    bomb = ZipMember(Entry("bomb"), body=body, local=numbers, central=numbers)
    return zip_of([bomb, Entry("after.txt", b"after\n")])


@cache
def tar_bomb(form: str) -> bytes:
    """Return a compressed tar of one such file, `bomb`."""
    header = tar_header(b"bomb", b"0", BOMB_BYTES)
    if form == "tar.gz":
        return _gzip_bomb(header)
    compress = COMPRESSORS[form]
    return compress(header) + compress(bytes(_UNIT_BYTES)) * _UNITS + compress(_TAR_END)


def _gzip_bomb(header: bytes) -> bytes:
    """One stream, as a packer writes it."""
    body, _ = deflated_zeros()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    first = packer.compress(header) + packer.flush(zlib.Z_FULL_FLUSH)
    zeros = body.removesuffix(deflate(b""))
    checksum = zlib.crc32(header)
    unit = bytes(_UNIT_BYTES)
    for _ in range(_UNITS):
        checksum = zlib.crc32(unit, checksum)
    checksum = zlib.crc32(_TAR_END, checksum)
    size = len(header) + BOMB_BYTES + len(_TAR_END)
    trailer = struct.pack("<II", checksum, size)
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + first + zeros + deflate(_TAR_END) + trailer


def terabyte_zip() -> bytes:
    """Return a zip of a terabyte: 4,096 entries, all of which claim one body of 300 kB.

    None grows more than a thousand times, so no one of them is suspicious.
    """
    body, _ = deflated_zeros()
    numbers = {"size": 256 * MIB, "compressed": len(body)}
    members = [ZipMember(Entry("0000"), body=body, local=numbers, central=numbers)]
    members += [
        ZipMember(Entry(f"{number:04}"), body=b"", central=numbers, body_of=0)
        for number in range(1, 4096)
    ]
    return zip_of(members)


def crowded_zip(*, directory_count: int, files_each: int) -> bytes:
    """Return a zip of empty files, in its 64-bit form since they are so many.

    The files are stored at one place: their local headers are all the same one.
    """
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, 0, STORED, 0, 0x21, 0, 0, 0, 0, 0)
    fixed = b"PK\1\2" + struct.pack("<HHHHHHIII", 20, 20, 0, STORED, 0, 0x21, 0, 0, 0)
    names = [
        f"d{directory:03}/{number:03}".encode()
        for directory in range(directory_count)
        for number in range(files_each)
    ]
    tail = bytes(16)
    directory = b"".join(fixed + struct.pack("<H", len(name)) + tail + name for name in names)
    start = len(local)
    end = zip64_end(len(names), len(directory), start, start + len(directory))
    return local + directory + end
