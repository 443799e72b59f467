"""The walk of `grep_files`: which files ripgrep would search, each with its place in the order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import LimitExceeded, WorkspaceError
from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid, GlobTooLarge
from treeglass.search.glob_syntax import RIPGREP
from treeglass.search.ignore_file import parse_line
from treeglass.search.ignore_stack import IgnoreStack, is_hidden, stack_of
from treeglass.tools.codex.errors import RespondToModel
from treeglass.utf8 import is_encodable, raw_bytes

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import Entry, ResolvedPath


class Include:
    """Tells which entries are searched, by their paths below the working directory.

    It is one line of gitignore's syntax, which beats every ignore file. The glob is trimmed; an
    empty one has no rule, and one that cannot be read is refused. The clock is looked at also while
    paths are compared.
    """

    def __init__(self, glob: str, working_dir: str, checkpoint: Checkpoint = no_check) -> None:
        # To ripgrep this excludes everything.
        glob = "!**" if glob == "!" else glob
        try:
            self._rule = parse_line(raw_bytes(glob), RIPGREP)
            alternatives = self._rule.alternatives if self._rule else []
            self._automaton = GlobAutomaton([alternatives], checkpoint)
        except GlobTooLarge as error:
            message = f"include is above a ceiling: {error}; search with a shorter glob"
            raise RespondToModel(message) from None
        except GlobInvalid as error:
            raise RespondToModel(f"rg failed: rg: error parsing glob '{glob}': {error}\n") from None
        self._base = working_dir.rstrip("/") + "/"

    @property
    def has_rule(self) -> bool:
        """True if it decides about any entry."""
        return self._rule is not None

    def start(self, directory: str) -> int:
        """Return the state for the entries of a virtual directory."""
        path = directory.rstrip("/") + "/"
        inside = path.removeprefix(self._base)
        return self._automaton.feed(self._automaton.start, raw_bytes(inside))

    def enter(self, state: int, name: str) -> int:
        """Return the state for the entries of a directory in this one."""
        return self._automaton.feed(state, raw_bytes(name) + b"/")

    def takes(self, state: int, name: str, *, is_directory: bool) -> bool | None:
        """Tell whether an entry is searched; None if the other rules decide."""
        rule = self._rule
        if rule is None:
            return None
        after = self._automaton.feed(state, raw_bytes(name))
        is_hit = self._automaton.highest(after) is not None
        if is_hit and (is_directory or not rule.directories_only):
            return not rule.is_negated
        return None if rule.is_negated or is_directory else False


_ENTRIES_BETWEEN_CHECKS = 256
_NO_TIME = float("-inf")


class FoundFile(NamedTuple):
    """A file to search."""

    newest_first: float
    """The negated time in nanoseconds; least for a file without a time."""
    path: ResolvedPath
    inside: str
    """The path that the answer shows behind the root, after a slash; empty for a named file."""


# Without the named tuple's detour through Python, as for `Entry`.
_made_file: Callable[[tuple[float, ResolvedPath, str]], FoundFile] = partial(
    tuple.__new__, FoundFile
)


def sort_files(files: list[FoundFile]) -> None:
    """Sort files in place: those without a time first, then the newest; equal times by path."""
    if is_encodable("".join([file.inside for file in files])):
        # Code points are in the order of their UTF-8.
        files.sort(key=attrgetter("inside"))
    else:
        files.sort(key=lambda file: raw_bytes(file.inside))
    files.sort(key=attrgetter("newest_first"))


class _Level(NamedTuple):
    """A directory that is still to be walked."""

    directory: ResolvedPath
    inside: str
    ignored: IgnoreStack
    included: int
    """The state of `include`."""


class FileWalk:
    """Collects the files below a directory; follows no link. `include` beats the other rules."""

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
        return FoundFile(_NO_TIME, path, "")

    def files(self, root: ResolvedPath) -> list[FoundFile]:
        """Return the files in no particular order, up to `Limits.max_walk_entries`."""
        workspace = self._workspace
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
            workspace.limits.require("max_walk_entries", entry_count)
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
        files = [entry for entry in entries if entry.kind == "file"]
        if self._include.has_rule or level.ignored.has_rules:
            kept = [each for each in files if self._is_searched(level, each, is_directory=False)]
        else:
            kept = [
                each for each in files if not each.name.startswith(".") or not is_hidden(each.name)
            ]
        names = [entry.name for entry in kept]
        times = self._workspace.modified_times(level.directory, kept)
        newest_first = [_NO_TIME if time is None else -time for time in times]
        paths = self._workspace.enter_all(level.directory, names)
        inside = [f"{level.inside}/{name}" for name in names]
        return map(_made_file, zip(newest_first, paths, inside, strict=True))

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
