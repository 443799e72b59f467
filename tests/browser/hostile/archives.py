"""Archives written byte by byte, so that any field can be wrong: zip, tar, and compressed tar.

Nothing here comes from the product or from a library that refuses to write nonsense; the same
call always gives the same bytes.
"""

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["file", "directory", "symlink", "hard-link", "char", "block", "fifo"]

STORED = 0
DEFLATED = 8
MIB = 1024 * 1024

_UNIX_TYPES = {
    "file": 0o100644,
    "directory": 0o040755,
    "symlink": 0o120777,
    "char": 0o020644,
    "block": 0o060644,
    "fifo": 0o010644,
}
_TAR_TYPES: Mapping[Kind, bytes] = {
    "file": b"0",
    "hard-link": b"1",
    "symlink": b"2",
    "char": b"3",
    "block": b"4",
    "directory": b"5",
    "fifo": b"6",
}
_BLOCK = 512
_NAME_FIELD = 100
_UNSET = -1


@dataclass(frozen=True)
class Entry:
    """One entry of either kind of archive; a link's content is its target."""

    path: str | bytes
    content: bytes = b""
    kind: Kind = "file"

    @property
    def raw_path(self) -> bytes:
        return self.path if isinstance(self.path, bytes) else self.path.encode()


@dataclass(frozen=True)
class ZipMember:
    """An entry of a zip; a field that is not given is as an honest archiver writes it."""

    entry: Entry
    method: int = DEFLATED
    flags: int = 0x800
    body: bytes | None = None
    """The compressed form, whatever the content is."""
    local: Mapping[str, int] = field(default_factory=dict)
    """Numbers of the local header: `crc`, `compressed`, `size`, `method`."""
    central: Mapping[str, int] = field(default_factory=dict)
    """Numbers of the directory: those, and `offset`."""
    extra: bytes = b""
    """Of the directory."""
    has_descriptor: bool = False
    """Sizes stand behind the content, as a streaming writer leaves them."""
    body_of: int = _UNSET
    """The number of an earlier member whose local header and body this one claims as its own."""


def zip_of(
    entries: Iterable[Entry | ZipMember],
    *,
    prefix: bytes = b"",
    comment: bytes = b"",
    counted: int = _UNSET,
) -> bytes:
    """Return a zip; `counted` is the number of entries that its end declares."""
    members = [one if isinstance(one, ZipMember) else ZipMember(one) for one in entries]
    body = bytearray()
    offsets: list[int] = []
    directory = bytearray()
    for member in members:
        offsets.append(len(body) if member.body_of == _UNSET else offsets[member.body_of])
        numbers = _numbers(member, offsets[-1])
        if member.body_of == _UNSET:
            body += _local_part(member, numbers)
        directory += _central_record(member, {**numbers, **member.central})
    count = len(members) if counted == _UNSET else counted
    return prefix + body + directory + zip_end(count, len(directory), len(body), comment=comment)


def zip_end(count: int, size: int, start: int, *, comment: bytes = b"") -> bytes:
    """Return the record that ends a zip."""
    count = min(count, 0xFFFF)
    numbers = struct.pack("<HHHHIIH", 0, 0, count, count, size, start, len(comment))
    return b"PK\5\6" + numbers + comment


def zip64_end(count: int, size: int, start: int, position: int) -> bytes:
    """Return the three records that end a zip in 64-bit form; `position` is the first one's."""
    wide = struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, size, start)
    locator = struct.pack("<IQI", 0, position, 1)
    narrow = zip_end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    return b"PK\6\6" + wide + b"PK\6\7" + locator + narrow


def zip64_extra(*numbers: int) -> bytes:
    """Return the extra field that holds numbers which do not fit."""
    return struct.pack("<HH", 1, 8 * len(numbers)) + struct.pack(f"<{len(numbers)}Q", *numbers)


def deflate(content: bytes) -> bytes:
    """Return content as zip holds it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def _numbers(member: ZipMember, offset: int) -> dict[str, int]:
    content = member.entry.content
    body = _body_of(member)
    return {
        "crc": zlib.crc32(content),
        "compressed": len(body),
        "size": len(content),
        "method": member.method,
        "offset": offset,
    }


def _body_of(member: ZipMember) -> bytes:
    if member.body is not None:
        return member.body
    content = member.entry.content
    return deflate(content) if member.method == DEFLATED else content


def _local_part(member: ZipMember, numbers: Mapping[str, int]) -> bytes:
    name = member.entry.raw_path
    before = {"crc": 0, "compressed": 0, "size": 0} if member.has_descriptor else {}
    header = _shared_fields(member, {**numbers, **before, **member.local})
    behind = b""
    if member.has_descriptor:
        told = {**numbers, **member.local}
        behind = b"PK\7\x08" + struct.pack("<III", told["crc"], told["compressed"], told["size"])
    return b"PK\3\4" + header + struct.pack("<H", 0) + name + _body_of(member) + behind


def _central_record(member: ZipMember, numbers: Mapping[str, int]) -> bytes:
    mode = _UNIX_TYPES[member.entry.kind]
    head = b"PK\1\2" + struct.pack("<H", 3 << 8 | 20) + _shared_fields(member, numbers)
    tail = struct.pack(
        "<HHHHII", len(member.extra), 0, 0, 0, mode << 16, min(numbers["offset"], 0xFFFFFFFF)
    )
    return head + tail + member.entry.raw_path + member.extra


def _shared_fields(member: ZipMember, numbers: Mapping[str, int]) -> bytes:
    flags = member.flags | (8 if member.has_descriptor else 0)
    return struct.pack(
        "<HHHHHIIIH",
        20,
        flags,
        numbers["method"],
        0,
        0x21,
        numbers["crc"],
        numbers["compressed"],
        numbers["size"],
        len(member.entry.raw_path),
    )


@dataclass(frozen=True)
class TarMember:
    """An entry of a tar; a field that is not given is as an honest archiver writes it."""

    entry: Entry
    size: int | bytes = _UNSET
    """The size in the header: a number, or the field's twelve bytes."""
    checksum_off_by: int = 0
    type: bytes = b""
    """The type's character, if it is of no known kind."""


def tar_of(entries: Iterable[Entry | TarMember], *, end_blocks: int = 2) -> bytes:
    """Return a tar; long and odd names stand in headers of their own, as they do in the wild."""
    members = [one if isinstance(one, TarMember) else TarMember(one) for one in entries]
    return b"".join(map(tar_part, members)) + bytes(end_blocks * _BLOCK)


def tar_part(member: TarMember) -> bytes:
    """Return one entry with the headers before it."""
    entry = member.entry
    path = entry.raw_path
    if entry.kind == "directory" and not path.endswith(b"/"):
        path += b"/"
    is_link = entry.kind in {"symlink", "hard-link"}
    target = entry.content if is_link else b""
    content = b"" if is_link else entry.content
    before = b""
    if b"\0" in path:
        before += pax(path=path)
    elif len(path) > _NAME_FIELD:
        before += _long_name(b"L", path)
    if len(target) > _NAME_FIELD:
        before += _long_name(b"K", target)
    kind = member.type or _TAR_TYPES[entry.kind]
    size = len(content) if member.size == _UNSET else member.size
    header = tar_header(path, kind, size, target, checksum_off_by=member.checksum_off_by)
    return before + header + padded(content)


def tar_header(
    name: bytes, kind: bytes, size: int | bytes, target: bytes = b"", *, checksum_off_by: int = 0
) -> bytes:
    """Return one header; a size that is bytes is written as it is."""
    header = bytearray(_BLOCK)
    size_field = size if isinstance(size, bytes) else b"%011o\0" % size
    for at, value in (
        (0, name.partition(b"\0")[0][:_NAME_FIELD]),
        (_NAME_FIELD, b"0000644\0"),
        (124, size_field),
        (136, b"%011o\0" % 0),
        (148, b" " * 8),
        (156, kind),
        (157, target[:_NAME_FIELD]),
        (257, b"ustar\x0000"),
    ):
        header[at : at + len(value)] = value
    header[148:156] = b"%06o\0 " % (sum(header) + checksum_off_by)
    return bytes(header)


def pax(kind: bytes = b"x", **records: bytes) -> bytes:
    """Return a pax header for the next entry; of the kind `g`, for all that follow."""
    body = b"".join(_pax_record(key.encode(), value) for key, value in records.items())
    return tar_header(b"PaxHeaders/0", kind, len(body)) + padded(body)


def _pax_record(key: bytes, value: bytes) -> bytes:
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest) + 1
    while length != len(rest) + len(str(length)):
        length = len(rest) + len(str(length))
    return str(length).encode() + rest


def _long_name(kind: bytes, text: bytes) -> bytes:
    return tar_header(b"././@LongLink", kind, len(text) + 1) + padded(text + b"\0")


def padded(content: bytes) -> bytes:
    """Return content filled up to whole blocks."""
    return content + bytes(-len(content) % _BLOCK)


def base256(value: int) -> bytes:
    """Return a size field for numbers, negative ones too, that octal digits have no room for."""
    return bytes([0x80 if value >= 0 else 0xFF]) + value.to_bytes(11, "big", signed=True)


def gzip_of(content: bytes) -> bytes:
    """Return content compressed by gzip, without a time."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def xz_of(content: bytes) -> bytes:
    """Return content compressed by xz, with its checksum."""
    return lzma.compress(content, preset=1)


def bzip2_of(content: bytes) -> bytes:
    """Return content compressed by bzip2."""
    return bz2.compress(content)


COMPRESSORS: Mapping[str, Callable[[bytes], bytes]] = {
    "tar.gz": gzip_of,
    "tar.bz2": bzip2_of,
    "tar.xz": xz_of,
}
"""Form to the function that compresses a plain tar."""


def flipped(archive: bytes, at: int, bit: int = 0) -> bytes:
    """Return the archive with one bit turned; negative places count from its end."""
    changed = bytearray(archive)
    changed[at] ^= 1 << bit
    return bytes(changed)


def noise_of(length: int) -> bytes:
    """Return bytes that nothing compresses, the same ones each time."""
    return b"".join(zlib.crc32(b"%d" % n).to_bytes(4, "big") for n in range(length // 4))
