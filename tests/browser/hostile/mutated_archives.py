"""Valid archives with random changes, for what the list of cases misses."""

import struct

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.browser.hostile.archives import (
    COMPRESSORS,
    STORED,
    Entry,
    ZipMember,
    noise_of,
    pax,
    tar_of,
    zip_of,
)

_TREE = [
    Entry("README.md", b"# Hello\n" * 40),
    Entry("src", b"", "directory"),
    Entry("src/app.py", b"print('hello')\n"),
    Entry("src/deep/er/x.bin", noise_of(700)),
    Entry("link", b"src/app.py", "symlink"),
    Entry("n" * 120, b"long name\n"),
    Entry("empty"),
]

VALID_ARCHIVES: dict[str, bytes] = {
    "zip": zip_of([*_TREE, ZipMember(Entry("stored.txt", b"stored\n"), STORED)]),
    "zip with descriptors": zip_of([ZipMember(one, has_descriptor=True) for one in _TREE]),
    "tar": tar_of([*_TREE, Entry("hard", b"README.md", "hard-link")]),
    "tar with pax headers": pax(b"g", mtime=b"1.5") + pax(path=b"p/q") + tar_of(_TREE),
    **{form: compress(tar_of(_TREE)) for form, compress in COMPRESSORS.items()},
}

_INTERESTING = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**63, 2**64 - 1)
_ZIP_HEADERS = (b"PK\1\2", b"PK\3\4", b"PK\5\6", b"PK\7\x08")
_TAR_BLOCK = 512
_TAR_FIELDS = ((0, 100), (124, 12), (136, 12), (156, 1), (157, 100), (257, 8), (345, 155))
"""Place and width of what a tar header says: name, size, time, type, target, magic, prefix."""


def _places(archive: bytes) -> SearchStrategy[int]:
    """Draw the place of a change: anywhere, or in a header, where it has most effect."""
    headers = [
        at + field
        for signature in _ZIP_HEADERS
        for at in range(len(archive))
        if archive.startswith(signature, at)
        for field in range(46)
    ]
    if archive[257:262] == b"ustar":
        headers += [
            block + field
            for block in range(0, len(archive), _TAR_BLOCK)
            for field in (*range(100, 160), 257, 345)
        ]
    anywhere = st.integers(0, len(archive) - 1)
    inside = [at for at in headers if at < len(archive)]
    return anywhere | st.sampled_from(inside) if inside else anywhere


@st.composite
def _mutated(draw: st.DrawFn, archive: bytes) -> bytes:
    at = draw(_places(archive))
    match draw(st.sampled_from(["flip", "cut", "repeat", "remove", "number", "end"])):
        case "flip":
            bit = draw(st.integers(0, 7))
            return archive[:at] + bytes([archive[at] ^ 1 << bit]) + archive[at + 1 :]
        case "cut":
            return archive[:at]
        case "repeat":
            end = at + draw(st.integers(1, 2000))
            return archive[:end] + archive[at:end] + archive[end:]
        case "remove":
            return archive[:at] + archive[at + draw(st.integers(1, 2000)) :]
        case "number":
            width = draw(st.sampled_from("HIQ"))
            number = draw(st.sampled_from(_INTERESTING)) % 256 ** struct.calcsize(width)
            field = struct.pack(f"<{width}", number)
            return archive[:at] + field + archive[at + len(field) :]
        case _:
            return archive + archive[at:]


@st.composite
def _mutated_headers(draw: st.DrawFn) -> bytes:
    """Draw a tar with one changed header, whose checksum fits the change."""
    archive = bytearray(VALID_ARCHIVES[draw(st.sampled_from(["tar", "tar with pax headers"]))])
    headers = [
        at for at in range(0, len(archive), _TAR_BLOCK) if archive[at + 257 : at + 262] == b"ustar"
    ]
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.sampled_from(headers))
        place, width = draw(st.sampled_from(_TAR_FIELDS))
        octal = st.integers(0, 2**33 - 1).map(lambda number: b"%011o\0" % number)
        value = draw(octal | st.binary(min_size=1, max_size=width))[:width]
        archive[start + place : start + place + len(value)] = value
        header = archive[start : start + _TAR_BLOCK]
        header[148:156] = b" " * 8
        archive[start + 148 : start + 156] = b"%06o\0 " % sum(header)
    return bytes(archive)


@st.composite
def mutated_archives(draw: st.DrawFn) -> tuple[str, bytes]:
    """Draw an archive's form, and its bytes with one to three things changed."""
    forms = [*sorted(VALID_ARCHIVES), "tar headers"]
    form = draw(st.sampled_from(forms))
    if form == "tar headers":
        compress = draw(st.sampled_from([bytes, *COMPRESSORS.values()]))
        return form, compress(draw(_mutated_headers()))
    archive = VALID_ARCHIVES[form]
    for _ in range(draw(st.integers(1, 3))):
        if archive:
            archive = draw(_mutated(archive))
    return form, archive
