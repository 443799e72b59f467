"""The entries of a directory to pack, and those that have to be left out."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO, Literal, NamedTuple

from treeglass.errors import HostFault, LimitExceeded, PackFailed, PermissionDenied, WorkspaceError
from treeglass.escaping import escape_path
from treeglass.pack.gitignore import IgnoreRules
from treeglass.utf8 import is_encodable
from treeglass.workspace import Entry, ResolvedPath, Status, Workspace
from treeglass.workspace.limits import MAX_SYMLINKS

_CHUNK_BYTES = 1024 * 1024


class LeftOut(NamedTuple):
    """An entry that a packed tree lacks without having been excluded."""

    path: str
    """Below the packed directory, with invalid bytes as lone surrogates."""
    reason: str


class PackedEntry(NamedTuple):
    """One entry to pack."""

    path: str
    """Below the packed directory; valid UTF-8."""
    kind: Literal["file", "directory", "symlink"]
    """A directory is an entry of its own only if it is empty."""
    at: ResolvedPath
    target: str = ""
    """The target of a symbolic link as it is written, with slashes."""


class OpenedFile(NamedTuple):
    """A file that is being packed."""

    size_bytes: int
    chunks: Iterator[bytes]
    """Exactly that many bytes, or `PackFailed`."""


class PackedTree:
    """The entries of a directory, in the order of the UTF-8 bytes of their paths.

    A limit, or a `.gitignore` that cannot be read, is `PackFailed`.
    """

    def __init__(
        self,
        workspace: Workspace,
        directory: str,
        exclude: Callable[[str], bool],
        *,
        gitignore: bool,
    ) -> None:
        self._workspace = workspace
        self._exclude = exclude
        self._top = workspace.resolve(directory)
        self.entries: list[PackedEntry] = []
        """The entries to pack; a file may still turn out to be unreadable."""
        self.left_out: list[LeftOut] = []
        """The entries left out so far, in no order."""
        self.opened_files = 0
        self.opened_bytes = 0
        self._collect(IgnoreRules(workspace) if gitignore else None)
        # The order of code points is the order of UTF-8 bytes.
        self.entries.sort(key=lambda entry: entry.path)

    @contextmanager
    def open(self, entry: PackedEntry) -> Iterator[OpenedFile | None]:
        """Open a file for packing; None, and it is left out, if the host refuses.

        `PackFailed` says that it has changed since it was listed, also while its chunks are read.
        """
        try:
            status = self._workspace.status(entry.at)
            content = self._workspace.open(entry.at)
        except (PermissionDenied, HostFault) as error:
            self._leave_out(entry.path, str(error))
            yield None
            return
        except WorkspaceError:
            raise _changed(entry) from None
        self.opened_files += 1
        self.opened_bytes += status.size_bytes
        with content:
            yield OpenedFile(status.size_bytes, self._chunks(entry, content, status))

    def _chunks(self, entry: PackedEntry, content: BinaryIO, status: Status) -> Iterator[bytes]:
        left_bytes = status.size_bytes
        try:
            # One byte more than the size, to notice a file that has grown.
            while chunk := content.read(min(left_bytes + 1, _CHUNK_BYTES)):
                left_bytes -= len(chunk)
                if left_bytes < 0:
                    raise _changed(entry)
                yield chunk
            status_now = self._workspace.status(entry.at)
        except OSError as error:
            raise PackFailed(f"cannot read {escape_path(entry.path)}: {error.strerror}") from None
        except WorkspaceError:
            raise _changed(entry) from None
        if left_bytes or status_now != status:
            raise _changed(entry)

    def _leave_out(self, path: str, reason: str) -> None:
        self.left_out.append(LeftOut(path, reason))

    def _collect(self, rules: IgnoreRules | None) -> None:
        left_entries = ceiling = self._workspace.limits.max_walk_entries
        pending = [("", self._top, rules)]
        while pending:
            prefix, directory, rules = pending.pop()
            entries = self._scan(prefix, directory)
            if entries is None:
                continue
            left_entries -= len(entries)
            if left_entries < 0:
                raise PackFailed(str(LimitExceeded("max_walk_entries", ceiling)))
            entries = [entry for entry in entries if not self._exclude(prefix + entry.name)]
            if prefix and not entries:
                self.entries.append(PackedEntry(prefix[:-1], "directory", directory))
            if rules is not None:
                rules = rules.below(directory, prefix, entries)
            for entry in entries:
                if rules is not None and rules.leave_out(prefix, entry):
                    continue
                at = self._workspace.enter(directory, entry)
                if self._examine(prefix + entry.name, at, entry):
                    pending.append((f"{prefix}{entry.name}/", at, rules))

    def _scan(self, prefix: str, directory: ResolvedPath) -> list[Entry] | None:
        try:
            return self._workspace.scan(directory)
        except LimitExceeded as reached:
            raise PackFailed(f"{escape_path(prefix) or '.'}: {reached}") from None
        except WorkspaceError as error:
            if not prefix:
                raise
            self._leave_out(prefix[:-1], str(error))
            return None

    def _examine(self, path: str, at: ResolvedPath, entry: Entry) -> bool:
        """Note an entry as packed or left out; tell whether to list it as a directory."""
        if not is_encodable(path):
            self._leave_out(path, "its name is not UTF-8")
        elif entry.kind is None:
            self._leave_out(path, str(entry.fault))
        elif entry.kind == "other":
            self._leave_out(path, "neither a file nor a directory nor a symbolic link")
        elif entry.kind == "file":
            self.entries.append(PackedEntry(path, "file", at))
        elif entry.kind == "symlink":
            self._examine_link(path, at)
        return entry.kind == "directory" and is_encodable(path)

    def _examine_link(self, path: str, at: ResolvedPath) -> None:
        try:
            target = self._workspace.read_link(at)
        except WorkspaceError as error:
            self._leave_out(path, str(error))
            return
        if not is_encodable(target):
            self._leave_out(path, "its target is not UTF-8")
        elif self._leads_out(path, target):
            self._leave_out(path, "it leads out of the packed directory")
        else:
            self.entries.append(PackedEntry(path, "symlink", at, target.replace(os.sep, "/")))

    def _leads_out(self, path: str, target: str) -> bool:
        """Tell whether a link climbs out, even to come back: a page mounts it somewhere else."""
        passed = [self._top]
        pending = deque([*path.split("/")[:-1], *_steps(target)])
        links_left = MAX_SYMLINKS
        while pending:
            step = pending.popleft()
            if step == "..":
                passed.pop()
            elif step == "/":
                passed.clear()
            elif step not in {"", "."}:
                at = self._workspace.enter(passed[-1], Entry(step, None))
                link = self._link_at(at)
                if link is None:
                    passed.append(at)
                elif links_left:
                    links_left -= 1
                    pending.extendleft(reversed(_steps(link)))
                else:
                    # A loop. Linux does not resolve it, but some systems treat
                    # such a link as a directory.
                    return ".." in pending
            if not passed:
                return True
        return False

    def _link_at(self, at: ResolvedPath) -> str | None:
        try:
            return self._workspace.read_link(at)
        except WorkspaceError:
            return None


def _steps(target: str) -> list[str]:
    """Return the names of a link's target; `/` is the host's own root."""
    names = target.replace(os.sep, "/").split("/")
    return ["/"] if not names[0] or PurePath(target).is_absolute() else names


def _changed(entry: PackedEntry) -> PackFailed:
    return PackFailed(
        f"{escape_path(entry.path)} changed while it was packed: "
        "pack again when nothing writes to the directory"
    )
