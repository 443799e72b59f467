"""The bases of changed paths: read from the mounts before the first change, and compared later."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from treeglass.errors import NotADirectory, NotARegularFile, WorkspaceError, from_os_error
from treeglass.workspace.nodes import Directory, File, Link
from treeglass.workspace.overlay.record import Base, Proposal

if TYPE_CHECKING:
    import os

    from treeglass.workspace.host import HostFileSystem
    from treeglass.workspace.limits import Limits

BaseState = Literal["unchanged", "changed", "gone", "appeared"]
"""The state of a mount, compared with its record from the first change of a path."""


class Bases:
    """Reads the mounts at changed paths; `host_path` takes a virtual path and its mount point."""

    def __init__(
        self, mounted: HostFileSystem, host_path: Callable[[str, str], str], limits: Limits
    ) -> None:
        self._mounted = mounted
        self._host_path = host_path
        self._limits = limits

    def at(self, host: str) -> Base:
        """Return what a mount has at a host path, if it can be read and is not too large."""
        try:
            found = self._mounted.lstat(host)
        except (FileNotFoundError, NotADirectoryError, NotADirectory):
            return Base(None)
        except OSError as error:
            raise from_os_error(error) from None
        try:
            return Base(self._node_at(host, found), found.st_size, found.st_mtime_ns)
        except OSError as error:
            raise from_os_error(error) from None

    def _node_at(self, host: str, found: os.stat_result) -> File | Directory | Link:
        if stat.S_ISLNK(found.st_mode):
            return Link(self._mounted.readlink(host))
        if stat.S_ISDIR(found.st_mode):
            return Directory()
        if not stat.S_ISREG(found.st_mode):
            raise NotARegularFile
        self._limits.require("max_proposal_bytes", found.st_size)
        with self._mounted.open(host) as file:
            return File(file.read(), stat.S_IMODE(found.st_mode) & 0o777)

    def changed_states(
        self, paths: Iterable[str], proposals: Mapping[str, Proposal]
    ) -> dict[str, BaseState]:
        """Compare what the mounts have at changed paths with what was recorded of it.

        Time and size first, of all paths by one call where the host can, then the bytes; a file
        that was only touched is unchanged. Paths that are unchanged are left out.
        """
        asked = {path: proposals[path] for path in paths if path in proposals}
        hosts = [self._host_path(path, each.mount_point) for path, each in asked.items()]
        found = self._mounted.sizes_and_times(hosts)
        recorded = [
            None if (base := each.base).node is None else (base.size_bytes, base.modified_ns)
            for each in asked.values()
        ]
        if found == recorded:
            return {}
        states = {
            path: self._state(path, proposals)
            for index, path in enumerate(asked)
            if found is None or found[index] != recorded[index]
        }
        return {path: state for path, state in states.items() if state != "unchanged"}

    def _state(self, path: str, proposals: Mapping[str, Proposal]) -> BaseState:
        proposal = proposals[path]
        host = self._host_path(path, proposal.mount_point)
        recorded = proposal.base
        try:
            found = self._mounted.lstat(host)
        except (OSError, WorkspaceError):
            return "unchanged" if recorded.node is None else "gone"
        if recorded.node is None:
            return "unchanged" if isinstance(proposal.after, Directory) else "appeared"
        if (found.st_size, found.st_mtime_ns) == (recorded.size_bytes, recorded.modified_ns):
            return "unchanged"
        try:
            return "unchanged" if self._node_at(host, found) == recorded.node else "changed"
        except (OSError, WorkspaceError):
            return "changed"


def told_states(states: Mapping[str, BaseState]) -> tuple[str, ...]:
    """Return a sentence for each of the paths, whose mounts have changed."""
    return tuple(_WARNINGS[state].format(path=path) for path, state in states.items())


_WARNINGS = {
    "changed": "{path} has changed in its folder since it was first changed here; the proposal "
    "is shown, and its patch may not apply.",
    "gone": "{path} is no longer in its folder; the proposal is shown, and its patch may not "
    "apply.",
    "appeared": "{path} now exists in its folder, too; the proposal is shown, and its patch may "
    "not apply.",
}
