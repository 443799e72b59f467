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
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from treeglass.errors import WorkspaceInvalid
from treeglass.workspace.entries import Entry
from treeglass.workspace.host import BUFFER_BYTES, Gathered, gather_opened, require_regular
from treeglass.workspace.nodes import DIRECTORY_MODE, File, Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from treeglass.workspace.entries import EntryKind
    from treeglass.workspace.host import HostEntry, HostFileSystem
    from treeglass.workspace.mounts import Mount
    from treeglass.workspace.nodes import Node
    from treeglass.workspace.overlay.record import Proposal, Record


class OverlaidFileSystem:
    """The proposals over another filesystem.

    Args:
        base: The filesystem of the mounts; nothing of it is ever written.
        record_of: Returns the record, which may be another one later.
        mounts: The mounts of the workspace that asks.

    Raises:
        WorkspaceInvalid: A proposal lies in none of the mounts, or in another one than before.
    """

    def __init__(
        self, base: HostFileSystem, record_of: Callable[[], Record], mounts: Sequence[Mount]
    ) -> None:
        self.base = base
        self._record_of = record_of
        self._mounts = tuple(mounts)
        self.used: set[str] = set()
        """The virtual paths of proposed files that were opened since the set was last emptied."""
        self._take_all(record_of())

    @property
    def keeps_permissions(self) -> bool:
        """Whether the mounts keep the permissions of their files."""
        return self.base.keeps_permissions

    def host_path(self, path: str, mount_point: str) -> str:
        """Return where a virtual path is on the host.

        Raises:
            WorkspaceInvalid: Its mount is no longer there.
        """
        for mount in self._mounts:
            if "/" + "/".join(mount.point) == mount_point:
                return os.path.join(mount.host, *path[len(mount_point) + 1 :].split("/"))
        raise WorkspaceInvalid(
            f"{path} has proposed changes, and {mount_point} is not mounted; mount it, or discard "
            "the changes"
        )

    def _take_all(self, record: Record) -> None:
        self._record = record
        self._proposals: dict[str, Proposal] = {}
        self._names: dict[str, dict[str, Proposal]] = {}
        self._paths: dict[str, str] = {}
        for path, proposal in record.proposals.items():
            self._take(path, proposal.mount_point, proposal)

    def _follow(self) -> None:
        """Take what the record has become since the last operation."""
        record = self._record_of()
        if record is self._record:
            return
        before = self._record.version
        steps = [step for step in record.steps if step.number > before]
        if record.line is not self._record.line or len(steps) != record.version - before:
            self._take_all(record)
            return
        self._record = record
        for step in steps:
            for path, (was, now) in step.moves.items():
                proposal = now or was
                if proposal is not None:
                    self._take(path, proposal.mount_point, now)

    def _take(self, path: str, mount_point: str, proposal: Proposal | None) -> None:
        host = self.host_path(path, mount_point)
        directory, _, name = host.rpartition(os.sep)
        names = self._names.setdefault(directory or os.sep, {})
        if proposal is None:
            self._proposals.pop(host, None)
            names.pop(name, None)
        else:
            self._proposals[host] = names[name] = proposal
            self._paths[host] = path
        if not names:
            del self._names[directory or os.sep]

    def _node(self, path: str) -> Node:
        """Return the proposed node of a path that has a proposal."""
        node = self._proposals[path].after
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "a proposal takes it away")
        return node

    def scandir(self, path: str) -> AbstractContextManager[Iterator[HostEntry]]:
        """Open a directory for listing."""
        self._follow()
        if path not in self._names and path not in self._proposals:
            return self.base.scandir(path)
        return self._scanned(path)

    def _scanned(self, path: str) -> AbstractContextManager[Iterator[HostEntry]]:
        proposed = self._names.get(path, {})
        made = [
            _ProposedEntry(name, proposal.after)
            for name, proposal in proposed.items()
            if proposal.after is not None
        ]
        if path in self._proposals:
            self._require_directory(path)
            return nullcontext(iter(made))
        with self.base.scandir(path) as found:
            kept = [entry for entry in found if entry.name not in proposed]
        return nullcontext(iter([*kept, *made]))

    def _require_directory(self, path: str) -> None:
        if not stat.S_ISDIR(_mode(self._node(path))):
            raise NotADirectoryError(errno.ENOTDIR, "it is no directory")

    def entries(self, path: str, max_entries: int) -> list[Entry]:
        """Return the entries of a directory, and at most so many; proposed ones come last."""
        self._follow()
        proposed = self._names.get(path)
        if path in self._proposals:
            self._require_directory(path)
            kept: list[Entry] = []
        else:
            kept = self.base.entries(path, max_entries)
            if proposed is None:
                return kept
            kept = [entry for entry in kept if entry.name not in proposed]
        made = [
            Entry(name, _kind(proposal.after))
            for name, proposal in (proposed or {}).items()
            if proposal.after is not None
        ]
        return [*kept, *made][:max_entries]

    def hold(self, directory: str) -> AbstractContextManager[int | None]:
        """Keep a directory of a mount open; a proposed one is nowhere."""
        self._follow()
        if directory in self._proposals:
            self._require_directory(directory)
            return nullcontext()
        return self.base.hold(directory)

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        """Inspect an entry itself, never the target of a link."""
        self._follow()
        proposal = self._proposals.get(path)
        if proposal is None:
            return self.base.lstat(path, held)
        node = self._node(path)
        seconds = proposal.modified_ns // 1_000_000_000
        size = len(node.content) if isinstance(node, File) else 0
        return os.stat_result(
            (_mode(node), 0, 0, 1, 0, 0, size, seconds, seconds, seconds),
            {"st_mtime_ns": proposal.modified_ns},
        )

    def modified_times(self, directory: str, names: Sequence[str]) -> list[int | None] | None:
        """Return nanoseconds since 1970 for entries of a directory, or None: ask for each."""
        return self._of_each(
            self.base.modified_times, directory, names, lambda proposal: proposal.modified_ns
        )

    def sizes(self, directory: str, names: Sequence[str]) -> list[int | None] | None:
        """Return the sizes in bytes of entries of a directory, or None: ask for each."""
        return self._of_each(
            self.base.sizes,
            directory,
            names,
            lambda proposal: len(proposal.after.content) if isinstance(proposal.after, File) else 0,
        )

    def _of_each(
        self,
        ask: Callable[[str, Sequence[str]], list[int | None] | None],
        directory: str,
        names: Sequence[str],
        of_proposal: Callable[[Proposal], int],
    ) -> list[int | None] | None:
        self._follow()
        if directory in self._proposals:
            return None
        found = ask(directory, names)
        proposed = self._names.get(directory)
        if found is None or proposed is None:
            return found
        return [
            value
            if (proposal := proposed.get(name)) is None
            else None
            if proposal.after is None
            else of_proposal(proposal)
            for name, value in zip(names, found, strict=True)
        ]

    def readlink(self, path: str) -> str:
        """Return the target of a symbolic link."""
        self._follow()
        if path not in self._proposals:
            return self.base.readlink(path)
        node = self._node(path)
        if not isinstance(node, Link):
            raise OSError(errno.EINVAL, "it is no link")
        return node.target

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading."""
        self._follow()
        if path not in self._proposals:
            return self.base.open(path)
        node = self._node(path)
        require_regular(_mode(node))
        self.used.add(self._paths[path])
        content: Any = io.BytesIO(node.content if isinstance(node, File) else b"")
        return io.BufferedReader(content, BUFFER_BYTES)

    def gather(self, paths: Sequence[str], max_bytes: int) -> Gathered:
        """Return files, from the first, in one buffer; those of the mounts stay one call."""
        self._follow()
        if not self._proposals:
            return self.base.gather(paths, max_bytes)
        is_proposed = paths[0] in self._proposals
        count = next(
            (n for n, path in enumerate(paths) if (path in self._proposals) != is_proposed),
            len(paths),
        )
        if is_proposed:
            return gather_opened(self.open, paths[:count], max_bytes)
        return self.base.gather(paths[:count], max_bytes)

    def want(self, paths: Sequence[str], max_files: int, max_bytes: int) -> int:
        """Have the host fetch files; return how many of them, from the first, may be read."""
        self._follow()
        own = [index for index, path in enumerate(paths) if path not in self._proposals]
        count = self.base.want([paths[index] for index in own], max_files, max_bytes)
        return own[count] if count < len(own) else len(paths)


class _ProposedEntry(NamedTuple):
    """A proposed node as `os.scandir` would yield it."""

    name: str
    node: Node

    def is_symlink(self) -> bool:
        return isinstance(self.node, Link)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002  # no tool makes a link
        return _kind(self.node) == "directory"

    def is_file(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002  # no tool makes a link
        return isinstance(self.node, File)


def _kind(node: Node | None) -> EntryKind:
    if isinstance(node, File):
        return "file"
    return "symlink" if isinstance(node, Link) else "directory"


def _mode(node: Node) -> int:
    if isinstance(node, File):
        return stat.S_IFREG | node.mode
    return stat.S_IFLNK | 0o777 if isinstance(node, Link) else stat.S_IFDIR | DIRECTORY_MODE
