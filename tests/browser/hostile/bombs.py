"""Bombs, and the outcome of mounting each: refused, left out, or unreadable, and never unpacked."""

from collections.abc import Iterator

from tests.browser.hostile.archives import (
    COMPRESSORS,
    MIB,
    Entry,
    pax,
    tar_header,
    tar_of,
    zip_of,
)
from tests.browser.hostile.bomb_archives import BOMB_BYTES, tar_bomb, terabyte_zip, zip_bomb
from tests.browser.hostile.case import (
    AFTER,
    HostileCase,
    cannot_read,
    listing,
    over_limit,
    reading,
    refused,
    reported,
)

LIMIT_BYTES = 64 * MIB
_TRUSTING = {"maxCompressionRatio": 10**9}
_OVER_FILE_LIMIT = f"is {BOMB_BYTES} bytes large, over maxFileBytes ({LIMIT_BYTES})"
_GROWS = "would grow more than 1000 times (maxCompressionRatio)"
_TOO_MANY = 1000
_NO_BOMB = [listing("after.txt"), reading("after.txt", "L1: after")]
_OVER_RATIO = refused(
    "LimitExceeded",
    "The archive inflates to more than 1000 times its compressed size (maxCompressionRatio); "
    "if you trust it, raise limits.maxCompressionRatio",
)
_OVER_TOTAL = over_limit("maxTotalBytes", LIMIT_BYTES, "bytes of files")


def lying_zip_bomb() -> HostileCase:
    """Return the zip whose bomb declares a small size, so that only reading reveals it."""
    declared = 60 * MIB
    return HostileCase(
        "zip: 300 MiB that are declared as 60",
        zip_bomb(declared),
        reported(files=2, byte_count=declared + len(AFTER.content)),
        [
            listing("after.txt", "bomb"),
            cannot_read("bomb", "the content is larger than declared"),
            reading("after.txt", "L1: after"),
        ],
        {"maxFileBytes": LIMIT_BYTES},
    )


def refused_bombs() -> Iterator[HostileCase]:
    """Yield bombs that are unpacked only as far as it takes to recognise them."""
    only_after = len(AFTER.content)
    for reason, limits in (
        (_GROWS, {}),
        (_OVER_FILE_LIMIT, {**_TRUSTING, "maxFileBytes": LIMIT_BYTES}),
    ):
        outcome = reported(files=1, byte_count=only_after, skipped=[("bomb", reason)])
        yield HostileCase(f"zip: {reason}", zip_bomb(), outcome, _NO_BOMB, limits)
    total = {**_TRUSTING, "maxTotalBytes": LIMIT_BYTES}
    yield HostileCase("zip: over maxTotalBytes", zip_bomb(), _OVER_TOTAL, (), total)
    for form in COMPRESSORS:
        yield HostileCase(f"{form}: over the ratio", tar_bomb(form), _OVER_RATIO)
        name = f"{form}: over maxTotalBytes"
        yield HostileCase(name, tar_bomb(form), _OVER_TOTAL, (), total)


def passed_over_bomb() -> HostileCase:
    """Return the tar whose bomb is inflated to reach the entry behind it, and is not kept."""
    return HostileCase(
        "tar.gz: one file over maxFileBytes",
        tar_bomb("tar.gz"),
        reported(files=0, byte_count=0, skipped=[("bomb", _OVER_FILE_LIMIT)]),
        [listing()],
        {**_TRUSTING, "maxFileBytes": LIMIT_BYTES},
    )


def multiplying_bombs() -> Iterator[HostileCase]:
    """Yield archives that multiply a little content without much compression."""
    over_default = over_limit("maxTotalBytes", 4 * 1024 * MIB, "bytes of files")
    yield HostileCase("zip: a terabyte that is one body", terabyte_zip(), over_default)
    yield HostileCase(
        "zip: a terabyte, asked for",
        terabyte_zip(),
        reported(files=4096, byte_count=2**40),
        limits={"maxTotalBytes": 2**40},
    )
    bomb = zip_bomb()
    nested = [Entry("inner.zip", bomb), AFTER]
    looks = [listing("after.txt", "inner.zip"), reading("after.txt", "L1: after")]
    outcome = reported(files=2, byte_count=len(bomb) + len(AFTER.content))
    yield HostileCase("zip: a bomb in an archive", zip_of(nested), outcome, looks)
    yield HostileCase("tar: a bomb in an archive", tar_of(nested), outcome, looks)
    yield from _crowds()
    yield from _long_reports()


def _crowds() -> Iterator[HostileCase]:
    """Entries that are empty, and too many."""
    few = {"maxEntries": _TOO_MANY}
    refusal = over_limit("maxEntries", _TOO_MANY, "entries")
    files = [Entry(f"{number:04}") for number in range(_TOO_MANY + 1)]
    fitting = reported(files=_TOO_MANY, byte_count=0)
    last = [reading("0999", "offset exceeds file length")]
    for kind, pack in (("zip", zip_of), ("tar", tar_of)):
        for what, entries in (
            ("one file more than may be", files),
            ("one file twice", [Entry("x")] * (_TOO_MANY + 1)),
            ("files that lead out", [Entry(f"../{number}") for number in range(_TOO_MANY + 1)]),
            ("directories that paths imply", [Entry("d/" * 200 + "x"), *files[:-200]]),
        ):
            yield HostileCase(f"{kind}: {what}", pack(entries), refusal, (), few)
        name = f"{kind}: as many files as may be"
        yield HostileCase(name, pack(files[:-1]), fitting, last, few)


def _long_reports() -> Iterator[HostileCase]:
    """A header for all entries is written once, and would be in the report for each."""
    path = b"n" * 100_000
    count = 500
    shown = "n" * 8192 + "…"
    reason = "has a path of more than 65536 characters"
    archive = pax(b"g", path=path) + tar_of([Entry(f"{number}") for number in range(count)])
    yield HostileCase(
        "tar: one endless name for all entries",
        archive,
        reported(files=0, byte_count=0, skipped=[(shown, reason)] * count),
        [listing()],
    )
    linked = pax(b"g", linkpath=b"./" * 400_000 + b"x")
    links = b"".join(tar_header(b"%d" % number, b"1", 0) for number in range(count))
    no_file = "is a hard link to no file that stands before it in the archive"
    yield HostileCase(
        "tar: one endless target for all links",
        linked + links + bytes(1024),
        reported(
            files=0, byte_count=0, skipped=[(str(number), no_file) for number in range(count)]
        ),
        [listing()],
    )
