"""The mounts of a workspace: host directories at virtual paths, and positions among them."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from treeglass.errors import WorkspaceInvalid, from_os_error
from treeglass.workspace import host_names
from treeglass.workspace.limits import MAX_NAME_BYTES

if TYPE_CHECKING:
    from treeglass.workspace.host import HostFileSystem


@dataclass(frozen=True, slots=True)
class Mount:
    """A host directory and the virtual path it appears at."""

    point: tuple[str, ...]
    """Names of the virtual path, `("repo",)` for `/repo`."""
    host: str
    """The host directory, absolute and free of symbolic links."""
    host_parts: tuple[str, ...]
    """The same, as names."""

    @property
    def host_names(self) -> tuple[str, ...]:
        """The host directory as a drive, which is empty on systems without, and names."""
        return (os.path.splitdrive(self.host)[0], *self.host_parts)


def split_virtual(path: str) -> list[str]:
    """Return the names of a virtual path, without empty ones."""
    return [part for part in path.split("/") if part]


def require_virtual(path: str, what: str) -> str:
    """Return a virtual path of a host in its plain form; `WorkspaceInvalid` tells its purpose."""
    parts = split_virtual(path)
    if not path.startswith("/") or {".", ".."} & set(parts) or "\0" in path:
        message = f"{what} {path!r} must be an absolute virtual path without '.' and '..'"
        raise WorkspaceInvalid(message)
    return "/" + "/".join(parts)


def mount_at(point: str, host: str | os.PathLike[str], file_system: HostFileSystem) -> Mount:
    """Return a host directory at a virtual path, or raise `WorkspaceInvalid`."""
    parts = split_virtual(require_virtual(point, "mount point"))
    if not parts:
        message = "mount point '/' is refused: '/' lists the mounts; use a name such as '/repo'"
        raise WorkspaceInvalid(message)
    if any(len(part.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES for part in parts):
        message = f"mount point {point!r} has a name of more than {MAX_NAME_BYTES} bytes"
        raise WorkspaceInvalid(message)
    try:
        real = file_system.realpath(os.fspath(host))
    except OSError as error:
        raise _unmountable(point, error) from error
    return Mount(tuple(parts), real, PurePath(real).parts[1:])


def _unmountable(point: str, error: OSError) -> WorkspaceInvalid:
    return WorkspaceInvalid(f"mount point {point!r}: {from_os_error(error).linux_text}")


def require_mountable(point: str, mount: Mount, file_system: HostFileSystem) -> None:
    """Raise `WorkspaceInvalid` unless what is mounted is a directory."""
    try:
        is_directory = stat.S_ISDIR(file_system.lstat(mount.host).st_mode)
    except OSError as error:
        raise _unmountable(point, error) from error
    if not is_directory:
        raise WorkspaceInvalid(f"mount point {point!r}: only a directory can be mounted")


def refuse_nesting(mounts: list[Mount]) -> None:
    """Raise `WorkspaceInvalid` if one mount point lies in another."""
    points = sorted(mount.point for mount in mounts)
    for outer, inner in pairwise(points):
        if inner[: len(outer)] == outer:
            raise WorkspaceInvalid(f"mount point '/{'/'.join(inner)}' lies in '/{'/'.join(outer)}'")


@dataclass(frozen=True, slots=True)
class AboveMounts:
    """A virtual directory above all mounts; in a lenient walk it need not exist."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InMount:
    """A path in a mount; in a lenient walk it need not exist."""

    mount: Mount
    names: tuple[str, ...] = ()
    is_directory: bool = True
    kept_link: int | None = None
    """The number of names up to a link that was kept as a name. Nothing below it
    may reach the host, which would follow the link wherever it leads."""
    missing: int | None = None
    """The number of names up to one that no entry has. It and all below it may not reach
    the host, which may open something else by it."""

    def host_path(self, *names: str) -> str:
        """Return where it is on the host, or where names below it are."""
        return os.path.join(self.mount.host, *self.names, *names)

    @property
    def virtual(self) -> str:
        """The virtual path."""
        return "/" + "/".join([*self.mount.point, *self.names])

    @property
    def is_below_link(self) -> bool:
        """True if it is below a link that was kept as a name."""
        return self.kept_link is not None and len(self.names) > self.kept_link

    def parent(self) -> InMount:
        """Return the position above, in the same mount."""
        is_below_missing = self.missing is not None and len(self.names) > self.missing
        return InMount(
            self.mount,
            self.names[:-1],
            kept_link=self.kept_link if self.is_below_link else None,
            missing=self.missing if is_below_missing else None,
        )


@dataclass(frozen=True, slots=True)
class OutsideOnHost:
    """A host directory outside of every mount, reached by a link."""

    names: tuple[str, ...]
    """Its drive and its names."""


Position = AboveMounts | InMount | OutsideOnHost


class Mounts:
    """The mounts of one workspace, found by virtual paths and by those of the host."""

    def __init__(self, mounts: Sequence[Mount]) -> None:
        self._mounts = tuple(mounts)
        self._by_point = {mount.point: mount for mount in mounts}
        self._by_host = {host_names.comparable(mount.host_names): mount for mount in mounts}
        # Every directory that exists only because a mount lies below it, and `/`.
        self._above = {mount.point[:depth] for mount in mounts for depth in range(len(mount.point))}
        self._above.add(())

    def children_above(self, virtual: str) -> list[str] | None:
        """Return the names in a directory that exists because of the mounts below, or None."""
        parts = tuple(split_virtual(virtual))
        if parts not in self._above:
            return None
        depth = len(parts)
        names = {mount.point[depth] for mount in self._mounts if mount.point[:depth] == parts}
        return sorted(names)

    def at_virtual(self, names: tuple[str, ...]) -> InMount | AboveMounts:
        """Return the position of a virtual path: the top of a mount, or above all mounts."""
        mount = self._by_point.get(names)
        return AboveMounts(names) if mount is None else InMount(mount)

    def at_host(self, names: tuple[str, ...]) -> InMount | OutsideOnHost:
        """Return the position of a drive and names of the host: a mount's top, or no mount."""
        mount = self._by_host.get(host_names.comparable(names))
        return OutsideOnHost(names) if mount is None else InMount(mount)

    def has_virtual(self, names: tuple[str, ...]) -> bool:
        """Tell whether a virtual path is a mount point, or has one below it."""
        return names in self._by_point or names in self._above


def above(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the directory above; above the top of a drive is the same top."""
    return names[:-1] or names
