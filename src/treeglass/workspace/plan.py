"""The changes of one call, as a value that is complete before anything is recorded.

A tool that changes writes nothing: it returns the changes of its `Plan` with its answer, and the
registry commits all of them or none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from treeglass.errors import (
    ChangeRefused,
    IsADirectory,
    NotADirectory,
    NotARegularFile,
    PathNotFound,
)
from treeglass.workspace.nodes import NEW_FILE_MODE, Change, Directory, File

if TYPE_CHECKING:
    from treeglass.workspace.gate import ResolvedPath
    from treeglass.workspace.workspace import Workspace


class Plan:
    """The changes of one call, in the order in which they were planned; one for each path.

    The tree does not change meanwhile. `refusal` returns why a virtual path may not be changed.
    """

    def __init__(self, workspace: Workspace, refusal: Callable[[str], str | None]) -> None:
        self._workspace = workspace
        self._refusal = refusal
        self._changes: dict[str, Change] = {}

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes, each directory before what lies in it."""
        return tuple(self._changes.values())

    def write(
        self, path: ResolvedPath, content: bytes, *, renamed_from: ResolvedPath | None = None
    ) -> None:
        """Propose a file: a new one, with the directories that are missing above it, or new bytes.

        It keeps the permissions of the file that is there, else of the one that it is moved from.

        Raises:
            ChangeRefused: The configuration refuses the path.
            IsADirectory: A directory is there, or the path is a mount point or above one.
            NotARegularFile: A pipe, a socket or a device is there.
            NotADirectory: The path leads through a file.
            PathNotFound: No mount covers the path, or a link on it was not followed.
            LimitExceeded: The content is above `Limits.max_changed_file_bytes`.
        """
        self._require_changeable(path)
        self._workspace.limits.require("max_changed_file_bytes", len(content))
        self._make_parents(path)
        mode = self._mode_at(path)
        if mode is None and renamed_from is not None:
            mode = self._mode_at(renamed_from)
        after = File(content, NEW_FILE_MODE if mode is None else mode)
        self._changes[path.virtual] = Change(path, after, renamed_from)

    def delete(self, path: ResolvedPath) -> None:
        """Propose that a file, or a symbolic link itself, is gone.

        Raises:
            ChangeRefused: The configuration refuses the path.
            IsADirectory: A directory is there.
            WorkspaceError: Nothing is there, or it cannot be inspected.
        """
        self._require_changeable(path)
        is_planned = path.virtual in self._changes
        kind = self._kind_at(path) if is_planned else self._workspace.status(path).kind
        if kind is None:
            raise PathNotFound
        if kind == "directory":
            raise IsADirectory
        self._changes[path.virtual] = Change(path, None)

    def _require_changeable(self, path: ResolvedPath) -> None:
        if path.host is None or path.virtual in self._workspace.mount_points:
            # The names above the mounts, too, are a host's and not an agent's.
            if self._kind_at(path) == "directory":
                raise IsADirectory
            raise PathNotFound
        reason = self._refusal(path.virtual)
        if reason is not None:
            raise ChangeRefused(path.virtual, reason)

    def _make_parents(self, path: ResolvedPath) -> None:
        missing: list[ResolvedPath] = []
        above = path.virtual.rpartition("/")[0]
        while above:
            parent = self._workspace.resolve(above, strict=False)
            if parent.virtual != above or parent.host is None:
                raise PathNotFound
            kind = self._kind_at(parent)
            if kind is None:
                missing.append(parent)
                above = above.rpartition("/")[0]
            elif kind == "directory":
                break
            else:
                raise NotADirectory
        for parent in reversed(missing):
            self._changes[parent.virtual] = Change(parent, Directory())

    def _mode_at(self, path: ResolvedPath) -> int | None:
        """Return the permissions of the file that is planned or there; None without a file."""
        kind = self._kind_at(path)
        if kind is None:
            return None
        if kind == "directory":
            raise IsADirectory
        if kind != "file":
            raise NotARegularFile
        change = self._changes.get(path.virtual)
        if change is not None and isinstance(change.after, File):
            return change.after.mode
        return self._workspace.permissions(path)

    def _kind_at(self, path: ResolvedPath) -> str | None:
        """Return what is planned, or else is there; None if it is nothing."""
        change = self._changes.get(path.virtual)
        if change is not None:
            if change.after is None:
                return None
            return "file" if isinstance(change.after, File) else "directory"
        try:
            return self._workspace.status(path).kind
        except (PathNotFound, NotADirectory):
            return None
