"""Parse globs into steps that an automaton can take, in the dialects of git and of globset.

Globs match bytes: `?` and a class are one byte of a name, as in both originals.

| | git (`wildmatch`) | globset (ripgrep, Forge) |
|---|---|---|
| braces | literals | alternatives, which nest |
| a class | never a slash; escapes, `[[:alpha:]]` | also a slash; a backslash is itself |
| a pattern that is wrong | matches nothing | an error with a reason |
"""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

from treeglass.search.glob_steps import (
    EVERY_BYTE,
    FOLDERS,
    MAX_PLACES,
    NO_SLASH,
    GlobInvalid,
    GlobTooLarge,
    Step,
    Steps,
    bytes_from,
    bytes_in,
)

MAX_GLOB_BYTES = 10_000

MAX_ALTERNATIVES = 1_000
"""Most patterns that the braces of one glob may expand to. Unit: patterns."""

MAX_NESTING = 100

_SLASH = ord("/")
_POSIX_CLASSES = {
    "alnum": b"0-9A-Za-z",
    "alpha": b"A-Za-z",
    "blank": b" \t",
    "cntrl": b"\0-\x1f\x7f",
    "digit": b"0-9",
    "graph": b"!-~",
    "lower": b"a-z",
    "print": b" -~",
    "punct": b"!-/:-@[-`{-~",
    "space": b" \t-\r",
    "upper": b"A-Z",
    "xdigit": b"0-9A-Fa-f",
}


class GlobDialect(NamedTuple):
    """The rules by which a glob is read."""

    is_git: bool = False
    """True if braces are literals and classes are git's."""
    crosses_slashes: bool = False
    """True if `*` and `?` match a slash."""


GIT = GlobDialect(is_git=True)
RIPGREP = GlobDialect()


_REST = Step(EVERY_BYTE, repeats=True)
_LITERALS = tuple(Step(1 << value) for value in range(256))

_FOLDERS_ALONE = re.compile(rb"(\*\*/)+")
"""To globset, a glob that is nothing else matches every path."""

_NAMED_CLASS = re.compile(rb":([^\]]*):\]")
"""Of git, behind its first bracket."""


def parse_glob(glob: bytes, dialect: GlobDialect) -> list[Steps]:
    """Return the alternatives of a glob, each as the steps of a whole path.

    Raises:
        GlobInvalid: It cannot be parsed.
        GlobTooLarge: It is longer than `MAX_GLOB_BYTES`, or its alternatives are more than
            `MAX_ALTERNATIVES` or have more than `MAX_PLACES` steps together.
    """
    if len(glob) > MAX_GLOB_BYTES:
        raise GlobTooLarge(f"it has {len(glob):,} bytes, and at most {MAX_GLOB_BYTES:,} are read")
    if not dialect.is_git and _FOLDERS_ALONE.fullmatch(glob):
        return [(_REST,)]
    parser = _Parser(glob, dialect)
    return parser.parse()


class _Parser:
    """Reads a glob once, from left to right."""

    def __init__(self, glob: bytes, dialect: GlobDialect) -> None:
        self._glob = glob
        self._at = 0
        self._dialect = dialect
        wild = EVERY_BYTE if dialect.crosses_slashes else NO_SLASH
        self._any = Step(wild)
        self._star = Step(wild, repeats=True)

    def parse(self) -> list[Steps]:
        alternatives = self._branches(depth=0)
        if self._at < len(self._glob):
            raise GlobInvalid(
                "unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)"
            )
        return [tuple(steps) for steps in alternatives]

    def _branches(self, *, depth: int) -> list[list[Step]]:
        """Read up to the brace that closes this group, or to the end."""
        done: list[list[Step]] = []
        while True:
            done += self._branch(depth)
            _require_few(len(done))
            if depth == 0 or self._peek() != ord(","):
                return done
            self._at += 1

    def _branch(self, depth: int) -> list[list[Step]]:
        found: list[list[Step]] = [[]]
        size = 0
        while (value := self._peek()) is not None:
            if not self._dialect.is_git:
                if value == ord("}") or (value == ord(",") and depth > 0):
                    break
                if value == ord("{"):
                    found = self._with_group(found, depth)
                    size = _size(found)
                    continue
            size += len(found)
            if size > MAX_PLACES:
                raise GlobTooLarge.of_places()
            if value == ord("*"):
                self._add_stars(found, is_start=found == [[]], depth=depth)
            else:
                self._append(found, self._single())
        return found

    def _with_group(self, before: list[list[Step]], depth: int) -> list[list[Step]]:
        self._at += 1
        if depth == MAX_NESTING:
            raise GlobTooLarge(f"more than {MAX_NESTING} braces in one another")
        # An empty alternative counts for nothing, as in globset.
        options = [steps for steps in self._branches(depth=depth + 1) if steps] or [[]]
        if self._peek() != ord("}"):
            raise GlobInvalid(
                "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"
            )
        self._at += 1
        if options == [[]]:
            return before
        _require_few(len(before) * len(options))
        # Counted before they are made.
        if len(before) * _size(options) + len(options) * _size(before) > MAX_PLACES:
            raise GlobTooLarge.of_places()
        return [[*first, *second] for first, second in product(before, options)]

    def _single(self) -> Step:
        value = self._glob[self._at]
        self._at += 1
        match chr(value):
            case "?":
                return self._any
            case "[":
                return Step(self._git_class() if self._dialect.is_git else self._class())
            case "\\":
                if self._at == len(self._glob):
                    raise GlobInvalid("dangling '\\'")
                value = self._glob[self._at]
                self._at += 1
        return _LITERALS[value]

    def _add_stars(self, found: list[list[Step]], *, is_start: bool, depth: int) -> None:
        """Read one star or two; two of them that are a whole name stand for any folders."""
        follows_slash = self._glob[: self._at].endswith(b"/")
        self._at += 1
        if self._peek() != ord("*"):
            self._append(found, self._star)
            return
        self._at += 1
        if self._dialect.is_git:
            # Any number of stars are the same to git.
            while self._peek() == ord("*"):
                self._at += 1
        behind = self._peek()
        is_last = behind is None or (follows_slash and depth > 0 and behind in b",}")
        if not (is_start or follows_slash) or not (is_last or behind == _SLASH):
            self._append(found, self._star)
            return
        if is_last:
            self._append(found, _REST)
            return
        self._at += 1
        self._append(found, FOLDERS)

    @staticmethod
    def _append(found: list[list[Step]], step: Step) -> None:
        repeats = step.repeats or step is FOLDERS
        for steps in found:
            # Two of them in a row are one.
            if not (repeats and steps and steps[-1] is step):
                steps.append(step)

    def _peek(self) -> int | None:
        return self._glob[self._at] if self._at < len(self._glob) else None

    def _class(self) -> int:
        """Read globset's class, behind its bracket."""
        is_negated = self._peek() in (ord("!"), ord("^"))
        self._at += is_negated
        ranges: list[list[int]] = []
        is_first, in_range = True, False
        while True:
            value = self._peek()
            if value is None:
                raise GlobInvalid("unclosed character class; missing ']'")
            self._at += 1
            if value == ord("]") and not is_first:
                break
            if in_range:
                if value < ranges[-1][0]:
                    first, last = chr(ranges[-1][0]), chr(value)
                    raise GlobInvalid(f"invalid range; '{first}' > '{last}'")
                ranges[-1][1] = value
                in_range = False
            elif value == ord("-") and not is_first:
                in_range = True
            else:
                ranges.append([value, value])
            is_first = False
        if in_range:
            ranges.append([ord("-"), ord("-")])
        accepted = 0
        for first_byte, last_byte in ranges:
            accepted |= bytes_from(first_byte, last_byte)
        return EVERY_BYTE & ~accepted if is_negated else accepted

    def _git_class(self) -> int:
        """Read git's class, behind its bracket; an unknown name in it is an error."""
        is_negated = self._peek() in (ord("!"), ord("^"))
        self._at += is_negated
        accepted = 0
        is_first = True
        while True:
            value, is_escaped = self._class_byte()
            if value == ord("]") and not is_first and not is_escaped:
                break
            is_first = False
            if value == ord("[") and self._peek() == ord(":") and not is_escaped:
                named = _NAMED_CLASS.match(self._glob, self._at)
                if named is not None:
                    self._at = named.end()
                    accepted |= _posix_class(named[1].decode("latin-1"))
                    continue
            last = value
            follows = self._glob[self._at + 1 : self._at + 2]
            if self._peek() == ord("-") and follows not in (b"]", b""):
                self._at += 1
                last, _ = self._class_byte()
            accepted |= bytes_from(value, last)
        return (EVERY_BYTE & ~accepted if is_negated else accepted) & NO_SLASH

    def _class_byte(self) -> tuple[int, bool]:
        """Read a byte of git's class; tell whether a backslash stood before it."""
        is_escaped = self._peek() == ord("\\")
        self._at += is_escaped
        value = self._peek()
        if value is None:
            raise GlobInvalid("unclosed character class; missing ']'")
        self._at += 1
        return value, is_escaped


def _require_few(alternatives: int) -> None:
    if alternatives > MAX_ALTERNATIVES:
        raise GlobTooLarge(f"more than {MAX_ALTERNATIVES} alternatives")


def _size(alternatives: list[list[Step]]) -> int:
    return sum(map(len, alternatives))


def _posix_class(name: str) -> int:
    listed = _POSIX_CLASSES.get(name)
    if listed is None:
        raise GlobInvalid(f"unknown class [:{name}:]")
    matching = re.compile(b"[" + listed.replace(b"[", rb"\[") + b"]")
    return bytes_in(bytes(value for value in range(256) if matching.match(bytes([value]))))
