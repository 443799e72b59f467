"""The mounted directories that tools see under virtual paths, read-only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO

from treeglass.errors import (
    HostFault,
    IsADirectory,
    NotADirectory,
    PathNotFound,
    SymlinkLoop,
    from_os_error,
)
from treeglass.workspace import host_names
from treeglass.workspace.entries import Entry, Status
from treeglass.workspace.host import ALONE, Gathered
from treeglass.workspace.mounted import MountedPaths

if TYPE_CHECKING:
    from treeglass.workspace.gate import ResolvedPath


class Workspace(MountedPaths):
    """Mounted directories, a project root and a working directory.

    All paths are virtual: `/repo/src` and never the host's path. A path that is
    not mounted does not exist, and `/` lists the mount points. No method writes.
    The mounts never change; to mount another directory, make another workspace. What
    tools propose to change lies in `overlay`, and all methods show it.

    Args:
        mounts: Virtual path to host directory. A mount point is absolute, is
            not `/`, and does not lie inside another mount point.
        project_root: Virtual directory that the tools call the project; by
            default the only mount, or `/` if there are several.
        working_dir: Virtual directory that relative paths start from; by
            default the project root.
        limits: How much of a tree one call may read.
        file_system: The filesystem that holds the host directories.
        overlay: The proposals of a workspace that this one stands in for.

    Raises:
        TypeError: The mounts are no mapping.
        WorkspaceInvalid: A mount point or directory is refused, or the overlay proposes to
            change a path that lies in none of the mounts, or in another one than before.

    Example:
        >>> import tempfile, pathlib
        >>> folder = tempfile.mkdtemp()
        >>> _ = pathlib.Path(folder, "a.txt").write_text("hello")
        >>> workspace = Workspace({"/repo": folder})
        >>> [entry.name for entry in workspace.scan(workspace.resolve("/repo"))]
        ['a.txt']
        >>> [entry.name for entry in workspace.scan(workspace.resolve("/"))]
        ['repo']
    """

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows for the mounts, without host paths."""
        from treeglass.rich_display import workspace_html  # noqa: PLC0415  # only notebooks need it

        directories = {"Project root": self.project_root, "Working directory": self.working_dir}
        return workspace_html(self.mount_points, directories)

    def scan(self, directory: ResolvedPath) -> list[Entry]:
        """Return the entries of one directory in the host's order.

        Raises:
            LimitExceeded: More than `Limits.max_directory_entries`.
            WorkspaceError: The directory cannot be read.
        """
        if directory.host is None:
            names = self._gate.children_above(directory.virtual)
            if names is None:
                raise PathNotFound
            return [Entry(name, "directory") for name in names]
        ceiling = self.limits.max_directory_entries
        try:
            entries = self._file_system.entries(directory.host, ceiling + 1)
        except OSError as error:
            raise from_os_error(error) from None
        self.limits.require("max_directory_entries", len(entries))
        return entries

    def statuses(
        self, directory: ResolvedPath, entries: Iterable[Entry]
    ) -> Iterator[Status | Exception]:
        """Inspect scanned entries of one directory, each when it is asked for.

        Faster than `status` of each. Links are not followed. Instead of the status of
        an entry that cannot be inspected comes the error, whatever the host raised.
        """
        with ExitStack() as stack:
            held, fault = None, None
            if directory.host is not None:
                try:
                    held = stack.enter_context(self._file_system.hold(directory.host))
                except OSError as error:
                    fault = from_os_error(error)
            for entry in entries:
                yield fault or self._status_or_fault(self.enter(directory, entry), held)

    def modified_times(self, directory: ResolvedPath, entries: Sequence[Entry]) -> list[int | None]:
        """Return when entries were changed, None for one that cannot be inspected.

        Faster than `statuses`, where the host keeps the entries elsewhere.
        """
        names = [entry.name for entry in entries]
        found = None
        if directory.host is not None:
            found = self._file_system.modified_times(directory.host, names)
        if found is None:
            statuses = self.statuses(directory, entries)
            found = [None if isinstance(each, Exception) else each.modified_ns for each in statuses]
        return found

    def known_statuses(
        self, directory: ResolvedPath, entries: Sequence[Entry]
    ) -> list[Status | None]:
        """Return the statuses of entries of one directory, None for one that cannot be inspected.

        Faster than `statuses`, where the host keeps the entries elsewhere. No link is followed.
        """
        found = None
        if directory.host is not None and all(entry.kind for entry in entries):
            host = directory.host.rstrip(os.sep) + os.sep
            paths = [host + entry.name for entry in entries]
            found = self._file_system.sizes_and_times(paths)
        if found is None:
            statuses = self.statuses(directory, entries)
            return [None if isinstance(each, Exception) else each for each in statuses]
        return [
            None if entry.kind is None or each is None else Status(entry.kind, *each)
            for entry, each in zip(entries, found, strict=True)
        ]

    def _status_or_fault(self, path: ResolvedPath, held: int | None) -> Status | Exception:
        try:
            return self._status(path, held)
        except Exception as error:  # noqa: BLE001  # FR-LD-ERR-04; a page's JavaScript may raise anything
            return error

    def open(self, path: ResolvedPath) -> BinaryIO:
        """Open a regular file for reading; the caller closes it.

        Raises:
            IsADirectory: It is a directory.
            NotARegularFile: It is a pipe, a socket or a device.
            WorkspaceError: It does not exist or cannot be read.
        """
        if path.host is None:
            if self._gate.children_above(path.virtual) is None:
                raise PathNotFound
            raise IsADirectory
        try:
            return self._file_system.open(path.host)
        except OSError as error:
            if host_names.IS_WINDOWS and self.status(path).kind == "directory":
                # Windows calls it a lack of permission.
                raise IsADirectory from None
            raise from_os_error(error) from None

    def gather(self, paths: Sequence[ResolvedPath], max_bytes: int) -> Gathered:
        """Read files, from the first and at least one of them, as many as `max_bytes` hold.

        Faster than `open` of each, where the host keeps the files elsewhere. `ALONE` is the size
        of a file that has to be opened: it is large, or opening it tells why it cannot be read.
        """
        hosts = [path.host for path in paths if path.host is not None]
        if len(hosts) < len(paths):
            return Gathered(b"", [ALONE] * len(paths))
        return self._file_system.gather(hosts, max_bytes)

    def want(self, paths: Sequence[ResolvedPath] = ()) -> int:
        """Tell the host that a call reads these files, so that it fetches them together.

        Call it without paths before a walk that enters every directory. Return how many files,
        from the first, may be read: those beyond `Limits.max_fetched_files` and
        `Limits.max_fetched_bytes` may not.
        """
        limits = self.limits
        hosts = [path.host or "" for path in paths]
        return self._file_system.want(hosts, limits.max_fetched_files, limits.max_fetched_bytes)

    def read_link(self, path: ResolvedPath) -> str:
        """Return the target of a symbolic link as it is written; nothing is followed.

        Raises:
            WorkspaceError: It is not a link, does not exist, or cannot be read.
        """
        if path.host is None:
            raise HostFault("EINVAL")
        try:
            return self._file_system.readlink(path.host)
        except OSError as error:
            raise from_os_error(error) from None

    def arrived(self, path: ResolvedPath) -> Status:
        """Inspect what a resolved path leads to; only a link that loops was not followed.

        Raises:
            SymlinkLoop: It is a link still.
            WorkspaceError: It does not exist or cannot be inspected.
        """
        status = self.status(path)
        if status.kind == "symlink":
            raise SymlinkLoop
        return status

    def permissions(self, path: ResolvedPath) -> int:
        """Return the permissions of what is there, the low nine bits; no link is followed.

        Raises:
            WorkspaceError: It does not exist or cannot be inspected.
        """
        if path.host is None:
            raise PathNotFound
        try:
            found = self._file_system.lstat(path.host)
        except OSError as error:
            raise from_os_error(error) from None
        return stat.S_IMODE(found.st_mode) & 0o777

    def require_directory(self, path: ResolvedPath) -> None:
        """Make sure that a path leads to a directory.

        Raises:
            NotADirectory: It is something else.
            WorkspaceError: It does not exist or cannot be inspected, or its links loop.
        """
        if self.arrived(path).kind != "directory":
            raise NotADirectory
