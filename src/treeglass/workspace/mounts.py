"""The mounts of a workspace: host directories at virtual paths, and why one is refused."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from treeglass.errors import WorkspaceInvalid, from_os_error
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
