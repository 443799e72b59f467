"""The mounted directories that tools see under virtual paths, read-only."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

from treeglass.errors import (
    HostFault,
    IsADirectory,
    NotADirectory,
    PathNotFound,
    SymlinkLoop,
    WorkspaceError,
    from_os_error,
)
from treeglass.workspace import host_names
from treeglass.workspace.entries import Entry, Status
from treeglass.workspace.gate import Gate, ResolvedPath, children_of
from treeglass.workspace.host import ALONE, Gathered, HostFileSystem
from treeglass.workspace.limits import Limits
from treeglass.workspace.mounts import mount_at, refuse_nesting, require_mountable, require_virtual

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from treeglass.workspace.entries import EntryKind
    from treeglass.workspace.overlay.layer import OverlaidFileSystem
    from treeglass.workspace.overlay.overlay import Overlay


class Workspace:
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

    def __init__(
        self,
        mounts: Mapping[str, str | os.PathLike[str]],
        *,
        project_root: str | None = None,
        working_dir: str | None = None,
        limits: Limits | None = None,
        file_system: HostFileSystem | None = None,
        overlay: Overlay | None = None,
    ) -> None:
        if not isinstance(mounts, Mapping):
            raise TypeError(
                "the mounts are a mapping of virtual paths to folders, such as "
                f'{{"/repo": "notes"}}, and not {mounts!r}'
            )
        self.limits = limits or Limits()
        given = file_system or HostFileSystem()
        made = [mount_at(point, host, given) for point, host in mounts.items()]
        self._file_system: HostFileSystem = file_system or HostFileSystem(
            mount.host for mount in made
        )
        for point, mount in zip(mounts, made, strict=True):
            require_mountable(point, mount, self._file_system)
        refuse_nesting(made)
        self._mounts = tuple(made)
        self._gate = Gate(made, self._file_system)
        self._making = Lock()
        """Held while the overlay is made: two calls that ask for it at once get the same one."""
        self._overlaid: tuple[Overlay, OverlaidFileSystem] | None = None
        self.mount_points = tuple(sorted("/" + "/".join(mount.point) for mount in made))
        """The virtual paths of the mounts, sorted."""
        if project_root is None:
            project_root = self.mount_points[0] if len(made) == 1 else "/"
        self.project_root = require_virtual(project_root, "project_root")
        """The virtual directory that the tools call the project."""
        self.working_dir = require_virtual(working_dir or self.project_root, "working_dir")
        """The virtual directory that relative paths start from."""
        if overlay is not None:
            self._overlaid = self._put_over(overlay)

    @property
    def overlay(self) -> Overlay:
        """The changes that tools propose; made empty at the first use."""
        with self._making:
            if self._overlaid is None:
                from treeglass.workspace.overlay.overlay import Overlay  # noqa: PLC0415  # only changes need it

                self._overlaid = self._put_over(Overlay(self.limits))
            overlay, layer = self._overlaid
            overlay.serve(self, layer)
            return overlay

    @property
    def overlay_if_any(self) -> Overlay | None:
        """The overlay, if it was ever asked for: what a workspace that stands in is given."""
        return None if self._overlaid is None else self.overlay

    @property
    def has_proposals(self) -> bool:
        """True if a path differs from its mount."""
        return self._overlaid is not None and bool(self._overlaid[0].record.proposals)

    def _put_over(self, overlay: Overlay) -> tuple[Overlay, OverlaidFileSystem]:
        layer = overlay.layer_over(self._mounts, self._file_system)
        self._file_system = layer
        self._gate = Gate(self._mounts, layer)
        return overlay, layer

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows for the mounts, without host paths."""
        from treeglass.rich_display import workspace_html  # noqa: PLC0415  # only notebooks need it

        directories = {"Project root": self.project_root, "Working directory": self.working_dir}
        return workspace_html(self.mount_points, directories)

    def resolve(
        self, text: str, *, base: str | None = None, strict: bool = True, unescape: bool = False
    ) -> ResolvedPath:
        """Return the path that a text names: the only way to a file or a directory.

        Args:
            text: A path as an agent writes it.
            base: Virtual directory for a relative text; the working directory
                by default.
            strict: True if every step must exist, as when Linux opens a path.
                Otherwise a missing name is kept as it is written.
            unescape: True if the spellings of `treeglass.escaping` are read.

        Raises:
            PathEscapesWorkspace: A symbolic link leads out of every mount.
            WorkspaceError: Strict and a step fails, or the text cannot be a path.
        """
        return self._gate.resolve(
            text, self.working_dir if base is None else base, strict=strict, unescape=unescape
        )

    def resolve_entry(self, directory: ResolvedPath, entry: Entry) -> ResolvedPath:
        """Return the path of an entry, its symbolic link followed.

        Raises:
            PathEscapesWorkspace: The link leads out of every mount.
            WorkspaceError: The link dangles or loops.
        """
        return self._gate.resolve(entry.name, directory.virtual, strict=True, unescape=False)

    def enter(self, directory: ResolvedPath, entry: Entry) -> ResolvedPath:
        """Return the path of a scanned entry itself, its link not followed."""
        return self.enter_all(directory, [entry.name])[0]

    def enter_all(self, directory: ResolvedPath, names: Sequence[str]) -> list[ResolvedPath]:
        """Return the paths of scanned entries themselves; faster than `enter` of each."""
        if directory.host is not None:
            return children_of(directory, directory.host, names)
        # There are no links above the mounts, and an entry may be a mount.
        above = directory.virtual
        return [self._gate.resolve(each, above, strict=True, unescape=False) for each in names]

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

    def status(self, path: ResolvedPath) -> Status:
        """Inspect one path itself, its link not followed, or raise a `WorkspaceError`."""
        return self._status(path, None)

    def _status(self, path: ResolvedPath, held: int | None) -> Status:
        if path.host is None:
            if self._gate.children_above(path.virtual) is None:
                raise PathNotFound
            return Status("directory", 0, None)
        try:
            found = self._file_system.lstat(path.host, held)
        except OSError as error:
            raise from_os_error(error) from None
        is_junction = host_names.IS_WINDOWS and host_names.is_link(found)
        kind = "symlink" if is_junction else _kind_of(found.st_mode)
        return Status(kind, found.st_size, found.st_mtime_ns)

    def has(self, path: ResolvedPath) -> bool:
        """Tell whether a path itself can be inspected."""
        try:
            self.status(path)
        except WorkspaceError:
            return False
        return True

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


def _kind_of(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "symlink" if stat.S_ISLNK(mode) else "other"
