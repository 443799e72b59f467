"""The entries that the `.gitignore` files inside a directory ignore.

The package pathspec compiles each pattern; this module decides, by Git's rules,
which pattern counts. Imported for `--gitignore` only.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, NamedTuple

from pathspec import GitIgnoreSpec

from treeglass.errors import PackFailed, WorkspaceError
from treeglass.escaping import escape_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathspec import Pattern

    from treeglass.workspace import Entry, ResolvedPath, Workspace

MAX_IGNORE_FILE_BYTES = 1024 * 1024
"""Largest `.gitignore` that is read. Unit: bytes."""

_IGNORE_FILE = ".gitignore"

_CLASS = re.compile(r"\[:([a-z]+):\]")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "digit": "0-9",
    "lower": "a-z",
    "space": " \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""The classes of characters that Git has and the library lacks."""


class _Rule(NamedTuple):
    """One line of a `.gitignore`."""

    pattern: Pattern
    directories_only: bool

    def names(self, path: str, *, is_directory: bool) -> bool:
        """Tell whether the rule matches this path itself, and not only one above it."""
        if self.directories_only and not is_directory:
            return False
        found = self.pattern.match_file(path)
        # The only group in its expressions is the slash after a directory above the path.
        return found is not None and found.match.lastgroup is None


class IgnoreRules:
    """The rules of the `.gitignore` files from the packed directory down to another one."""

    def __init__(
        self, workspace: Workspace, levels: tuple[tuple[str, Sequence[_Rule]], ...] = ()
    ) -> None:
        self._workspace = workspace
        self._levels = levels

    def below(self, directory: ResolvedPath, prefix: str, entries: Sequence[Entry]) -> IgnoreRules:
        """Return the rules for a directory with these entries.

        Args:
            directory: The directory.
            prefix: Its path below the packed directory, with a slash at its end.
            entries: Its entries.

        Raises:
            PackFailed: Its `.gitignore` is too large or cannot be read.
        """
        for entry in entries:
            # Neither Git nor the workspace follows a link here.
            if entry.name == _IGNORE_FILE and entry.kind == "file":
                rules = list(_rules(self._read(self._workspace.enter(directory, entry), prefix)))
                return IgnoreRules(
                    self._workspace, (*self._levels, (_bytes_as_text(prefix), rules))
                )
        return self

    def leave_out(self, prefix: str, entry: Entry) -> bool:
        """Tell whether an entry is ignored, if no directory above it is."""
        if entry.name == ".git":
            return True
        path, is_directory = _bytes_as_text(prefix + entry.name), entry.kind == "directory"
        for above, rules in reversed(self._levels):
            for rule in reversed(rules):
                if rule.names(path[len(above) :], is_directory=is_directory):
                    return bool(rule.pattern.include)
        return False

    def _read(self, file: ResolvedPath, prefix: str) -> str:
        name = escape_path(prefix + _IGNORE_FILE)
        try:
            with self._workspace.open(file) as content:
                read = content.read(MAX_IGNORE_FILE_BYTES + 1)
        except (WorkspaceError, OSError) as error:
            reason = error if isinstance(error, WorkspaceError) else error.strerror
            # Going on would pack entries that the author meant to keep out.
            raise PackFailed(f"cannot read {name}: {reason}") from None
        if len(read) > MAX_IGNORE_FILE_BYTES:
            raise PackFailed(
                f"{name} is larger than {MAX_IGNORE_FILE_BYTES:,} bytes (max_ignore_file_bytes)"
            )
        return read.removeprefix(b"\xef\xbb\xbf").decode("latin-1")


def _bytes_as_text(path: str) -> str:
    """Return a path with one character for each byte: to Git, `?` is a byte."""
    return path.encode("utf-8", "surrogateescape").decode("latin-1")


def _without_blanks_at_end(line: str) -> str:
    """Return a line without the spaces at its end, except one after a backslash.

    By hand: a regular expression takes a minute for a line of spaces.
    """
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return line[: len(bare) + backslashes % 2]


def _rules(text: str) -> Iterator[_Rule]:
    for line in text.split("\n"):
        whole = _without_blanks_at_end(line.removesuffix("\r"))
        pattern = whole.removesuffix("/")
        if pattern[-1:].isspace() and not pattern.endswith("\\ "):
            # The library would strip it, which may be the last byte of an `à`.
            pattern = f"{pattern[:-1]}[{pattern[-1]}]"
        pattern = _CLASS.sub(lambda found: _CLASSES.get(found[1], found[0]), pattern)
        try:
            with warnings.catch_warnings():
                # Python warns of a `[` within brackets, which Git allows.
                warnings.simplefilter("ignore", FutureWarning)
                (compiled,) = GitIgnoreSpec.from_lines([pattern]).patterns
        except (ValueError, re.error):
            continue  # not a pattern, which Git ignores too
        if compiled.include is not None:
            yield _Rule(compiled, directories_only=whole.endswith("/"))
