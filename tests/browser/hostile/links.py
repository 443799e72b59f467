"""Links that lead out or round, and entries that are no files at all."""

from collections.abc import Iterator

from tests.browser.hostile.archives import Entry, TarMember, tar_of
from tests.browser.hostile.case import (
    AFTER,
    BEFORE,
    HONEST_BYTES,
    HONEST_LOOKS,
    HostileCase,
    listing,
    of_both_kinds,
    reading,
    reported,
)

_OUT = "is a link out of the tree"
_NO_PATH = "is a link whose target is not a path"
_NO_FILE = "is a hard link to no file that stands before it in the archive"
_DEVICE = "is a device, a pipe or a socket"
_NO_SUCH = "failed to read file: No such file or directory (os error 2)"
_LOOP = "failed to read file: Too many levels of symbolic links (os error 40)"


def link_cases() -> Iterator[HostileCase]:
    """Yield every case of a link, a device or a pipe."""
    for target, reason in {
        "../out": _OUT,
        "../../../../etc/passwd": _OUT,
        "/etc/passwd": _OUT,
        "/": _OUT,
        "//repo": _OUT,
        "/repo/../etc": _OUT,
        "a/../../out": _OUT,
        "./../out": _OUT,
        "..": _OUT,
        "": _NO_PATH,
    }.items():
        link = Entry("l", target.encode(), "symlink")
        outcome = reported(skipped=[("l", reason)])
        yield from of_both_kinds(f"a link to {target!r}", [link], outcome, HONEST_LOOKS)
    yield from _through_links()
    yield from _inside_links()
    for what, device in (
        ("a terminal", Entry("dev/x", b"", "char")),
        ("a disk", Entry("dev/x", b"", "block")),
        ("a pipe", Entry("dev/x", b"", "fifo")),
    ):
        outcome = reported(skipped=[("dev/x", _DEVICE)])
        yield from of_both_kinds(what, [device], outcome, HONEST_LOOKS)
    yield from _hard_links()


def _through_links() -> Iterator[HostileCase]:
    """A link, then a file through it."""
    needs = "needs 'l' to be a directory, and it is a symlink"
    out = [Entry("l", b"../out", "symlink"), Entry("l/x", b"through\n")]
    through = HONEST_BYTES + len(b"through\n")
    # The link was left out, so its name is free.
    yield from of_both_kinds(
        "a link out, then a file through it",
        out,
        reported(files=3, directories=1, byte_count=through, skipped=[("l", _OUT)]),
        [listing("after.txt", "before.txt", "l/", "  x"), reading("l/x", "L1: through")],
    )
    inside = [
        Entry("d", b"", "directory"),
        Entry("l", b"d", "symlink"),
        Entry("l/x", b"through\n"),
        Entry("l/../x", b"beside\n"),
    ]
    # What lies behind '..' is found by names alone: no link is ever followed while mounting.
    yield from of_both_kinds(
        "a link inside, then files through it",
        inside,
        reported(
            files=3,
            directories=1,
            symlinks=1,
            byte_count=HONEST_BYTES + len(b"beside\n"),
            skipped=[("l/x", needs)],
            renamed=[("l/../x", "x", "'..' resolved")],
        ),
        [listing("after.txt", "before.txt", "d/", "l@", "x"), reading("x", "L1: beside")],
    )


def _inside_links() -> Iterator[HostileCase]:
    loop = [
        Entry("a", b"b", "symlink"),
        Entry("b", b"a", "symlink"),
        Entry("self", b"self", "symlink"),
        Entry("d/up", b"..", "symlink"),
    ]
    yield from of_both_kinds(
        "links that go round",
        loop,
        reported(directories=1, symlinks=4),
        [
            listing("a@", "after.txt", "b@", "before.txt", "d/", "  up@", "self@"),
            reading("a", _LOOP),
            reading("self", _LOOP),
            reading("d/up/after.txt", "L1: after"),
            reading("d/up/d/up/d/up/after.txt", "L1: after"),
        ],
    )
    chain = [Entry(f"l{number:02}", b"l%02d" % (number + 1), "symlink") for number in range(60)]
    yield from of_both_kinds(
        "a chain of sixty links to nothing",
        chain,
        reported(symlinks=60),
        [
            listing("after.txt", "before.txt", *(f"l{number:02}@" for number in range(60))),
            reading("l59", _NO_SUCH),
            reading("l00", _LOOP),
        ],
    )
    absolute = Entry("d/l", b"/repo/before.txt", "symlink")
    yield from of_both_kinds(
        "an absolute link into the mount",
        [absolute],
        reported(
            directories=1,
            symlinks=1,
            converted=[("d/l", "target '/repo/before.txt' made relative: '../before.txt'")],
        ),
        [listing("after.txt", "before.txt", "d/", "  l@"), reading("d/l", "L1: before")],
    )
    long = Entry("l", b"x/" * 3000, "symlink")
    too_long = reported(skipped=[("l", "is a link whose target is over 4095 bytes")])
    yield HostileCase(
        "tar: a link of 6,000 characters", tar_of([BEFORE, long, AFTER]), too_long, HONEST_LOOKS
    )


def _hard_links() -> Iterator[HostileCase]:
    """Only tar has them."""
    for target in ("../out", "/etc/passwd", "after.txt", "h", "", "d"):
        entries = [BEFORE, Entry("d", b"", "directory"), _hard_link(target), AFTER]
        outcome = reported(directories=1, skipped=[("h", _NO_FILE)])
        looks = [listing("after.txt", "before.txt", "d/")]
        yield HostileCase(f"tar: a hard link to {target!r}", tar_of(entries), outcome, looks)
    yield HostileCase(
        "tar: a hard link in, then a file over it",
        tar_of([BEFORE, _hard_link("./before.txt"), Entry("h", b"over\n"), AFTER]),
        reported(
            files=3,
            byte_count=HONEST_BYTES + len(BEFORE.content),
            skipped=[("h", "is there already")],
            converted=[("h", "a hard link; has the content of 'before.txt'")],
        ),
        [
            listing("after.txt", "before.txt", "h"),
            reading("h", "L1: before"),
            reading("before.txt", "L1: before"),
        ],
    )
    through = [Entry("d/f", b"inside\n"), Entry("l", b"d", "symlink"), _hard_link("l/f")]
    yield HostileCase(
        "tar: a hard link through a link",
        tar_of([BEFORE, *through, AFTER]),
        reported(
            files=3,
            directories=1,
            symlinks=1,
            byte_count=HONEST_BYTES + len(b"inside\n"),
            skipped=[("h", _NO_FILE)],
        ),
        [listing("after.txt", "before.txt", "d/", "  f", "l@")],
    )
    odd = [TarMember(Entry("odd", b"x"), type=b"Z"), TarMember(Entry("vol"), type=b"V")]
    yield HostileCase(
        "tar: unknown types",
        tar_of([BEFORE, *odd, AFTER]),
        reported(
            skipped=[
                ("odd", "is of the unknown type 90"),
                ("vol", "is the archive's label and no file"),
            ]
        ),
        HONEST_LOOKS,
    )


def _hard_link(target: str) -> Entry:
    return Entry("h", target.encode(), "hard-link")
