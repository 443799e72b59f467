"""Paths that lead out, and names that lie: in zip and in tar, one archive for each spelling."""

from collections.abc import Iterator

from tests.browser.hostile.archives import Entry, tar_of, zip_of
from tests.browser.hostile.case import (
    ABSOLUTE,
    AFTER,
    BACKSLASHES,
    BEFORE,
    DRIVE,
    HONEST_BYTES,
    HONEST_LOOKS,
    LEADS_OUT,
    NO_NAME,
    RESOLVED,
    HostileCase,
    listing,
    of_both_kinds,
    reading,
    reported,
)

_CONTENT = b"hostile\n"
_BYTES = HONEST_BYTES + len(_CONTENT)
_BROKEN_NAME = "the name is not UTF-8; broken bytes replaced by U+FFFD"
_SHOWN_ESCAPED = (
    "1 name holds characters that can forge or hide text, or that read as an escape; "
    "they are shown escaped, and paths with the escaped spelling open the same entries."
)
_LONG_NAME = "n" * 4000
_DEEP_PATH = "d/" * 3000 + "x"

_LEFT_OUT = {
    "../x": LEADS_OUT,
    "a/../../x": LEADS_OUT,
    "a/b/../../../x": LEADS_OUT,
    "./../x": LEADS_OUT,
    "a/./.././../x": LEADS_OUT,
    "..//x": LEADS_OUT,
    "/../x": LEADS_OUT,
    "../../../../../../../../etc/passwd": LEADS_OUT,
    "..": LEADS_OUT,
    "x/../..": LEADS_OUT,
    "..\\x": LEADS_OUT,
    "a\\..\\..\\x": LEADS_OUT,
    "a/..\\../x": LEADS_OUT,
    "\\..\\x": LEADS_OUT,
    "C:\\x": DRIVE,
    "C:/x": DRIVE,
    "c:/x": DRIVE,
    "C:": DRIVE,
    "C:/../../x": DRIVE,
    "C:\\..\\x": DRIVE,
    ".": NO_NAME,
    "a/..": NO_NAME,
    "x\0.txt": "has a NUL character in its name",
    "../x\0": "has a NUL character in its name",
    _LONG_NAME: "has a name over maxNameBytes (255)",
    "ü" * 128: "has a name over maxNameBytes (255)",
    "/".join(["n" * 250] * 17): "has a path over maxPathBytes (4095)",
    _DEEP_PATH: "lies 3000 directories deep, over maxDepth (256)",
}
"""Path to the reason why its entry is left out."""

_MOVED = {
    "/etc/passwd": ("etc/passwd", ABSOLUTE, ["after.txt", "before.txt", "etc/", "  passwd"]),
    "//x": ("x", ABSOLUTE, ["after.txt", "before.txt", "x"]),
    "///x//y": ("x/y", ABSOLUTE, ["after.txt", "before.txt", "x/", "  y"]),
    "/proc/self/../x": ("proc/x", RESOLVED, ["after.txt", "before.txt", "proc/", "  x"]),
    "a/../x": ("x", RESOLVED, ["after.txt", "before.txt", "x"]),
    "x/y/..": ("x", RESOLVED, ["after.txt", "before.txt", "x"]),
    "/C:/x": ("C:/x", ABSOLUTE, ["C:/", "  x", "after.txt", "before.txt"]),
}
"""Path to the place of its entry, the reason, and the listing."""

_MOVED_FROM_WINDOWS = {
    "\\x": ("x", ABSOLUTE, ["after.txt", "before.txt", "x"]),
    "\\\\server\\x": ("server/x", ABSOLUTE, ["after.txt", "before.txt", "server/", "  x"]),
    "\\\\?\\C:\\x": ("?/C:/x", ABSOLUTE, ["?/", "  C:/", "    x", "after.txt", "before.txt"]),
    "a\\..\\x": ("x", RESOLVED, ["after.txt", "before.txt", "x"]),
}

_ORDINARY = {
    "%2e%2e/x": ["%2e%2e/", "  x", "after.txt", "before.txt"],
    "..%2fx": ["..%2fx", "after.txt", "before.txt"],
    "...": ["...", "after.txt", "before.txt"],
    ".. /x": [".. /", "  x", "after.txt", "before.txt"],
    "..;/x": ["..;/", "  x", "after.txt", "before.txt"],
    "\uff0e\uff0e/x": ["after.txt", "before.txt", "\uff0e\uff0e/", "  x"],
    "..\u2215x": ["..\u2215x", "after.txt", "before.txt"],
    "~/x": ["after.txt", "before.txt", "~/", "  x"],
    "$HOME": ["$HOME", "after.txt", "before.txt"],
    "C:x": ["C:x", "after.txt", "before.txt"],
    "-rf": ["-rf", "after.txt", "before.txt"],
    "*": ["*", "after.txt", "before.txt"],
    "__proto__": ["__proto__", "after.txt", "before.txt"],
    "n" * 255: ["after.txt", "before.txt", "n" * 255],
}
"""Path, taken literally, to the listing of its tree."""

_ESCAPED = {
    "x\ny.txt": "x\\u{A}y.txt",
    "x\r.txt": "x\\u{D}.txt",
    "x\x1b[31m": "x\\u{1B}[31m",
    "x\u202etxt.exe": "x\\u{202E}txt.exe",
    "x\u2066y": "x\\u{2066}y",
    "x\U000e0041\U000e0042": "x\\u{E0041}\\u{E0042}",
    "x\u200by": "x\\u{200B}y",
    "x\u2028y": "x\\u{2028}y",
    "x\\u{A}y": None,
}
"""Name to how a listing shows it; None if the archive's backslash makes it two names."""

_TWINS = {
    "twins in case": (
        ["Readme.md", "README.md", "readme.md"],
        ["README.md", "Readme.md", "after.txt", "before.txt", "readme.md"],
    ),
    "twins in Unicode form": (
        ["gr\u00fc\u00dfe", "gru\u0308\u00dfe"],
        ["after.txt", "before.txt", "gru\u0308\u00dfe", "gr\u00fc\u00dfe"],
    ),
    "twins of full width": (
        ["a.txt", "\uff41.txt"],
        ["a.txt", "after.txt", "before.txt", "\uff41.txt"],
    ),
}


def name_cases() -> Iterator[HostileCase]:
    """Yield every case of a path or a name."""
    for path, reason in _LEFT_OUT.items():
        outcome = reported(skipped=[(path, reason)])
        yield from of_both_kinds(_shown(path), [Entry(path, _CONTENT)], outcome, HONEST_LOOKS)
    for path, (to, reason, lines) in _MOVED.items():
        outcome = reported(
            files=3, directories=to.count("/"), byte_count=_BYTES, renamed=[(path, to, reason)]
        )
        yield from _with_hostile(path, to, lines, outcome)
    for path, (to, reason, lines) in _MOVED_FROM_WINDOWS.items():
        outcome = reported(
            files=3,
            directories=to.count("/"),
            byte_count=_BYTES,
            renamed=[(path, to, reason)],
            converted=[(path, BACKSLASHES)],
        )
        yield from _with_hostile(path, to, lines, outcome)
    for path, lines in _ORDINARY.items():
        outcome = reported(files=3, directories=path.count("/"), byte_count=_BYTES)
        yield from _with_hostile(path, path, lines, outcome)
    yield from _escaped_cases()
    yield from _twin_cases()
    yield from _conflict_cases()
    yield from _odd_cases()


def _shown(path: str) -> str:
    return ascii(path if len(path) < 50 else f"{path[:20]}... ({len(path)})")


def _with_hostile(
    path: str, to: str, lines: list[str], outcome: dict[str, object]
) -> Iterator[HostileCase]:
    looks = [listing(*lines), reading(to, "L1: hostile"), reading("after.txt", "L1: after")]
    yield from of_both_kinds(_shown(path), [Entry(path, _CONTENT)], outcome, looks)


def _escaped_cases() -> Iterator[HostileCase]:
    for name, shown in _ESCAPED.items():
        if shown is None:
            outcome = reported(
                files=3, directories=1, byte_count=_BYTES, converted=[(name, BACKSLASHES)]
            )
            yield from _with_hostile(
                name, "x/u{A}y", ["after.txt", "before.txt", "x/", "  u{A}y"], outcome
            )
            continue
        outcome = reported(files=3, byte_count=_BYTES)
        looks = [
            listing("after.txt", "before.txt", shown, warnings=(_SHOWN_ESCAPED,)),
            reading(shown, "L1: hostile"),
            reading(name, "L1: hostile"),
        ]
        yield from of_both_kinds(_shown(name), [Entry(name, _CONTENT)], outcome, looks)


def _twin_cases() -> Iterator[HostileCase]:
    for what, (names, lines) in _TWINS.items():
        entries = [Entry(name, f"{number}\n".encode()) for number, name in enumerate(names)]
        outcome = reported(files=2 + len(names), byte_count=HONEST_BYTES + 2 * len(names))
        readings = [reading(name, f"L1: {number}") for number, name in enumerate(names)]
        yield from of_both_kinds(what, entries, outcome, [listing(*lines), *readings])


def _conflict_cases() -> Iterator[HostileCase]:
    there = "is there already"
    needs = "needs 'x' to be a directory, and it is a file"
    first, second = Entry("x", b"first\n"), Entry("x", b"second\n")
    below = Entry("x/y", b"below\n")
    kept_first = [listing("after.txt", "before.txt", "x"), reading("x", "L1: first")]
    size = HONEST_BYTES + len(b"first\n")
    for what, others in (
        ("a name twice", {second: there}),
        (
            "a name in three spellings",
            {second: there, Entry("./x", b"3"): there, Entry("x/.", b"4"): there},
        ),
        ("a file, then a file below it", {below: needs}),
        ("a file, then a directory", {Entry("x/", b"", "directory"): needs}),
        ("a file, then a link", {Entry("x", b"before.txt", "symlink"): there}),
    ):
        skipped = [(str(other.path), reason) for other, reason in others.items()]
        outcome = reported(files=3, byte_count=size, skipped=skipped)
        yield from of_both_kinds(what, [first, *others], outcome, kept_first)
    as_directory = [
        listing("after.txt", "before.txt", "x/", "  y"),
        reading("x/y", "L1: below"),
    ]
    for what, other in (
        ("a directory, then a file", first),
        ("a directory, then a link", Entry("x", b"before.txt", "symlink")),
    ):
        outcome = reported(
            files=3,
            directories=1,
            byte_count=HONEST_BYTES + len(below.content),
            skipped=[("x", "is a directory already")],
        )
        yield from of_both_kinds(what, [below, other], outcome, as_directory)


def _odd_cases() -> Iterator[HostileCase]:
    """Names that only one kind of archive has, or that each writes in its own way."""
    overlong = Entry(b"\xc0\xae\xc0\xae/x", _CONTENT)
    text = "\ufffd" * 4 + "/x"
    outcome = reported(files=3, directories=1, byte_count=_BYTES, converted=[(text, _BROKEN_NAME)])
    lines = ["after.txt", "before.txt", "\ufffd" * 4 + "/", "  x"]
    looks = [listing(*lines), reading(text, "L1: hostile")]
    yield from of_both_kinds("'..' as overlong UTF-8", [overlong], outcome, looks)
    # A slash at the end makes a directory of a zip's entry; of a tar's, its type does.
    for path, skipped in (("../", LEADS_OUT), ("../x/", LEADS_OUT), ("C:/", DRIVE)):
        entry = Entry(path, b"")
        left_out = reported(skipped=[(path, skipped)])
        yield from of_both_kinds(_shown(path), [entry], left_out, HONEST_LOOKS)
    for path in ("/", "./", ""):
        archive = [BEFORE, Entry(path, b""), AFTER]
        nameless = reported(skipped=[(path, NO_NAME)])
        as_zip = (
            nameless
            if path == ""
            else reported(renamed=[("/", "", ABSOLUTE)] if path == "/" else [])
        )
        yield HostileCase(f"zip: {_shown(path)}", zip_of(archive), as_zip, HONEST_LOOKS)
        yield HostileCase(f"tar: {_shown(path)}", tar_of(archive), nameless, HONEST_LOOKS)
