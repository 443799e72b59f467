"""The walk of `grep_files`: which files ripgrep would search, each with its place in the order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import LimitExceeded, WorkspaceError
from treeglass.search.ignore_stack import is_hidden, stack_of
from treeglass.utf8 import raw_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treeglass.search.ignore_stack import IgnoreStack
    from treeglass.tool import ToolContext
    from treeglass.tools.codex.searching.include import Include
    from treeglass.workspace import Entry, ResolvedPath, Status


_ENTRIES_BETWEEN_CHECKS = 256


class FoundFile(NamedTuple):
    """A file to search."""

    order: tuple[bool, int, bytes]
    """Files without a time first, then the newest; equal times by path."""
    path: ResolvedPath
    inside: str
    """What the answer shows behind the root, with a slash before it; empty for a named file."""


class _Level(NamedTuple):
    """A directory that is still to be walked."""

    directory: ResolvedPath
    inside: str
    ignored: IgnoreStack
    included: int
    """The state of `include`."""


class FileWalk:
    """Collects the files below a directory; follows no link.

    Args:
        context: Of the call.
        include: What beats the other rules.
    """

    def __init__(self, context: ToolContext, include: Include) -> None:
        self._context = context
        self._workspace = context.workspace
        self._include = include
        self.unreadable = 0
        """Directories that could not be listed, and files without a status."""
        self.found_count = 0
        """Files found so far."""
        self.warnings: tuple[str, ...] = ()
        """Of the ignore files that are not applied."""
        self._entries_seen = 0

    def named(self, path: ResolvedPath) -> FoundFile:
        """Return a file that the caller named, which no rule leaves out."""
        return FoundFile((False, 0, b""), path, "")

    def files(self, root: ResolvedPath) -> list[FoundFile]:
        """Return the files in no particular order.

        Raises:
            LimitExceeded: More entries than `Limits.max_walk_entries`.
            CallTimedOut: The call ran longer than it may.
            CallCancelled: The host cancelled the call.
        """
        workspace = self._workspace
        ceiling = workspace.limits.max_walk_entries
        start = self._include.start(root.virtual)
        ignored = stack_of(workspace, root, checkpoint=self._context.checkpoint)
        pending = [_Level(root, "", ignored, start)]
        found: list[FoundFile] = []
        entry_count = 0
        while pending:
            level = pending.pop()
            self._context.checkpoint()
            try:
                entries = workspace.scan(level.directory)
            except LimitExceeded:
                raise
            except WorkspaceError:
                self.unreadable += 1
                continue
            entry_count += len(entries)
            if entry_count > ceiling:
                raise LimitExceeded("max_walk_entries", ceiling)
            if level.inside:
                level = self._with_own_rules(level, entries)
            pending += self._below(level, entries)
            found += self._files_of(level, entries)
            self.found_count = len(found)
        self.warnings = ignored.warnings
        return found

    def _with_own_rules(self, level: _Level, entries: list[Entry]) -> _Level:
        """Return a level with the ignore files that its directory holds."""
        name = level.inside.rpartition("/")[2]
        names = {entry.name for entry in entries if entry.name.startswith(".")}
        stack = level.ignored.entered(self._workspace, level.directory, name, names)
        return level._replace(ignored=stack)

    def _below(self, level: _Level, entries: list[Entry]) -> Iterator[_Level]:
        for entry in entries:
            if entry.kind == "directory" and self._is_searched(level, entry, is_directory=True):
                yield _Level(
                    self._workspace.enter(level.directory, entry),
                    f"{level.inside}/{entry.name}",
                    level.ignored,
                    self._include.enter(level.included, entry.name),
                )

    def _files_of(self, level: _Level, entries: list[Entry]) -> Iterator[FoundFile]:
        kept = [
            entry
            for entry in entries
            if entry.kind == "file" and self._is_searched(level, entry, is_directory=False)
        ]
        statuses = self._workspace.statuses(level.directory, kept)
        for entry, status in zip(kept, statuses, strict=True):
            inside = f"{level.inside}/{entry.name}"
            path = self._workspace.enter(level.directory, entry)
            yield FoundFile(_order(status, inside), path, inside)

    def _is_searched(self, level: _Level, entry: Entry, *, is_directory: bool) -> bool:
        self._entries_seen += 1
        if not self._entries_seen % _ENTRIES_BETWEEN_CHECKS:
            self._context.checkpoint()
        chosen = self._include.takes(level.included, entry.name, is_directory=is_directory)
        if chosen is not None:
            return chosen
        ignored = level.ignored.ignores(entry.name, is_directory=is_directory)
        if ignored is not None:
            return not ignored
        return not is_hidden(entry.name)


def _order(status: Status | Exception, inside: str) -> tuple[bool, int, bytes]:
    modified_ns = None if isinstance(status, Exception) else status.modified_ns
    return (modified_ns is not None, -(modified_ns or 0), raw_bytes(inside))
