"""The mounted directories that tools see under virtual paths, read-only."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import ExitStack
from functools import partial
from itertools import islice, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple

from treeglass.errors import (
    HostFault,
    IsADirectory,
    LimitExceeded,
    NotADirectory,
    PathNotFound,
    WorkspaceError,
    WorkspaceInvalid,
    from_os_error,
)
from treeglass.workspace import host_names
from treeglass.workspace.gate import Gate, Mount, ResolvedPath, child_of, split_virtual
from treeglass.workspace.host import OsFileSystem
from treeglass.workspace.limits import MAX_NAME_BYTES, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from treeglass.workspace.host import HostEntry, HostFileSystem

EntryKind = Literal["file", "directory", "symlink", "other"]
"""The type of an entry itself: a link to a directory is a `symlink`."""


class Entry(NamedTuple):
    """One entry of a scanned directory."""

    name: str
    """The host's name, with invalid bytes as lone surrogates."""
    kind: EntryKind | None
    """Its type; None if it could not be inspected."""
    fault: WorkspaceError | None = None
    """Why the kind is unknown."""


class Status(NamedTuple):
    """Facts about one path, links not followed."""

    kind: EntryKind
    size_bytes: int
    modified_ns: int | None
    """Nanoseconds since 1970; None for a directory above the mounts."""


class Workspace:
    """Mounted directories, a project root and a working directory.

    All paths are virtual: `/repo/src` and never the host's path. A path that is
    not mounted does not exist, and `/` lists the mount points. No method writes.
    A workspace never changes; to mount another directory, make another workspace.

    Args:
        mounts: Virtual path to host directory. A mount point is absolute, is
            not `/`, and does not lie inside another mount point.
        project_root: Virtual directory that the tools call the project; by
            default the only mount, or `/` if there are several.
        working_dir: Virtual directory that relative paths start from; by
            default the project root.
        limits: How much of a tree one call may read.
        file_system: The filesystem that holds the host directories.

    Raises:
        WorkspaceInvalid: A mount point or directory is refused.

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
    ) -> None:
        self.limits = limits or Limits()
        made = [_mount(point, host) for point, host in mounts.items()]
        self._file_system = file_system or OsFileSystem(mount.host for mount in made)
        for point, mount in zip(mounts, made, strict=True):
            self._require_mountable(point, mount)
        _refuse_nesting(made)
        self._gate = Gate(made, self._file_system)
        self.mount_points = tuple(sorted("/" + "/".join(mount.point) for mount in made))
        """The virtual paths of the mounts, sorted."""
        if project_root is None:
            project_root = self.mount_points[0] if len(made) == 1 else "/"
        self.project_root = require_virtual(project_root, "project_root")
        """The virtual directory that the tools call the project."""
        self.working_dir = require_virtual(working_dir or self.project_root, "working_dir")
        """The virtual directory that relative paths start from."""

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows for the mounts, without host paths."""
        from treeglass.rich_display import workspace_html  # noqa: PLC0415  # only notebooks need it

        directories = {"Project root": self.project_root, "Working directory": self.working_dir}
        return workspace_html(self.mount_points, directories)

    def _require_mountable(self, point: str, mount: Mount) -> None:
        try:
            is_directory = stat.S_ISDIR(self._file_system.lstat(mount.host).st_mode)
        except OSError as error:
            raise _unmountable(point, error) from error
        if not is_directory:
            message = f"mount point {point!r}: only a directory can be mounted"
            raise WorkspaceInvalid(message)

    def resolve(
        self,
        text: str,
        *,
        base: str | None = None,
        strict: bool = True,
        unescape: bool = False,
    ) -> ResolvedPath:
        """Return the path that a text names: the only way to a file or a directory.

        Args:
            text: A path as an agent writes it.
            base: Virtual directory for a relative text; the working directory
                by default.
            strict: Whether every step must exist, as when Linux opens a path.
                Otherwise a missing name is kept as it is written.
            unescape: Whether the spellings of `treeglass.escaping` are read.

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
        if directory.host is None:
            # There are no links above the mounts, and the entry may be a mount.
            return self._gate.resolve(entry.name, directory.virtual, strict=True, unescape=False)
        return child_of(directory, entry.name)

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
            with self._file_system.scandir(directory.host) as found:
                entries = list(map(_inspect, islice(found, min(ceiling, sys.maxsize))))
                if len(entries) == ceiling and next(found, None) is not None:
                    raise LimitExceeded("max_directory_entries", ceiling)
        except OSError as error:
            raise from_os_error(error) from None
        return entries

    def status(self, path: ResolvedPath) -> Status:
        """Inspect one path itself, its link not followed.

        Raises:
            WorkspaceError: It does not exist or cannot be inspected.
        """
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

    def require_directory(self, path: ResolvedPath) -> None:
        """Make sure that a path is a directory.

        Raises:
            NotADirectory: It is something else.
            WorkspaceError: It does not exist or cannot be inspected.
        """
        if self.status(path).kind != "directory":
            raise NotADirectory


def require_virtual(path: str, what: str) -> str:
    """Return a virtual path that a host gave, in its plain form.

    Args:
        path: Absolute, without `.` and `..`.
        what: Its purpose, for the message.

    Raises:
        WorkspaceInvalid: It is something else.
    """
    parts = split_virtual(path)
    if not path.startswith("/") or {".", ".."} & set(parts) or "\0" in path:
        message = f"{what} {path!r} must be an absolute virtual path without '.' and '..'"
        raise WorkspaceInvalid(message)
    return "/" + "/".join(parts)


def _mount(point: str, host: str | os.PathLike[str]) -> Mount:
    parts = split_virtual(require_virtual(point, "mount point"))
    if not parts:
        message = "mount point '/' is refused: '/' lists the mounts; use a name such as '/repo'"
        raise WorkspaceInvalid(message)
    if any(len(part.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES for part in parts):
        message = f"mount point {point!r} has a name of more than {MAX_NAME_BYTES} bytes"
        raise WorkspaceInvalid(message)
    try:
        real = os.path.realpath(host, strict=True)
    except OSError as error:
        raise _unmountable(point, error) from error
    return Mount(tuple(parts), real, PurePath(real).parts[1:])


def _unmountable(point: str, error: OSError) -> WorkspaceInvalid:
    return WorkspaceInvalid(f"mount point {point!r}: {from_os_error(error).linux_text}")


def _refuse_nesting(mounts: list[Mount]) -> None:
    points = sorted(mount.point for mount in mounts)
    for outer, inner in pairwise(points):
        if inner[: len(outer)] == outer:
            message = f"mount point '/{'/'.join(inner)}' lies in '/{'/'.join(outer)}'"
            raise WorkspaceInvalid(message)


# The same as a named tuple's own constructor, without its detour through Python:
# it runs once for every file of a tree.
_made_entry: Callable[[tuple[str, EntryKind, None]], Entry] = partial(tuple.__new__, Entry)


def _inspect(entry: HostEntry) -> Entry:
    # Files first: most entries are files, and each test costs time.
    try:
        kind: EntryKind
        if entry.is_file(follow_symlinks=False):
            return _made_entry((entry.name, "file", None))
        if entry.is_dir(follow_symlinks=False):
            kind = "symlink" if _is_junction(entry) else "directory"
        else:
            kind = "symlink" if entry.is_symlink() else "other"
    except OSError as error:
        return Entry(entry.name, None, from_os_error(error))
    return Entry(entry.name, kind)


def _is_junction(entry: HostEntry) -> bool:
    # Python 3.11 has no `DirEntry.is_junction`. On Windows the listing brought the status.
    inspect = getattr(entry, "stat", None) if host_names.IS_WINDOWS else None
    return inspect is not None and host_names.is_link(inspect(follow_symlinks=False))


def _kind_of(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "symlink" if stat.S_ISLNK(mode) else "other"
