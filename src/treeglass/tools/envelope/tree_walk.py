"""The directory that `Glob` and `Grep` search, and the walk through it, which enters no link."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import WorkspaceError
from treeglass.tools.envelope.errors import resolved
from treeglass.tools.envelope.project_paths import ProjectPaths, require_directory

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import Entry, ResolvedPath


_ORIGINAL_SECONDS = 2


def shown_limit(seconds: float) -> str:
    """Return the seconds that the sentence about the time names: at least the original's two."""
    return f"{max(seconds, _ORIGINAL_SECONDS):g}"


def from_search_root(glob: str) -> str:
    """Return a glob without what stands for the search root before it."""
    while glob.startswith("./"):
        glob = glob[2:]
    return glob.lstrip("/")


class SearchRoot(NamedTuple):
    """A directory of the project."""

    path: ResolvedPath
    where: str
    """Relative to the project root, in the host's names."""

    def path_of(self, inside: str) -> str:
        """Return a path below the directory, relative to the project root."""
        return inside if self.where == "." else f"{self.where}/{inside}"


def find_root(text: str, context: ToolContext) -> SearchRoot:
    """Return the directory of the project that an argument names, or raise `CallFailed`."""
    root = SearchRoot(*ProjectPaths(context.workspace).resolve(text, context))
    with resolved(root.where):
        require_directory(root.path, context)
    return root


class WalkedDirectory(NamedTuple):
    """One directory and what is no directory in it."""

    path: ResolvedPath
    prefix: str
    """The prefix of its names, relative to the root of the walk: empty, or ends with a slash."""
    files: list[Entry]
    """Sorted by name: files, pipes, and links that do not lead to a directory."""


def walk_directories(
    root: ResolvedPath, is_pruned: Callable[[str], bool], context: ToolContext
) -> Iterator[WalkedDirectory]:
    """Yield a directory and all below it, each before what it holds; unreadable ones are left out.

    The root is never pruned, and any other directory by its name. The clock is looked at after each
    directory.
    """
    workspace, projects = context.workspace, ProjectPaths(context.workspace)
    entry_count = 0
    pending = [(root, "")]
    while pending:
        here, prefix = pending.pop()
        try:
            entries = workspace.scan(here)
        except WorkspaceError:
            continue
        entry_count += len(entries)
        workspace.limits.require("max_walk_entries", entry_count)
        directories, files = [], []
        for entry in entries:
            if entry.kind == "directory":
                if not is_pruned(entry.name):
                    directories.append(entry)
            elif entry.kind != "symlink" or not projects.leads_to_directory(here, entry, context):
                files.append(entry)
        directories.sort(key=_name_of, reverse=True)
        pending += [
            (workspace.enter(here, entry), f"{prefix}{entry.name}/") for entry in directories
        ]
        yield WalkedDirectory(here, prefix, sorted(files, key=_name_of))
        context.checkpoint()


def _name_of(entry: Entry) -> str:
    return entry.name
