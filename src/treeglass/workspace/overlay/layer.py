"""The host's filesystem as tools see it: the mounts, with the proposals over them.

Everything that a workspace asks of a host passes here, so each tool sees the proposed tree
without knowing of it. A path without a proposal is the mount's, by the call that the mount has
for it: a bulk call stays one.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from treeglass.errors import WorkspaceError, WorkspaceInvalid
from treeglass.workspace.entries import Entry
from treeglass.workspace.host import (
    BUFFER_BYTES,
    Gathered,
    HostFileSystem,
    gather_opened,
    require_regular,
)
from treeglass.workspace.nodes import Directory, File, Link, Node, full_mode
from treeglass.workspace.overlay.changed_path import kind_of

if TYPE_CHECKING:
    from treeglass.workspace.mounts import Mount
    from treeglass.workspace.overlay.record import Proposal, Record


class _Shown(NamedTuple):
    """The tree that one record shows; immutable."""

    record: Record
    proposals: Mapping[str, Proposal]
    """By host path."""
    names: dict[str, dict[str, Proposal]]
    """By host path of a directory, and name."""
    paths: Mapping[str, str]
    """By host path: the virtual one of what was ever proposed there."""


class OverlaidFileSystem(HostFileSystem):
    """The proposals over the filesystem of the mounts; `record_of` may return another one later.

    Raises:
        WorkspaceInvalid: A proposal lies in none of the mounts, or in another one than before.
    """

    def __init__(
        self, base: HostFileSystem, record_of: Callable[[], Record], mounts: Sequence[Mount]
    ) -> None:
        self.base = base
        self._record_of = record_of
        self._hosts = {
            "/" + "/".join(mount.point): mount.host.rstrip(os.sep) + os.sep for mount in mounts
        }
        """Of each mount point, where it is, with a separator at the end."""
        self.used: set[str] = set()
        """The virtual paths of proposed files that were opened since the set was last emptied."""
        self._shown = self._shown_of(record_of(), None)

    def is_incomplete(self) -> bool:
        """Tell whether an answer of a mount stood for content that has not arrived."""
        return self.base.is_incomplete()

    def realpath(self, path: str) -> str:
        """Return the path of what is mounted: no proposal replaces a mount."""
        return self.base.realpath(path)

    def host_path(self, path: str, mount_point: str) -> str:
        """Return where a virtual path is on the host.

        Raises:
            WorkspaceInvalid: Its mount is no longer there.
        """
        host = self._hosts.get(mount_point)
        if host is None:
            raise WorkspaceInvalid(
                f"{path} has proposed changes, and {mount_point} is not mounted; mount it, or "
                "discard the changes"
            )
        return host + path[len(mount_point) + 1 :].replace("/", os.sep)

    def is_mounted_twice(self, host: str) -> bool:
        """Tell whether a host path lies in two mounts, so that it has two virtual paths."""
        return sum(host.startswith(each) for each in self._hosts.values()) > 1

    def _follow(self) -> _Shown:
        """Return what is shown of the record as it is now; made aside, and put in place whole."""
        shown, record = self._shown, self._record_of()
        if record is not shown.record:
            shown = self._shown = self._shown_of(record, shown)
        return shown

    def _shown_of(self, record: Record, before: _Shown | None) -> _Shown:
        steps = record.steps
        if before is not None and record.line is before.record.line:
            steps = tuple(step for step in steps if step.number > before.record.version)
        if (
            before is None
            or record.line is not before.record.line
            or len(steps) != record.version - before.record.version
        ):
            taken = [(path, each.mount_point, each) for path, each in record.proposals.items()]
            return self._with(_Shown(record, {}, {}, {}), taken)
        moved = [
            (path, either.mount_point, now)
            for step in steps
            for path, (was, now) in step.moves.items()
            if (either := now or was) is not None
        ]
        return self._with(before._replace(record=record), moved)

    def _with(self, shown: _Shown, taken: Sequence[tuple[str, str, Proposal | None]]) -> _Shown:
        """Return other proposals at some paths; None shows the mount's own."""
        proposals, names, paths = dict(shown.proposals), dict(shown.names), dict(shown.paths)
        own: set[str] = set()
        for path, mount_point, proposal in taken:
            host = self.host_path(path, mount_point)
            directory, _, name = host.rpartition(os.sep)
            directory = directory or os.sep
            if directory not in own:
                names[directory] = dict(names.get(directory, {}))
                own.add(directory)
            if proposal is None:
                proposals.pop(host, None)
                names[directory].pop(name, None)
            else:
                proposals[host] = names[directory][name] = proposal
                paths[host] = path
        kept = {directory: inside for directory, inside in names.items() if inside}
        return _Shown(shown.record, proposals, kept, paths)

    @staticmethod
    def _node(shown: _Shown, path: str) -> Node:
        """Return the proposed node of a path that has a proposal."""
        node = shown.proposals[path].after
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "a proposal takes it away")
        return node

    def _require_directory(self, shown: _Shown, path: str) -> None:
        if not stat.S_ISDIR(full_mode(self._node(shown, path))):
            raise NotADirectoryError(errno.ENOTDIR, "it is no directory")

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        """Return the entries of a directory, and at most so many; new ones come last, by name."""
        shown = self._follow()
        proposed = shown.names.get(path, {})
        if path in shown.proposals:
            self._require_directory(shown, path)
        elif not proposed:
            return self.base.entries(path, max_entries)
        found: dict[str, Entry | None] = {}
        for entry in self._below(shown, path, max_entries + len(proposed)):
            found[entry.name] = entry
        for name in sorted(proposed):
            node = proposed[name].after
            found[name] = None if node is None else Entry(name, kind_of(node))
        return [entry for entry in found.values() if entry is not None][:max_entries]

    def _below(self, shown: _Shown, path: str, max_entries: int) -> list[Entry]:
        """Return what the mount has in a directory; nothing if a tool has made the directory.

        A live folder may have got a directory of that name since.
        """
        if path not in shown.proposals:
            return self.base.entries(path, max_entries)
        try:
            return self.base.entries(path, max_entries)
        except (OSError, WorkspaceError):
            return []

    def has_entry(self, directory: str, name: str) -> bool:
        """Tell whether a directory lists an entry of exactly this name."""
        shown = self._follow()
        proposal = shown.names.get(directory, {}).get(name)
        if proposal is not None:
            return proposal.after is not None
        if directory in shown.proposals:
            self._require_directory(shown, directory)
            return any(each.name == name for each in self._below(shown, directory, sys.maxsize))
        return self.base.has_entry(directory, name)

    def hold(self, directory: str) -> AbstractContextManager[int | None]:
        """Keep a directory of a mount open; a proposed one is nowhere."""
        shown = self._follow()
        if directory in shown.proposals:
            self._require_directory(shown, directory)
            return nullcontext()
        return self.base.hold(directory)

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        """Inspect an entry itself, never the target of a link."""
        shown = self._follow()
        proposal = shown.proposals.get(path)
        if proposal is None:
            return self._base_lstat(shown, path, held)
        node = self._node(shown, path)
        seconds = proposal.modified_ns // 1_000_000_000
        size = len(node.content) if isinstance(node, File) else 0
        return os.stat_result(
            (full_mode(node), 0, 0, 1, 0, 0, size, seconds, seconds, seconds),
            {"st_mtime_ns": proposal.modified_ns},
        )

    def _base_lstat(self, shown: _Shown, path: str, held: int | None) -> os.stat_result:
        try:
            return self.base.lstat(path, held)
        except NotADirectoryError:
            above = shown.proposals.get(path.rpartition(os.sep)[0])
            if above is None or not isinstance(above.after, Directory):
                raise
            # The mount has a file where a tool has made a directory.
            raise FileNotFoundError(errno.ENOENT, "no entry has this name") from None

    def modified_times(self, directory: str, names: Sequence[str]) -> list[int | None] | None:
        """Return nanoseconds since 1970 for entries of a directory, or None: ask for each."""
        shown = self._follow()
        if directory in shown.proposals:
            return None
        found = self.base.modified_times(directory, names)
        proposed = shown.names.get(directory)
        if found is None or proposed is None:
            return found
        return [
            time
            if (proposal := proposed.get(name)) is None
            else None
            if proposal.after is None
            else proposal.modified_ns
            for name, time in zip(names, found, strict=True)
        ]

    def sizes_and_times(self, paths: Sequence[str]) -> list[tuple[int, int] | None] | None:
        """Return bytes, and nanoseconds since 1970, of entries, or None: ask for each."""
        shown = self._follow()
        found = self.base.sizes_and_times(paths)
        if found is None or not shown.proposals:
            return found
        return [
            each if (proposal := shown.proposals.get(path)) is None else _size_and_time(proposal)
            for path, each in zip(paths, found, strict=True)
        ]

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        shown = self._follow()
        if path not in shown.proposals:
            return self.base.readlink(path)
        node = self._node(shown, path)
        if not isinstance(node, Link):
            raise OSError(errno.EINVAL, "it is no link")
        return node.target

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading."""
        shown = self._follow()
        if path not in shown.proposals:
            return self.base.open(path)
        node = self._node(shown, path)
        require_regular(full_mode(node))
        self.used.add(shown.paths[path])
        content: Any = io.BytesIO(node.content if isinstance(node, File) else b"")
        return io.BufferedReader(content, BUFFER_BYTES)

    def gather(self, paths: Sequence[str], max_bytes: int) -> Gathered:
        """Return files, from the first, in one buffer; those of the mounts stay one call."""
        shown = self._follow()
        if not (shown.proposals and paths):
            return self.base.gather(paths, max_bytes)
        is_proposed = paths[0] in shown.proposals
        count = next(
            (n for n, path in enumerate(paths) if (path in shown.proposals) != is_proposed),
            len(paths),
        )
        if is_proposed:
            return gather_opened(self.open, paths[:count], max_bytes)
        return self.base.gather(paths[:count], max_bytes)

    def want(self, paths: Sequence[str], max_files: int, max_bytes: int) -> int:
        """Have the host fetch files; return how many of them, from the first, may be read."""
        shown = self._follow()
        own = [index for index, path in enumerate(paths) if path not in shown.proposals]
        count = self.base.want([paths[index] for index in own], max_files, max_bytes)
        return own[count] if count < len(own) else len(paths)


def _size_and_time(proposal: Proposal) -> tuple[int, int] | None:
    node = proposal.after
    if node is None:
        return None
    return len(node.content) if isinstance(node, File) else 0, proposal.modified_ns
