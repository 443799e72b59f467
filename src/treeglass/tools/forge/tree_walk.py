"""The walk of `Glob` and `Search`: what the crate `ignore` would visit, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import LimitExceeded, PathEscapesWorkspace, WorkspaceError
from treeglass.search.ignore_stack import OF_IGNORE, IgnoreStack, is_hidden, stack_of
from treeglass.tools.forge.errors import path_outside_sandbox
from treeglass.tools.forge.walk import depth_first
from treeglass.utf8 import lossy_text, raw_bytes

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import Entry, EntryKind, ResolvedPath

_GIT = ".git"
_ENTRIES_BETWEEN_CHECKS = 256


class WalkRules(NamedTuple):
    """The choice of the entries to visit."""

    hidden: bool = False
    """True if hidden entries are."""
    no_ignore: bool = False
    """True if ignore files do not count."""
    follow: bool = False
    """True if links are followed."""
    recursive: bool = True


class Visited(NamedTuple):
    """An entry that is no directory."""

    path: ResolvedPath
    """Its own, or what its link leads to if links are followed."""
    kind: EntryKind | None
    inside: str
    """Its path below the root, through links as they were walked."""


class WalkFault(NamedTuple):
    """An entry that the walk could not visit."""

    error: str
    """In the words of the crate, or the sandbox's."""
    inside: str | None = None
    """The path below the root, where the original names it."""


class _Level(NamedTuple):
    """A directory that is being walked."""

    directory: ResolvedPath
    inside: str
    """With a slash at its end, or empty for the root."""
    ignored: IgnoreStack | None
    above: _Level | None


class TreeWalk:
    """One walk, depth first, from a root that may itself be hidden or ignored."""

    def __init__(self, root: ResolvedPath, rules: WalkRules, context: ToolContext) -> None:
        self._root = root
        self._rules = rules
        self._context = context
        self._workspace = context.workspace
        self._entry_count = 0
        self._entries_seen = 0
        self._ignored: IgnoreStack | None = None
        if not rules.no_ignore:
            self._ignored = stack_of(self._workspace, root, OF_IGNORE, context.checkpoint)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Of the ignore files met so far that are not applied."""
        return () if self._ignored is None else self._ignored.warnings

    def visit(self) -> Iterator[Visited | WalkFault]:
        """Return what is no directory, and what could not be visited, each when it is asked for."""
        return depth_first(iter([self._entered(self._root, "", self._ignored, None)]))

    def _visit(
        self, level: _Level, entries: Iterator[tuple[Entry, ResolvedPath]]
    ) -> Iterator[Visited | WalkFault | Iterator[Any]]:
        for entry, path in entries:
            found = self._found(level, entry, path)
            if found is not None:
                yield found

    def _found(
        self, level: _Level, entry: Entry, path: ResolvedPath
    ) -> Visited | WalkFault | Iterator[Any] | None:
        self._entries_seen += 1
        if not self._entries_seen % _ENTRIES_BETWEEN_CHECKS:
            self._context.checkpoint()
        inside = f"{level.inside}{entry.name}"
        kind = entry.kind
        if kind == "symlink" and self._rules.follow:
            try:
                path = self._workspace.resolve_entry(level.directory, entry)
                kind = self._workspace.status(path).kind
            except WorkspaceError as error:
                return self._unfollowed(error, inside)
        if self._is_left_out(level, entry, is_directory=kind == "directory"):
            return None
        if kind != "directory":
            return Visited(path, kind, inside)
        if not self._rules.recursive:
            return None
        if entry.kind == "symlink":
            loop = self._loop(path, inside, level)
            if loop is not None:
                return loop
        return self._entered(path, f"{inside}/", level.ignored, level)

    def _is_left_out(self, level: _Level, entry: Entry, *, is_directory: bool) -> bool:
        if entry.name == _GIT:
            return True
        if level.ignored is not None:
            decision = level.ignored.ignores(entry.name, is_directory=is_directory)
            if decision is not None:
                return decision
        return is_hidden(entry.name) and not self._rules.hidden

    def _entered(
        self,
        directory: ResolvedPath,
        inside: str,
        ignored: IgnoreStack | None,
        above: _Level | None,
    ) -> WalkFault | Iterator[Any]:
        self._context.checkpoint()
        try:
            entries = self._workspace.scan(directory)
        except LimitExceeded:
            raise
        except WorkspaceError as error:
            return self._io_error(inside.removesuffix("/"), error)
        self._entry_count += len(entries)
        self._workspace.limits.require("max_walk_entries", self._entry_count)
        if inside and ignored is not None:
            names = {entry.name for entry in entries if entry.name.startswith(".")}
            name = inside.removesuffix("/").rpartition("/")[2]
            ignored = ignored.entered(self._workspace, directory, name, names)
        # The original compares paths whose backslashes have become slashes.
        entries.sort(key=lambda entry: raw_bytes(entry.name.replace("\\", "/")))
        paths = self._workspace.enter_all(directory, [entry.name for entry in entries])
        level = _Level(directory, inside, ignored, above)
        return self._visit(level, zip(entries, paths, strict=True))

    def _shown(self, inside: str) -> str:
        root = self._root.virtual
        return lossy_text(f"{root.rstrip('/')}/{inside}" if inside else root)

    def _io_error(self, inside: str, error: WorkspaceError) -> WalkFault:
        shown = self._shown(inside)
        return WalkFault(f"{shown}: IO error for operation on {shown}: {error.linux_text}")

    def _unfollowed(self, error: WorkspaceError, inside: str) -> WalkFault:
        if isinstance(error, PathEscapesWorkspace):
            # The agent must not learn where on the host the link leads.
            reason = path_outside_sandbox(self._shown(inside), "outside of every mount")
            return WalkFault(f"Sandbox violation: {reason}", inside)
        return self._io_error(inside, error)

    def _loop(self, path: ResolvedPath, inside: str, level: _Level) -> WalkFault | None:
        above: _Level | None = level
        while above is not None:
            if above.directory.virtual == path.virtual:
                ancestor = self._shown(above.inside.removesuffix("/"))
                return WalkFault(
                    f"File system loop found: {self._shown(inside)} points to an "
                    f"ancestor {ancestor}"
                )
            above = above.above
        return None
