"""Tars, plain and compressed, with false headers, cut short, or not tars at all."""

import zlib
from collections.abc import Iterator, Mapping

from tests.browser.hostile.archives import (
    COMPRESSORS,
    Entry,
    TarMember,
    base256,
    flipped,
    noise_of,
    pax,
    tar_header,
    tar_of,
    tar_part,
    xz_of,
)
from tests.browser.hostile.case import (
    AFTER,
    BEFORE,
    HONEST_BYTES,
    HONEST_LOOKS,
    NO_ARCHIVE,
    HostileCase,
    listing,
    reading,
    refused,
    reported,
    unreadable_tar,
)

_CUT_SHORT = unreadable_tar("ends in the middle of an entry; it was cut short")
_SECOND_BROKEN = unreadable_tar("has a broken header at byte 1024")
_SECOND_PAX_BROKEN = unreadable_tar("has a broken pax header at byte 1024")
_TEXT = Entry("x", b"some text\n")


def tar_cases() -> Iterator[HostileCase]:
    """Yield every case of a tar whose parts do not fit together."""
    yield from _lying_sizes()
    yield from _lying_records()
    yield from _truncated()
    for form in COMPRESSORS:
        yield from _compressed(form)
    yield from _odd_streams()
    yield from _no_archives()


def _between(*parts: bytes) -> bytes:
    """Return a tar with parts, which start at byte 1024, between two honest entries."""
    before, after = tar_part(TarMember(BEFORE)), tar_part(TarMember(AFTER))
    return before + b"".join(parts) + after + bytes(1024)


def _lying_sizes() -> Iterator[HostileCase]:
    """A tar has one size for each entry, which is also the way to the next one."""
    long = Entry("x", b"x" * 600)
    for what, member, outcome in (
        ("a size beyond the end", TarMember(_TEXT, size=10**6), _CUT_SHORT),
        ("a size of a terabyte", TarMember(_TEXT, size=base256(2**40)), _CUT_SHORT),
        (
            "a size that ends within the content",
            TarMember(long, size=10),
            unreadable_tar("has a broken header at byte 2048"),
        ),
        ("a size below nothing", TarMember(_TEXT, size=base256(-1)), _SECOND_BROKEN),
        ("a size of 2^62", TarMember(_TEXT, size=base256(2**62)), _SECOND_BROKEN),
        ("a size of 2^80", TarMember(_TEXT, size=base256(2**80)), _SECOND_BROKEN),
        ("a size that is no number", TarMember(_TEXT, size=b"0x10        "), _SECOND_BROKEN),
        ("another checksum", TarMember(_TEXT, checksum_off_by=1), _SECOND_BROKEN),
    ):
        yield HostileCase(f"tar: {what}", tar_of([BEFORE, member, AFTER]), outcome)
    # The declared size counts: the file ends early, or contains the padding.
    binary = (
        "The file looks binary: the shown text holds NUL characters.",
        "The shown text holds 2 invisible or bidirectional characters.",
    )
    for size, shown, warnings in (
        (4, "L1: some", ()),
        (12, "L1: some text\nL2: \0\0", binary),
    ):
        yield HostileCase(
            f"tar: {size} bytes declared of 10",
            tar_of([BEFORE, TarMember(_TEXT, size=size), AFTER]),
            reported(files=3, byte_count=HONEST_BYTES + size),
            [listing("after.txt", "before.txt", "x"), reading("x", shown, *warnings)],
        )
    swallowing = tar_of([BEFORE, TarMember(_TEXT, size=1024), AFTER])
    yield HostileCase(
        "tar: a size that takes in the next header",
        swallowing,
        unreadable_tar("has a broken header at byte 2560"),
    )
    first = flipped(tar_of([BEFORE, AFTER]), 0)
    yield HostileCase(
        "tar: a first bit turned", first, unreadable_tar("has a broken header at byte 0")
    )
    second = flipped(tar_of([BEFORE, AFTER]), 1024 + 100)
    yield HostileCase("tar: a second header's bit turned", second, _SECOND_BROKEN)
    content = flipped(tar_of([BEFORE, AFTER]), 512)
    changed = [reading("before.txt", "L1: cefore"), reading("after.txt", "L1: after")]
    yield HostileCase("tar: a bit of the content turned", content, reported(), changed)


def _lying_records() -> Iterator[HostileCase]:
    """Headers of headers: long names, and pax records over the fields."""
    too_large = "has an extended header of 2097152 bytes at byte 1024, over 1048576"
    x = tar_part(TarMember(_TEXT))
    for what, parts, outcome in (
        ("a pax size beyond the end", [pax(size=b"99999999999"), x], _CUT_SHORT),
        ("a pax size below nothing", [pax(size=b"-1"), x], _SECOND_PAX_BROKEN),
        ("a pax size of 2^64", [pax(size=b"18446744073709551616"), x], _SECOND_PAX_BROKEN),
        (
            "a pax record longer than its header",
            [tar_header(b"p", b"x", 12), b"99 path=y\n12".ljust(512, b"\0"), x],
            _SECOND_PAX_BROKEN,
        ),
        (
            "a pax record of no length",
            [tar_header(b"p", b"x", 9), b"0 path=y\n".ljust(512, b"\0"), x],
            _SECOND_PAX_BROKEN,
        ),
        (
            "a long name of two mebibytes",
            [tar_header(b"L", b"L", 2**21), bytes(2**21), x],
            unreadable_tar(too_large),
        ),
        (
            "a long name that nothing follows, at the end",
            [
                tar_header(b"L", b"L", 10),
                b"long name\0".ljust(512, b"\0"),
                tar_header(b"y", b"0", 9),
            ],
            unreadable_tar("has a broken header at byte 3072"),
        ),
        (
            "65 headers of one entry",
            [pax(comment=b"again")] * 65 + [x],
            unreadable_tar("has more than 64 extended headers before one entry"),
        ),
    ):
        yield HostileCase(f"tar: {what}", _between(*parts), outcome)
    escaping = _between(pax(path=b"../../etc/passwd"), x, pax(linkpath=b"/etc"), _link())
    yield HostileCase(
        "tar: pax records that lead out",
        escaping,
        reported(
            skipped=[
                ("../../etc/passwd", "leads out of the tree with '..'"),
                ("l", "is a link out of the tree"),
            ]
        ),
        HONEST_LOOKS,
    )


def _link() -> bytes:
    return tar_part(TarMember(Entry("l", b"before.txt", "symlink")))


def _truncated() -> Iterator[HostileCase]:
    whole = tar_of([BEFORE, AFTER])
    for length in (512, 515, 1024 + 100, 1024 + 511, 1024 + 512, 1024 + 515):
        yield HostileCase(f"tar: the first {length} bytes", whole[:length], _CUT_SHORT)
    yield HostileCase("tar: the first 511 bytes", whole[:511], NO_ARCHIVE)
    only_first = reported(files=1, byte_count=len(BEFORE.content))
    yield HostileCase("tar: one entry of two", whole[:1024], only_first, [listing("before.txt")])
    for length in (512 + len(BEFORE.content), 512 + 100):
        # The padding of the last block may be missing.
        yield HostileCase(
            f"tar: the first {length} bytes", whole[:length], only_first, [listing("before.txt")]
        )
    for end_blocks in (0, 1, 9):
        archive = tar_of([BEFORE, AFTER], end_blocks=end_blocks)
        yield HostileCase(f"tar: {end_blocks} blocks at the end", archive, reported(), HONEST_LOOKS)
    behind = whole + tar_of([Entry("hidden", b"hidden\n")])
    yield HostileCase("tar: another one behind the end", behind, reported(), HONEST_LOOKS)


def _compressed(form: str) -> Iterator[HostileCase]:
    compress = COMPRESSORS[form]
    # Large and not compressible, so that the compressed bytes have a middle to break.
    noise = Entry("noise", noise_of(20_000))
    whole = compress(tar_of([BEFORE, noise, AFTER]))
    broken, cut = _refusals_of(form)
    for what, archive, outcome in (
        ("its first half", whole[: len(whole) // 2], cut),
        ("all but its last byte", whole[:-1], cut),
        ("its first 30 bytes", whole[:30], cut),
        ("a bit in its middle turned", flipped(whole, len(whole) // 2), broken),
        ("a bit of its checksum turned", flipped(whole, _CHECKSUM_AT[form]), broken),
        ("something behind", whole + b"something" * 10, broken),
        ("no tar inside", compress(b"text\n" * 500), _holds_no_tar(form)),
        ("nothing inside", compress(b""), _holds_no_tar(form)),
        ("a broken tar inside", compress(flipped(tar_of([BEFORE, AFTER]), 1124)), _SECOND_BROKEN),
        ("half a tar inside", compress(tar_of([BEFORE, AFTER])[:515]), _CUT_SHORT),
    ):
        yield HostileCase(f"{form}: {what}", archive, outcome)
    empty = reported(files=0, byte_count=0)
    yield HostileCase(f"{form}: an empty tar inside", compress(tar_of([])), empty, [listing()])
    twice = compress(tar_of([BEFORE, AFTER])[:700]) + compress(tar_of([BEFORE, AFTER])[700:])
    yield HostileCase(f"{form}: in two streams", twice, reported(), HONEST_LOOKS)


_NAMES = {"tar.gz": "gzip", "tar.bz2": "bzip2", "tar.xz": "xz"}
_CHECKSUM_AT = {"tar.gz": -8, "tar.bz2": -4, "tar.xz": -30}


def _refusals_of(form: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the two refusals: of a broken stream, and of one that was cut."""
    name = _NAMES[form]
    cut = _unreadable_stream(name, "ends too early; it was cut short")
    return _unreadable_stream(name, "is broken"), cut


def _unreadable_stream(name: str, what: str) -> Mapping[str, str]:
    return refused("SourceUnreadable", f"The {name} archive {what}; make it again and retry.")


def _holds_no_tar(form: str) -> Mapping[str, str]:
    name = _NAMES[form]
    return refused(
        "SourceUnreadable",
        f"The file is compressed by {name} and holds no tar archive, or a broken one; "
        "unpack it and mount its files with { files }.",
    )


def _odd_streams() -> Iterator[HostileCase]:
    needs_memory = refused(
        "SourceUnreadable",
        "The xz archive needs more than 83886080 bytes of memory to be unpacked; "
        "pack it again with a smaller dictionary, for example by 'xz -9'.",
    )
    hungry = _with_dictionary_of_4_gib(xz_of(tar_of([BEFORE, AFTER])))
    yield HostileCase("tar.xz: a dictionary of 4 GiB", hungry, needs_memory)
    padded = xz_of(tar_of([BEFORE, AFTER])) + bytes(8)
    yield HostileCase("tar.xz: padding behind", padded, reported(), HONEST_LOOKS)
    for form, compress in COMPRESSORS.items():
        # Only a tar is unpacked, and only once.
        inner = compress(tar_of([BEFORE]))
        twice = tar_of([Entry("inner", inner)])
        yield HostileCase(
            f"{form}: an archive in an archive",
            compress(twice),
            reported(files=1, byte_count=len(inner)),
            [listing("inner")],
        )
        yield HostileCase(f"{form}: compressed twice", compress(inner), _holds_no_tar(form))


def _with_dictionary_of_4_gib(archive: bytes) -> bytes:
    """Return an xz whose first block says so: one byte, and the checksum over it."""
    changed = bytearray(archive)
    start = 12
    length = (changed[start] + 1) * 4
    changed[start + 4] = 40
    checksum = zlib.crc32(changed[start : start + length - 4])
    changed[start + length - 4 : start + length] = checksum.to_bytes(4, "little")
    return bytes(changed)


def _no_archives() -> Iterator[HostileCase]:
    empty = reported(files=0, byte_count=0)
    yield HostileCase("tar: nothing", tar_of([]), empty, [listing()])
    yield HostileCase(
        "no bytes at all", b"", refused("SourceUnreadable", "The archive is empty: it has 0 bytes.")
    )
    for what, start in (
        ("a 7z archive", b"7z\xbc\xaf\x27\x1c"),
        ("a RAR archive", b"Rar!\x1a\x07\0"),
        ("a PDF document", b"%PDF-1.7\n"),
        ("a file compressed by zstd", b"\x28\xb5\x2f\xfd"),
    ):
        message = (
            f"The file looks like {what}; choose a zip archive or a tar archive, "
            "plain or compressed by gzip, bzip2 or xz."
        )
        refusal = refused("SourceUnreadable", message)
        yield HostileCase(what, start + bytes(600), refusal)
    for what, content in (
        ("one block of zeros", bytes(512)),
        ("a text", b"just some text\n" * 100),
        ("noise", noise_of(2000)),
    ):
        yield HostileCase(what, content, NO_ARCHIVE)
