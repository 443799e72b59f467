"""The one gate: from a text that an agent wrote to a path that may be touched.

Scanning, inspecting and reading take a `ResolvedPath` and nothing else, and
only this module makes one. To add an operation on the tree, let it take a
`ResolvedPath`; there is no other way in.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from treeglass.errors import (
    NameTooLong,
    NotADirectory,
    NulInPath,
    PathEscapesWorkspace,
    PathNotFound,
    SymlinkLoop,
    from_os_error,
)
from treeglass.escaping import unescape_name
from treeglass.utf8 import raw_bytes
from treeglass.workspace.limits import MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_SYMLINKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treeglass.workspace.host import HostFileSystem

_GATE = object()


@dataclass(frozen=True, slots=True)
class Mount:
    """A host directory and the virtual path it appears at."""

    point: tuple[str, ...]
    """Names of the virtual path, `("repo",)` for `/repo`."""
    host: str
    """The host directory, absolute and free of symbolic links."""
    host_parts: tuple[str, ...]
    """The same, as names."""


@dataclass(frozen=True, slots=True)
class ResolvedPath:
    """A path that passed the gate: inside the workspace, free of `..` and links.

    It need not exist, and where it was resolved leniently, a link that leads
    round in a circle stays in it, out of the host's reach. Made only by
    `Workspace`; to build one by hand is a `TypeError`.
    """

    virtual: str
    """The canonical virtual path, such as `/repo/src`."""
    host: str | None
    """Where the host keeps it; None for what no mount covers, such as `/`, and
    for what lies below a link that was not followed."""
    _proof: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self._proof is not _GATE:
            message = "a ResolvedPath comes from Workspace.resolve"
            raise TypeError(message)


def child_of(parent: ResolvedPath, name: str) -> ResolvedPath:
    """Return the path of a real entry of a directory that was just scanned."""
    # A slash by hand: `os.path.join` takes longer than looking at the entry.
    virtual = f"{parent.virtual.rstrip('/')}/{name}"
    host = None if parent.host is None else f"{parent.host.rstrip(os.sep)}{os.sep}{name}"
    return ResolvedPath(virtual, host, _GATE)


def split_virtual(path: str) -> list[str]:
    """Return the names of a virtual path, without empty ones."""
    return [part for part in path.split("/") if part]


class Gate:
    """Resolves paths against a fixed set of mounts.

    What the agent writes is read in the virtual tree, what a symbolic link
    says is read on the host: a link that leaves a mount and comes back into
    one is fine, and outside of the mounts nothing is ever looked at.
    """

    def __init__(self, mounts: Sequence[Mount], file_system: HostFileSystem) -> None:
        self._mounts = tuple(mounts)
        self._by_point = {mount.point: mount for mount in mounts}
        self._by_host = {mount.host_parts: mount for mount in mounts}
        self._file_system = file_system
        # Every directory that exists because a mount lies below it, `/` included.
        self._above = {mount.point[:depth] for mount in mounts for depth in range(len(mount.point))}
        self._above.add(())

    def children_above(self, virtual: str) -> list[str] | None:
        """Return the names below a directory that only mounts make exist, or None."""
        parts = tuple(split_virtual(virtual))
        if parts not in self._above:
            return None
        depth = len(parts)
        names = {mount.point[depth] for mount in self._mounts if mount.point[:depth] == parts}
        return sorted(names)

    def resolve(self, text: str, base: str, *, strict: bool, unescape: bool) -> ResolvedPath:
        """Return where a text leads, from a base directory if it is relative.

        Args:
            text: What the agent wrote. `..` counts after links, as on Linux.
            base: Virtual directory for a relative text.
            strict: Whether each step has to exist, as when Linux opens a path;
                otherwise what is missing is kept as it is written.
            unescape: Whether the spellings of `treeglass.escaping` are read.

        Raises:
            PathEscapesWorkspace: A link leads out of every mount.
            WorkspaceError: Strict and a step fails, or the text can be no path.
        """
        if "\0" in text:
            raise NulInPath
        if len(text.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
            raise NameTooLong
        start = [] if text.startswith("/") else split_virtual(base)
        walk = _Walk(self, self._file_system, strict=strict, unescape=unescape)
        return walk.run([*start, *_steps(text)])

    def mount_at_point(self, parts: tuple[str, ...]) -> Mount | None:
        """Return the mount at exactly this virtual path."""
        return self._by_point.get(parts)

    def mount_at_host(self, parts: tuple[str, ...]) -> Mount | None:
        """Return the mount of exactly this host directory."""
        return self._by_host.get(parts)

    def exists_above(self, parts: tuple[str, ...]) -> bool:
        """Tell whether a directory exists because a mount lies below it."""
        return parts in self._above


def _steps(text: str) -> list[str]:
    """Return the names of a path; a slash at the end asks for a directory."""
    steps = split_virtual(text)
    return [*steps, "."] if text.endswith("/") and steps else steps


class _Walk:
    """One resolution: a position that moves name by name."""

    def __init__(
        self, gate: Gate, file_system: HostFileSystem, *, strict: bool, unescape: bool
    ) -> None:
        self._gate = gate
        self._file_system = file_system
        self._strict = strict
        self._unescape = unescape
        self._links_left = MAX_SYMLINKS
        self._pending: deque[tuple[str, bool]] = deque()
        # The position: below a mount, above all mounts (virtual), or, after a
        # link, somewhere on the host that no mount covers.
        self._mount: Mount | None = gate.mount_at_point(())
        self._outside = False
        self._parts: list[str] = []
        self._is_directory = True
        # How many names lead to a link that was kept as a name. Nothing below
        # it may reach the host, which would follow it wherever it leads.
        self._kept_link: int | None = None

    def run(self, steps: list[str]) -> ResolvedPath:
        self._pending.extend((step, False) for step in steps)
        while self._pending:
            step, from_link = self._pending.popleft()
            if step in {".", ".."} and self._strict and not self._is_directory:
                raise NotADirectory
            if step == "..":
                self._up(from_link=from_link)
            elif step != ".":
                self._enter(step)
        return self._arrive()

    def _arrive(self) -> ResolvedPath:
        if self._mount is not None:
            virtual = "/" + "/".join([*self._mount.point, *self._parts])
            host = None if self._is_below_kept_link() else self._host_path()
            return ResolvedPath(virtual, host, _GATE)
        if self._outside:
            raise PathEscapesWorkspace
        return ResolvedPath("/" + "/".join(self._parts), None, _GATE)

    def _is_below_kept_link(self) -> bool:
        return self._kept_link is not None and len(self._parts) > self._kept_link

    def _host_path(self, *names: str) -> str:
        mount = self._mount
        return os.path.join(mount.host, *self._parts, *names) if mount else ""

    def _up(self, *, from_link: bool) -> None:
        self._is_directory = True
        if self._mount is not None and not self._parts:
            # Out at the top of a mount: a link means the host's parent, an
            # agent the virtual one.
            leaving = self._mount
            self._outside = from_link
            self._parts = list((leaving.host_parts if from_link else leaving.point)[:-1])
            self._mount = None
        elif self._parts:
            self._parts.pop()
            if self._kept_link is not None and len(self._parts) < self._kept_link:
                self._kept_link = None
        self._find_mount()

    def _find_mount(self) -> bool:
        """Enter the mount at the position, if there is one."""
        if self._mount is not None:
            return True
        here = tuple(self._parts)
        find = self._gate.mount_at_host if self._outside else self._gate.mount_at_point
        mount = find(here)
        if mount is not None:
            self._mount, self._outside, self._parts = mount, False, []
        return mount is not None

    def _enter(self, name: str) -> None:
        if self._mount is not None:
            self._enter_below_mount(name)
            return
        if self._unescape and not self._outside:
            plain = (*self._parts, unescape_name(name))
            if self._gate.mount_at_point(plain) or self._gate.exists_above(plain):
                name = plain[-1]
        self._parts.append(name)
        self._is_directory = True
        arrived = self._find_mount()
        if arrived or self._outside or not self._strict:
            return
        if not self._gate.exists_above(tuple(self._parts)):
            raise PathNotFound

    def _enter_below_mount(self, name: str) -> None:
        if self._strict and not self._is_directory:
            raise NotADirectory
        spellings = [name]
        if self._unescape and (plain := unescape_name(name)) != name:
            # A real name that only looks like a spelling of ours still opens.
            spellings = [plain, name]
        status: os.stat_result | None = None
        for spelling in spellings:
            status = self._inspect(spelling, last=spelling is spellings[-1])
            if status is not None:
                name = spelling
                break
        is_link = status is not None and stat.S_ISLNK(status.st_mode)
        if is_link and self._follow(name):
            return
        self._parts.append(name)
        if is_link:
            self._kept_link = len(self._parts)
        self._is_directory = status is not None and stat.S_ISDIR(status.st_mode)

    def _inspect(self, name: str, *, last: bool) -> os.stat_result | None:
        if not _can_be_stored(name):
            if self._strict and last:
                raise PathNotFound
            return None
        if len(raw_bytes(name)) > MAX_NAME_BYTES:
            raise NameTooLong
        if self._kept_link is not None:
            return None
        try:
            return self._file_system.lstat(self._host_path(name))
        except OSError as error:
            if self._strict and last:
                raise from_os_error(error) from None
            return None

    def _follow(self, name: str) -> bool:
        """Replace the link's name by what it points at; False to keep the name."""
        self._links_left -= 1
        if self._links_left < 0:
            if self._strict:
                raise SymlinkLoop
            return False
        try:
            target = self._file_system.readlink(self._host_path(name))
        except OSError as error:
            if self._strict:
                raise from_os_error(error) from None
            return False
        if os.path.isabs(target):
            self._mount, self._outside, self._parts = None, True, []
            self._find_mount()  # the host's own root may be mounted
            steps = list(PurePath(target).parts[1:])
        else:
            steps = target.split(os.sep)
        if target.endswith("/"):
            steps.append(".")
        self._pending.extendleft((step, True) for step in reversed(steps) if step)
        self._is_directory = True
        return True


def _can_be_stored(name: str) -> bool:
    """Tell whether a host can hold a name, which a spelling may not be."""
    # A spelled `..` is no step of the walk, so the host would take it upwards.
    if name in {".", ".."} or "/" in name or "\0" in name or (os.sep != "/" and os.sep in name):
        return False
    try:
        raw_bytes(name)
    except UnicodeEncodeError:
        return False
    return True
