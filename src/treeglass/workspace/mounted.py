"""The mounts of a workspace and the proposals over them: its paths, and of what kind they are."""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from treeglass.errors import PathNotFound, WorkspaceError, from_os_error
from treeglass.workspace import host_names
from treeglass.workspace.entries import Entry, EntryKind, Status
from treeglass.workspace.gate import Gate, ResolvedPath, children_of
from treeglass.workspace.host import HostFileSystem
from treeglass.workspace.limits import Limits
from treeglass.workspace.mounts import mount_at, refuse_nesting, require_mountable, require_virtual

if TYPE_CHECKING:
    import os

    from treeglass.workspace.overlay.layer import OverlaidFileSystem
    from treeglass.workspace.overlay.overlay import Overlay


class MountedPaths:
    """The paths of a `Workspace`, which lists and reads what they lead to."""

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


def _kind_of(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "symlink" if stat.S_ISLNK(mode) else "other"
