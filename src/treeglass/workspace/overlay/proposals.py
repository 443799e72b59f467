"""The steps that lead to what is proposed: what calls commit, and what a person takes back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from treeglass.errors import (
    ChangeRefused,
    PathEscapesWorkspace,
    WorkspaceError,
)
from treeglass.workspace.limits import Limits
from treeglass.workspace.nodes import Change, Directory, File
from treeglass.workspace.overlay.bases import Bases, BaseState, told_states
from treeglass.workspace.overlay.layer import OverlaidFileSystem
from treeglass.workspace.overlay.record import Moves, Proposal, Record, Step

if TYPE_CHECKING:
    from treeglass.workspace.entries import Status
    from treeglass.workspace.gate import ResolvedPath
    from treeglass.workspace.host import HostFileSystem
    from treeglass.workspace.mounts import Mount


class ServedWorkspace(Protocol):
    """The part of the workspace that the proposals need."""

    @property
    def mount_points(self) -> tuple[str, ...]:
        """The virtual paths of the mounts."""
        ...

    def resolve(self, text: str, *, strict: bool = True) -> ResolvedPath:
        """Return the path that a text names."""
        ...

    def status(self, path: ResolvedPath) -> Status:
        """Inspect one path itself."""
        ...


class Proposals:
    """The proposals of one session: commits, undo and redo, and the state of the mounts.

    A call's changes are committed in one step, or none of them is. A mount is only read.
    Every attribute is replaced and never changed inside, so a copy of `vars` is a way back.
    Two threads may commit at the same time.
    """

    def __init__(
        self, limits: Limits | None = None, *, clock: Callable[[], int] = time.time_ns
    ) -> None:
        self._limits = limits or Limits()
        self._clock = clock
        self._lock = Lock()
        self.record = Record(limits=self._limits)
        self.seen: dict[str, dict[str, Any]] = {}
        """By family: what its calls have left for later ones."""

    @property
    def version(self) -> int:
        """The number of the last step; every change of a proposal makes one."""
        return self.record.version

    def layer_over(self, mounts: Sequence[Mount], base: HostFileSystem) -> OverlaidFileSystem:
        """Return the filesystem that shows the proposals over mounts, now and after each step."""
        return OverlaidFileSystem(base, lambda: self.record, mounts)

    def serve(self, workspace: ServedWorkspace, layer: OverlaidFileSystem) -> None:
        """Let the next operations be those of a workspace, through its layer."""
        self._workspace, self._layer = workspace, layer
        self._bases = Bases(layer.base, layer.host_path, self._limits)

    @property
    def is_incomplete(self) -> bool:
        """True if the host runs the call again, since content has not arrived."""
        return self._layer.is_incomplete()

    def next_ns(self, now_ms: int | None = None) -> int:
        """Return the time that the next step gives to its files."""
        return self.record.next_ns(self._now_ns(now_ms))

    def commit(
        self,
        changes: Sequence[Change],
        *,
        since: Record,
        modified_ns: int,
        name: str,
        group: str | None = None,
    ) -> bool:
        """Record what a call proposes, whole; tell whether it was recorded.

        It is not if the record is another one than `since`, when the call began: then the call has
        to run again. A path that no longer leads where it led, and a ceiling, are a
        `WorkspaceError`.
        """
        with self._lock:
            if self.record is not since:
                return False
            moves: Moves = {}
            for change in changes:
                now = self._proposal(change, modified_ns)
                if now is not None:
                    was = self.record.proposals.get(change.path.virtual)
                    moves[change.path.virtual] = (was, None if now.is_nothing else now)
            if moves:
                self.record = self.record.with_step(moves, by="tool", name=name, group=group)
            return True

    def _proposal(self, change: Change, modified_ns: int) -> Proposal | None:
        """Return what a change makes of its path; None for a directory that is there already."""
        host = self._require_same_place(change)
        was = self.record.proposals.get(change.path.virtual)
        base = was.base if was is not None else self._bases.at(host)
        is_made = isinstance(change.after, Directory)
        if is_made and (was.after if was is not None else base.node) == change.after:
            return None
        origin = change.renamed_from and self._origin(change.renamed_from.virtual)
        if origin is None and was is not None and change.after is not None:
            origin = was.renamed_from
        mount_point = self._mount_of(change.path.virtual)
        return Proposal(base, change.after, modified_ns, mount_point, origin)

    def _mount_of(self, path: str) -> str:
        points = self._workspace.mount_points
        return next(point for point in points if path.startswith(f"{point}/"))

    def _origin(self, path: str) -> str:
        """Return where the file at a path came from, if that was a proposal too."""
        earlier = self.record.proposals.get(path)
        if earlier is not None and earlier.base.node is None and earlier.renamed_from is not None:
            return earlier.renamed_from
        return path

    def _require_same_place(self, change: Change) -> str:
        """Return the host path of a change, after the gate was asked once more."""
        path = change.path
        above, _, name = path.virtual.rpartition("/")
        parent = self._workspace.resolve(above or "/", strict=False)
        if path.host is None or parent.host is None or parent.virtual != above:
            raise PathEscapesWorkspace
        if self._layer.is_mounted_twice(path.host):
            # One file of two paths would be two changes with one base.
            raise ChangeRefused(path.virtual, "its folder is mounted at another path, too")
        if os.path.join(parent.host, name) != path.host:
            raise PathEscapesWorkspace
        if isinstance(change.after, File) and self._is_link(path):
            raise PathEscapesWorkspace
        return path.host

    def _is_link(self, path: ResolvedPath) -> bool:
        try:
            return self._workspace.status(path).kind == "symlink"
        except WorkspaceError:
            return False

    def remember(self, family: str, seen: Mapping[str, Any]) -> None:
        """Keep what a call leaves for later calls of its family; None forgets a key."""
        kept = {**self.seen.get(family, {})}
        for key, value in seen.items():
            kept.pop(key, None)
            if value is not None:
                kept[key] = value
        while len(kept) > self._limits.max_seen_keys:
            del kept[next(iter(kept))]
        self.seen = {**self.seen, family: kept}

    def take_back(self, now_ms: int | None = None) -> Step | None:
        """Take back the last step that was not taken back, by a step of its own; None without one.

        Steps in a mount that is no longer there are passed over.
        """
        with self._lock:
            done = self._of_mounts(self.record.done)
            return self._step_to(replace(self.record, done=done).undone_once(self._now_ns(now_ms)))

    def bring_back(self, now_ms: int | None = None) -> Step | None:
        """Bring back what was taken last, by a step of its own; None if there is nothing."""
        with self._lock:
            undone = self._of_mounts(self.record.undone)
            record = replace(self.record, undone=undone)
            return self._step_to(record.redone_once(self._now_ns(now_ms)))

    def _of_mounts(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Return the steps whose paths lie in the mounts that are there still."""
        points = set(self._workspace.mount_points)
        return tuple(
            step
            for step in steps
            if all(
                each is None or each.mount_point in points
                for both in step.moves.values()
                for each in both
            )
        )

    def _now_ns(self, now_ms: int | None) -> int:
        return self._clock() if now_ms is None else now_ms * 1_000_000

    def _step_to(self, record: Record | None) -> Step | None:
        if record is None:
            return None
        self.record = record
        return record.steps[-1]

    def decide(
        self,
        wanted: Mapping[str, Proposal | None],
        name: str,
        *,
        since: Record,
        now_ms: int | None = None,
    ) -> bool:
        """Record a person's step towards other proposals, by path; as `commit` else."""
        with self._lock:
            if self.record is not since:
                return False
            moves = self.record.towards(wanted, self.next_ns(now_ms))
            self.record = self.record.with_step(moves, by="person", name=name)
            return True

    def discard(self) -> None:
        """Forget all proposals, steps, and what calls have left for later ones."""
        with self._lock:
            # A call that runs now must not commit what it planned on the old tree.
            self.record = Record(limits=self._limits, version=self.record.version + 1)
            self.seen = {}

    def changed_bases(self, paths: Iterable[str]) -> dict[str, BaseState]:
        """Return the changed paths whose mounts differ from what was recorded, and how."""
        return self._bases.changed_states(paths, self.record.proposals)

    def take_warnings(self) -> tuple[str, ...]:
        """Return a sentence for each proposed file that was read and whose mount has changed."""
        used, self._layer.used = self._layer.used, set()
        return told_states(self.changed_bases(sorted(used)))
