"""Zips with false headers, cut short, or not zips at all."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tests.browser.hostile.archives import (
    STORED,
    Entry,
    ZipMember,
    flipped,
    zip64_end,
    zip64_extra,
    zip_end,
    zip_of,
)
from tests.browser.hostile.case import (
    AFTER,
    BEFORE,
    HONEST_BYTES,
    HONEST_LOOKS,
    NO_ARCHIVE,
    HostileCase,
    Look,
    cannot_read,
    listing,
    reading,
    reported,
    unreadable_zip,
)

_NO_CONTENTS = unreadable_zip("has no table of contents at its end; it may have been cut short")
_OUTSIDE = unreadable_zip("has a table of contents that points outside of it")
_ENDS_EARLY = unreadable_zip("has a table of contents that ends too early")
_BROKEN = unreadable_zip("has a broken table of contents")
_GROWS = "would grow more than 1000 times (maxCompressionRatio)"
_TEXT = Entry("x", b"some text\n")
_READ = reading("x", "L1: some text")
_LISTED = listing("after.txt", "before.txt", "x")
_SATURATED = 0xFFFFFFFF


def zip_cases() -> Iterator[HostileCase]:
    """Yield every case of a zip whose parts do not fit together."""
    yield from _lying_members()
    yield from _unreadable_members()
    yield from _shared_bodies()
    yield from _odd_frames()
    yield from _wide_lies()
    yield from _broken()


def _listed_case(
    what: str,
    member: ZipMember,
    look: Look,
    *,
    declared: int = len(_TEXT.content),
    limits: Mapping[str, int] = MappingProxyType({}),
) -> HostileCase:
    """Return the case of a member that is in the tree, whatever reading it answers."""
    archive = zip_of([BEFORE, member, AFTER])
    outcome = reported(files=3, byte_count=HONEST_BYTES + declared)
    looks = [_LISTED, look, reading("after.txt", "L1: after")]
    return HostileCase(f"zip: {what}", archive, outcome, looks, limits)


def _lying_members() -> Iterator[HostileCase]:
    """Every number stands two or three times; the directory's counts."""
    for size, reason in ((4, "larger"), (11, "smaller"), (90, "smaller")):
        member = ZipMember(_TEXT, central={"size": size})
        look = cannot_read("x", f"the content is {reason} than declared")
        yield _listed_case(f"{size} bytes declared of 10", member, look, declared=size)
    zeros = Entry("x", bytes(20_000_000))
    for off_by, reason in ((-1, "larger"), (1, "smaller")):
        declared = len(zeros.content) + off_by
        yield _listed_case(
            f"{reason} than declared, of 20 MB",
            ZipMember(zeros, central={"size": declared}),
            cannot_read("x", f"the content is {reason} than declared"),
            declared=declared,
            limits={"maxCompressionRatio": 2000},
        )
    other_checksum = ZipMember(_TEXT, central={"crc": 1})
    yield _listed_case("another checksum", other_checksum, cannot_read("x", "the checksum differs"))
    lies = {"size": 4, "compressed": 3, "crc": 1, "method": 99}
    yield _listed_case("lies before the content", ZipMember(_TEXT, local=lies), _READ)
    described = ZipMember(_TEXT, has_descriptor=True)
    yield _listed_case("sizes behind the content", described, _READ)
    misdescribed = ZipMember(_TEXT, has_descriptor=True, local=lies)
    yield _listed_case("lies behind the content", misdescribed, _READ)
    stored = ZipMember(_TEXT, STORED, central={"crc": 1})
    look = cannot_read("x", "the checksum differs")
    yield _listed_case("another checksum of stored content", stored, look)
    for body, what in ((b"\xff" * 12, "is broken"), (b"", "ends too early")):
        member = ZipMember(_TEXT, body=body)
        look = cannot_read("x", f"the compressed form {what}")
        yield _listed_case(f"{body!r} for a body", member, look)
    elsewhere = ZipMember(_TEXT, central={"offset": 3})
    missing = cannot_read("x", "the local header is missing")
    yield _listed_case("a body that starts elsewhere", elsewhere, missing)


def _unreadable_members() -> Iterator[HostileCase]:
    method = "is compressed by method {}; only stored (0) and deflated (8) entries can be read"
    outside = "lies outside of the archive"
    wide = {"size": _SATURATED}
    for what, member, reason in (
        ("an encrypted entry", ZipMember(_TEXT, flags=1), "is encrypted"),
        ("a strongly encrypted entry", ZipMember(_TEXT, flags=0x41), "is encrypted"),
        ("an entry with hidden numbers", ZipMember(_TEXT, flags=0x2000), "is encrypted"),
        ("deflate64", ZipMember(_TEXT, 9), method.format(9)),
        ("bzip2", ZipMember(_TEXT, 12), method.format(12)),
        ("zstd", ZipMember(_TEXT, 93), method.format(93)),
        ("AES", ZipMember(_TEXT, 99), method.format(99)),
        ("an encrypted empty entry", ZipMember(Entry("x"), flags=1), "is encrypted"),
        (
            "stored content of two sizes",
            ZipMember(_TEXT, STORED, central={"size": 4}),
            "is stored with two different sizes",
        ),
        (
            "no bytes declared of some",
            ZipMember(_TEXT, central={"size": 0}),
            "is declared empty, and has the checksum of some content",
        ),
        (
            "a body that is mostly padding",
            ZipMember(_TEXT, body=bytes(5000)),
            "is 5000 bytes of compressed form for 10 bytes of content",
        ),
        ("an offset far away", ZipMember(_TEXT, central={"offset": 10**9}), outside),
        (
            "a body beyond the end",
            ZipMember(Entry("x", bytes(4000)), central={"compressed": 3000}),
            outside,
        ),
        ("a size that says nothing", ZipMember(_TEXT, central=wide), _GROWS),
        (
            "a size of eight exbibytes",
            ZipMember(_TEXT, central=wide, extra=zip64_extra(2**63)),
            _GROWS,
        ),
        (
            "stored content of eight exbibytes",
            ZipMember(
                _TEXT,
                STORED,
                central={**wide, "compressed": _SATURATED},
                extra=zip64_extra(2**63, 2**63),
            ),
            outside,
        ),
        (
            "an offset of eight exbibytes",
            ZipMember(_TEXT, central={"offset": _SATURATED}, extra=zip64_extra(2**63)),
            outside,
        ),
    ):
        outcome = reported(skipped=[("x", reason)])
        yield HostileCase(f"zip: {what}", zip_of([BEFORE, member, AFTER]), outcome, HONEST_LOOKS)


def _shared_bodies() -> Iterator[HostileCase]:
    """What overlaps counts once for each entry that claims it."""
    shared = [ZipMember(_TEXT), ZipMember(Entry("y", _TEXT.content), body_of=0)]
    yield HostileCase(
        "zip: two entries of one body",
        zip_of(shared),
        reported(byte_count=2 * len(_TEXT.content)),
        [listing("x", "y"), _READ, reading("y", "L1: some text")],
    )
    inner = Entry("inner", b"inner\n")
    local_part = zip_of([inner]).partition(b"PK\1\2")[0]
    outer = ZipMember(Entry("outer", local_part), STORED)
    inside = ZipMember(inner, body_of=0, central={"offset": 30 + len("outer")})
    yield HostileCase(
        "zip: an entry inside of another",
        zip_of([outer, inside]),
        reported(byte_count=len(local_part) + len(inner.content)),
        [listing("inner", "outer"), reading("inner", "L1: inner")],
    )


def _odd_frames() -> Iterator[HostileCase]:
    honest = zip_of([BEFORE, AFTER])
    for what, archive in (
        ("a program in front", b"#!/bin/sh\nexit 1\n" + honest),
        ("a PDF in front", zip_of([BEFORE, AFTER], prefix=b"%PDF-1.7\n" + bytes(4000))),
        ("something behind", honest + b"something"),
        ("a comment that only begins as an end", _commented(b"PK\5\6" + b"x" * 40)),
        ("a comment that is the longest", _commented(b"x" * 0xFFFF)),
        ("fewer entries counted", zip_of([BEFORE, AFTER], counted=1)),
    ):
        yield HostileCase(f"zip: {what}", archive, reported(), HONEST_LOOKS)
    # Of two ends the last one counts, for every reader that looks for it from behind.
    for comment in (zip_end(0, 0, 0), zip_end(0, 0, 0) + b" and more"):
        yield HostileCase(
            f"zip: a comment of {len(comment)} bytes that is an end",
            _commented(comment),
            reported(files=0, byte_count=0),
            [listing()],
        )
    yield HostileCase(
        "zip: a comment that is a broken end", _commented(zip_end(1, 9, 9**9)), _OUTSIDE
    )
    yield HostileCase("zip: nothing", zip_of([]), reported(files=0, byte_count=0), [listing()])


def _commented(comment: bytes) -> bytes:
    return zip_of([BEFORE, AFTER], comment=comment)


def _wide_lies() -> Iterator[HostileCase]:
    """The 64-bit end: honest, and with each number a lie."""
    body, size, start = _without_end()
    end = start + size
    honest = zip64_end(2, size, start, end)
    elsewhere = zip64_end(2, size, start, 2**62)
    for what, wide in (("honest numbers", honest), ("a place that is a lie", elsewhere)):
        yield HostileCase(f"zip64: {what}", body + wide, reported(), HONEST_LOOKS)
    headless = elsewhere.replace(b"PK\6\6", b"PK\6\0")
    for what, wide, outcome in (
        ("2^60 entries", zip64_end(2**60, size, start, end), _ENDS_EARLY),
        ("a directory of 2^63 bytes", zip64_end(2, 2**63, start, end), _OUTSIDE),
        ("a directory at 2^63", zip64_end(2, size, 2**63, end), _OUTSIDE),
        ("no end in 64 bits", headless, unreadable_zip("has a broken table of contents (zip64)")),
        ("no way to it", honest.replace(b"PK\6\7", b"PK\6\0"), _OUTSIDE),
    ):
        yield HostileCase(f"zip64: {what}", body + wide, outcome)


def _without_end() -> tuple[bytes, int, int]:
    """Return a zip without its end, and its directory's size and start."""
    whole = zip_of([BEFORE, AFTER])
    start = whole.index(b"PK\1\2")
    end = whole.index(b"PK\5\6")
    return whole[:end], end - start, start


def _broken() -> Iterator[HostileCase]:
    whole = zip_of([BEFORE, AFTER])
    _, size, start = _without_end()
    for length in (2, 3, 30, 60, start, start + 46, len(whole) - 22, len(whole) - 1):
        yield HostileCase(f"zip: the first {length} bytes", whole[:length], _NO_CONTENTS)
    for what, archive, outcome in (
        ("one byte", whole[:1], NO_ARCHIVE),
        ("without its first bytes", whole[10:], NO_ARCHIVE),
        ("without its first entry", whole[whole.index(b"PK\3\4", 4) :], _OUTSIDE),
        ("an end of another name", flipped(whole, start + size), _NO_CONTENTS),
        ("an entry of another name", flipped(whole, start), _BROKEN),
        ("a longer first name", flipped(whole, start + 28, 2), _BROKEN),
        ("a longer last name", flipped(whole, len(whole) - 22 - 46 - 9 + 28, 1), _ENDS_EARLY),
        ("a larger directory", flipped(whole, len(whole) - 10, 1), _BROKEN),
        ("more entries counted", zip_of([BEFORE, AFTER], counted=3), _ENDS_EARLY),
        (
            "one of several parts",
            flipped(whole, len(whole) - 18),
            unreadable_zip("is one part of an archive in several parts"),
        ),
    ):
        yield HostileCase(f"zip: {what}", archive, outcome)
    at = whole.index(b"before.txt") + len(b"before.txt") + 3
    yield HostileCase(
        "zip: a bit of the content turned",
        flipped(whole, at),
        reported(),
        [cannot_read("before.txt", "the checksum differs"), reading("after.txt", "L1: after")],
    )
