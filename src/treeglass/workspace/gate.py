"""The one gate: from a text that an agent wrote to a path that may be touched.

Every operation on the tree takes a `ResolvedPath`, and only this module makes one.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self

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
from treeglass.workspace import host_names
from treeglass.workspace.limits import MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_SYMLINKS
from treeglass.workspace.mounts import (
    AboveMounts,
    InMount,
    Mount,
    Mounts,
    OutsideOnHost,
    Position,
    above,
    split_virtual,
)

if TYPE_CHECKING:
    from treeglass.workspace.host import HostFileSystem

_GATE = object()


class _Path(NamedTuple):
    virtual: str
    host: str | None


class ResolvedPath(_Path):
    """A path that passed the gate: inside the workspace, without `..`, its links followed.

    It need not exist. A lenient walk keeps a link that loops or cannot be read as a name, and the
    host never follows it: `host` is None below such a link, and where no mount is, such as at `/`.
    Callers get one from `Workspace`; to build one by hand is a `TypeError`.
    """

    __slots__ = ()

    def __new__(cls, virtual: str, host: str | None, proof: object) -> Self:
        """Make a path that passed the gate."""
        if proof is not _GATE:
            raise TypeError("a ResolvedPath comes from Workspace.resolve")
        return super().__new__(cls, virtual, host)


# Without the detour through Python: a search makes one for every file of a tree.
_made_path: Callable[[tuple[str, str | None]], ResolvedPath] = partial(tuple.__new__, ResolvedPath)


def children_of(parent: ResolvedPath, host: str, names: Sequence[str]) -> list[ResolvedPath]:
    """Return the paths of real entries of a directory that was just scanned; `host` is its own."""
    # Joined by hand: `os.path.join` takes longer than inspecting the entry.
    virtual = parent.virtual.rstrip("/") + "/"
    host = host.rstrip(os.sep) + os.sep
    return [*map(_made_path, [(virtual + name, host + name) for name in names])]


class Gate:
    """Resolves paths against a fixed set of mounts.

    The agent's text is followed in the virtual tree, and the target of a symbolic
    link on the host. A link may leave a mount and come back into one; nothing
    outside of the mounts is ever inspected.
    """

    def __init__(self, mounts: Sequence[Mount], file_system: HostFileSystem) -> None:
        self._mounts = Mounts(mounts)
        self._file_system = file_system

    def children_above(self, virtual: str) -> list[str] | None:
        """Return the names in a directory that exists because of the mounts below, or None."""
        return self._mounts.children_above(virtual)

    def resolve(self, text: str, base: str, *, strict: bool, unescape: bool) -> ResolvedPath:
        """Return the path that a text names; see `Workspace.resolve`. `..` applies after links."""
        if "\0" in text:
            raise NulInPath
        if len(text.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
            raise NameTooLong
        start = [] if text.startswith("/") else split_virtual(base)
        walk = _Walk(self._mounts, self._file_system, strict=strict, unescape=unescape)
        return walk.run([*start, *_steps(text)])


def _steps(text: str) -> list[str]:
    """Return the names of a path; a slash at the end asks for a directory."""
    steps = split_virtual(text)
    return [*steps, "."] if text.endswith("/") and steps else steps


class _Walk:
    """One resolution: a position that moves name by name."""

    def __init__(
        self, mounts: Mounts, file_system: HostFileSystem, *, strict: bool, unescape: bool
    ) -> None:
        self._mounts = mounts
        self._file_system = file_system
        self._strict = strict
        self._unescape = unescape
        self._links_left = MAX_SYMLINKS
        # Each step, and whether it comes from a link and not from the agent.
        self._pending: deque[tuple[str, bool]] = deque()
        self._position: Position = mounts.at_virtual(())

    def run(self, steps: list[str]) -> ResolvedPath:
        self._pending.extend((step, False) for step in steps)
        while self._pending:
            step, from_link = self._pending.popleft()
            self._require_directory()
            if step == "..":
                self._position = self._parent(from_link=from_link)
            elif step != ".":
                self._position = self._child(step)
        return self._arrive()

    def _require_directory(self) -> None:
        here = self._position
        if self._strict and isinstance(here, InMount) and not here.is_directory:
            raise NotADirectory

    def _arrive(self) -> ResolvedPath:
        match self._position:
            case AboveMounts(names):
                return ResolvedPath("/" + "/".join(names), None, _GATE)
            case InMount() as here:
                is_reached = here.missing is None and not here.is_below_link
                return ResolvedPath(here.virtual, here.host_path() if is_reached else None, _GATE)
            case OutsideOnHost():
                raise PathEscapesWorkspace

    def _parent(self, *, from_link: bool) -> Position:
        match self._position:
            case InMount(mount, ()) if from_link:
                # Above the mount's top a link means the host's parent, an agent the virtual one.
                return self._mounts.at_host(above(mount.host_names))
            case OutsideOnHost(names):
                return self._mounts.at_host(above(names))
            case InMount() as here if here.names:
                return here.parent()
            case InMount(mount):
                return self._mounts.at_virtual(mount.point[:-1])
            case AboveMounts(names):
                return self._mounts.at_virtual(names[:-1])

    def _child(self, name: str) -> Position:
        match self._position:
            case AboveMounts(names):
                return self._child_above_mounts(names, name)
            case InMount() as here:
                return self._child_in_mount(here, name)
            case OutsideOnHost(names):
                return self._mounts.at_host((*names, name))

    def _child_above_mounts(self, names: tuple[str, ...], name: str) -> AboveMounts | InMount:
        for spelling in self._spellings(name):
            if self._mounts.has_virtual((*names, spelling)):
                return self._mounts.at_virtual((*names, spelling))
        if self._strict:
            raise PathNotFound
        return AboveMounts((*names, name))

    def _child_in_mount(self, here: InMount, name: str) -> InMount | OutsideOnHost:
        name, status = self._inspect(here, name)
        is_link = status is not None and host_names.is_link(status)
        if is_link and (target := self._link_target(here, name)) is not None:
            return self._follow(here, target)
        names = (*here.names, name)
        # The host might take a name that no entry has for something else.
        is_unsure = status is None and (
            host_names.LISTS_TRUE_NAMES_ONLY or not host_names.can_be_stored(name)
        )
        return InMount(
            here.mount,
            names,
            is_directory=status is not None and stat.S_ISDIR(status.st_mode),
            kept_link=len(names) if is_link else here.kept_link,
            missing=here.missing or (len(names) if is_unsure else None),
        )

    def _spellings(self, name: str) -> list[str]:
        """Return the names that a text may mean, the likeliest first."""
        if self._unescape and (plain := unescape_name(name)) != name:
            # A real name that only looks like a spelling of ours still opens.
            return [plain, name]
        return [name]

    def _inspect(self, here: InMount, name: str) -> tuple[str, os.stat_result | None]:
        """Return the spelling that exists, and its status; if none does, the name and None."""
        spellings = self._spellings(name)
        for spelling in spellings:
            must_exist = self._strict and spelling is spellings[-1]
            status = self._lstat(here, spelling, must_exist=must_exist)
            if status is not None:
                return spelling, status
        return name, None

    def _lstat(self, here: InMount, name: str, *, must_exist: bool) -> os.stat_result | None:
        if not host_names.can_be_stored(name):
            if must_exist:
                raise PathNotFound
            return None
        if len(raw_bytes(name)) > MAX_NAME_BYTES:
            raise NameTooLong
        if here.kept_link is not None or here.missing is not None:
            return None
        try:
            if host_names.LISTS_TRUE_NAMES_ONLY and not self._file_system.has_entry(
                here.host_path(), name
            ):
                raise FileNotFoundError(errno.ENOENT, "no entry has this name")
            return self._file_system.lstat(here.host_path(name))
        except OSError as error:
            if must_exist:
                raise from_os_error(error) from None
            return None

    def _link_target(self, here: InMount, name: str) -> str | None:
        """Return the target of a link; None to keep the link as a name."""
        self._links_left -= 1
        if self._links_left < 0:
            if self._strict:
                raise SymlinkLoop
            return None
        try:
            return self._file_system.readlink(here.host_path(name))
        except OSError as error:
            if self._strict:
                raise from_os_error(error) from None
            return None

    def _follow(self, here: InMount, target: str) -> InMount | OutsideOnHost:
        """Put the steps of a link's target next, and return the position where they start."""
        drive, steps = host_names.read_target(target, os.path.splitdrive(here.mount.host)[0])
        self._pending.extendleft((step, True) for step in reversed(steps) if step)
        # The host's own root may be mounted.
        return here if drive is None else self._mounts.at_host((drive,))
