"""What the `.gitignore` files inside a directory leave out of it.

The package pathspec reads the patterns, one by one; which of them decides is
Git's rule and is decided here. Imported for `--gitignore` alone.
"""

from __future__ import annotations

import re
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


class _Rule(NamedTuple):
    """One line of a `.gitignore`."""

    pattern: Pattern
    directories_only: bool

    def names(self, path: str, *, is_directory: bool) -> bool:
        """Tell whether the rule names this very path, and not only one above it."""
        if self.directories_only and not is_directory:
            return False
        found = self.pattern.match_file(path)
        # The only group is the slash after a directory that the path lies in.
        return found is not None and found.match.lastgroup is None


class IgnoreRules:
    """The `.gitignore` files from the packed directory down to another one."""

    def __init__(
        self, workspace: Workspace, levels: tuple[tuple[str, Sequence[_Rule]], ...] = ()
    ) -> None:
        self._workspace = workspace
        self._levels = levels

    def below(self, directory: ResolvedPath, prefix: str, entries: Sequence[Entry]) -> IgnoreRules:
        """Return the rules that hold in a directory with these entries.

        Args:
            directory: The directory.
            prefix: Its path below the packed directory, with a slash at its end.
            entries: What it holds.

        Raises:
            PackFailed: Its `.gitignore` is too large or cannot be read.
        """
        for entry in entries:
            # Git follows no link here, and neither does the workspace.
            if entry.name == _IGNORE_FILE and entry.kind == "file":
                text = self._read(self._workspace.enter(directory, entry), prefix)
                return IgnoreRules(self._workspace, (*self._levels, (prefix, list(_rules(text)))))
        return self

    def leave_out(self, prefix: str, entry: Entry) -> bool:
        """Tell whether an entry is ignored, none of the directories above it being so."""
        if entry.name == ".git":
            return True
        path, is_directory = prefix + entry.name, entry.kind == "directory"
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
            # To go on would pack what somebody meant to keep back.
            raise PackFailed(f"cannot read {name}: {reason}") from None
        if len(read) > MAX_IGNORE_FILE_BYTES:
            raise PackFailed(
                f"{name} is larger than {MAX_IGNORE_FILE_BYTES:,} bytes (max_ignore_file_bytes)"
            )
        return read.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def _rules(text: str) -> Iterator[_Rule]:
    for line in text.split("\n"):
        # Spaces at the end count only where a backslash says so.
        pattern = re.sub(r"(?<!\\) +$", "", line.removesuffix("\r"))
        try:
            (compiled,) = GitIgnoreSpec.from_lines([pattern.removesuffix("/")]).patterns
        except (ValueError, re.error):
            continue  # no pattern at all, which Git passes over too
        if compiled.include is not None:
            yield _Rule(compiled, directories_only=pattern.endswith("/"))
