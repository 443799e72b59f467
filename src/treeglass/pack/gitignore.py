"""The entries that the `.gitignore` files inside a directory ignore, by Git's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treeglass.errors import PackFailed, WorkspaceError
from treeglass.escaping import escape_path
from treeglass.search.glob_steps import GlobTooLarge
from treeglass.search.glob_syntax import GIT
from treeglass.search.ignore_file import IgnoreFile
from treeglass.utf8 import raw_bytes

if TYPE_CHECKING:
    from treeglass.workspace import Entry, ResolvedPath, Workspace

MAX_IGNORE_FILE_BYTES = 1024 * 1024
"""Largest `.gitignore` that is read. Unit: bytes."""

_IGNORE_FILE = ".gitignore"


class IgnoreRules:
    """The rules of the `.gitignore` files from the packed directory down to another one."""

    def __init__(
        self, workspace: Workspace, levels: tuple[tuple[bytes, IgnoreFile], ...] = ()
    ) -> None:
        self._workspace = workspace
        self._levels = levels

    def below(self, directory: ResolvedPath, prefix: str, entries: Sequence[Entry]) -> IgnoreRules:
        """Return the rules for a directory with these entries, or raise `PackFailed`."""
        for entry in entries:
            # Neither Git nor the workspace follows a link here.
            if entry.name == _IGNORE_FILE and entry.kind == "file":
                content = self._read(self._workspace.enter(directory, entry), prefix)
                try:
                    rules = IgnoreFile(content, GIT)
                except GlobTooLarge as error:
                    name = escape_path(prefix + _IGNORE_FILE)
                    raise PackFailed(f"{name} has too many rules: {error}") from None
                return IgnoreRules(self._workspace, (*self._levels, (raw_bytes(prefix), rules)))
        return self

    def leave_out(self, prefix: str, entry: Entry) -> bool:
        """Tell whether an entry is ignored, if no directory above it is."""
        if entry.name == ".git":
            return True
        path, is_directory = raw_bytes(prefix + entry.name), entry.kind == "directory"
        for above, file in reversed(self._levels):
            state = file.feed(file.start, path[len(above) :])
            is_ignored = file.ignores(state, is_directory=is_directory)
            if is_ignored is not None:
                return is_ignored
        return False

    def _read(self, file: ResolvedPath, prefix: str) -> bytes:
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
        return read
