"""The record: which paths differ from the mounts, and the steps that led there.

A step is the value that undoes itself: for each path it holds the proposal before and after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from treeglass.workspace.nodes import File, Node

if TYPE_CHECKING:
    from treeglass.workspace.limits import Limits

By = Literal["tool", "person"]


@dataclass(frozen=True, slots=True)
class Base:
    """The content of a path in its mount, before the first change."""

    node: Node | None
    """None if nothing was there."""
    size_bytes: int = 0
    modified_ns: int = 0
    """Nanoseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposal for one path."""

    base: Base
    after: Node | None
    """None if it is gone."""
    modified_ns: int
    """The time of the proposed node: nanoseconds since 1970, whole milliseconds."""
    mount_point: str
    """The mount that the path lies in."""
    renamed_from: str | None = None
    """The virtual path that the file was moved away from, if a tool moved it."""

    @property
    def held_bytes(self) -> int:
        """Bytes of the base and of the proposed content."""
        return content_bytes(self.base.node) + content_bytes(self.after)

    @property
    def is_nothing(self) -> bool:
        """True if there is nothing at the path, and there was nothing."""
        return self.base.node is None and self.after is None

    @property
    def is_change(self) -> bool:
        """True if the path differs from its mount."""
        return self.base.node != self.after


Moves = dict[str, tuple["Proposal | None", "Proposal | None"]]
"""By path: the proposal before a step, and the one after it. None is the mount's own."""


@dataclass(frozen=True, slots=True)
class Step:
    """One committed call, or one decision of a person."""

    number: int
    """Counts from 1."""
    by: By
    name: str
    """The tool's name; of a person's step, what it was: `reject`, `undo`, `redo`."""
    group: str | None
    """The host's name of the turn; None if it gave no name."""
    moves: Moves
    of: int | None = None
    """The step that an `undo` takes back, or that a `redo` brings back."""

    @property
    def held_bytes(self) -> int:
        """Bytes that only an undo of this step needs."""
        return sum(
            was.held_bytes if now is None else content_bytes(was.after)
            for was, now in self.moves.values()
            if was is not None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Proposals by virtual path and the steps that led to them, as one value.

    A step gives another record, so that a call that is stopped in between leaves the one before.
    """

    limits: Limits
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    """The steps that are kept; their numbers go up by one."""
    version: int = 0
    """The number of the last step."""
    last_ns: int = 0
    """The latest time that a proposal has got."""
    done: tuple[Step, ...] = ()
    """The steps that an undo takes back, the last one first."""
    undone: tuple[Step, ...] = ()
    """The undos that a redo takes back, the last one first."""
    line: object = field(default_factory=object)
    """The same for all records that steps have made of one another."""
    proposal_bytes: int = 0
    """Bytes that the proposals hold."""

    def next_ns(self, now_ns: int) -> int:
        """Return the time of the next step: whole milliseconds, later than any before."""
        millisecond = 1_000_000
        return max(now_ns // millisecond * millisecond, self.last_ns + millisecond)

    def with_step(self, moves: Moves, *, by: By, name: str, group: str | None = None) -> Record:
        """Return the record after a step that `undone_once` takes back, within the limits."""
        step = Step(self.version + 1, by, name, group, moves)
        return self._with(step, done=(*self.done, step), undone=())

    def undone_once(self, now_ns: int) -> Record | None:
        """Return the record after a step that takes the last step back; None without one."""
        if not self.done:
            return None
        *done, last = self.done
        step = self._back(last, "undo", now_ns)
        return self._with(step, done=tuple(done), undone=(*self.undone, step))

    def redone_once(self, now_ns: int) -> Record | None:
        """Return the record after a step that takes the last undo back; None without one."""
        if not self.undone:
            return None
        *undone, last = self.undone
        step = self._back(last, "redo", now_ns)
        return self._with(step, done=(*self.done, step), undone=tuple(undone))

    def _back(self, last: Step, name: str, now_ns: int) -> Step:
        wanted = {path: was for path, (was, _) in last.moves.items()}
        moves = self.towards(wanted, self.next_ns(now_ns))
        return Step(self.version + 1, "person", name, None, moves, last.number)

    def _with(self, step: Step, *, done: tuple[Step, ...], undone: tuple[Step, ...]) -> Record:
        proposals = dict(self.proposals)
        held, last_ns = self.proposal_bytes, self.last_ns
        for path, (was, now) in step.moves.items():
            held += (0 if now is None else now.held_bytes) - (0 if was is None else was.held_bytes)
            if now is None:
                proposals.pop(path, None)
            else:
                proposals[path] = now
                last_ns = max(last_ns, now.modified_ns)
        self.limits.require("max_proposal_entries", len(proposals))
        self.limits.require("max_proposal_bytes", held + step.held_bytes)
        steps = self._kept((*self.steps, step), held)
        first = steps[0].number
        return replace(
            self,
            proposals=proposals,
            steps=steps,
            version=step.number,
            last_ns=last_ns,
            done=tuple(each for each in done if each.number >= first),
            undone=tuple(each for each in undone if each.number >= first),
            proposal_bytes=held,
        )

    def _kept(self, steps: tuple[Step, ...], held: int) -> tuple[Step, ...]:
        """Return the last steps that the limits leave room for, and the last one in any case."""
        kept = steps[-self.limits.max_undo_steps :]
        left = self.limits.max_proposal_bytes - held - sum(step.held_bytes for step in kept)
        start = 0
        while left < 0 and start < len(kept) - 1:
            left += kept[start].held_bytes
            start += 1
        return kept[start:]

    def towards(self, wanted: Mapping[str, Proposal | None], modified_ns: int) -> Moves:
        """Return the moves from what is proposed now to other proposals, by path."""
        return {
            path: (
                self.proposals.get(path),
                None if other is None else replace(other, modified_ns=modified_ns),
            )
            for path, other in wanted.items()
        }

    def at(self, step_number: int) -> Mapping[str, Proposal]:
        """Return the proposals as they were after a step that is kept; 0 is the mounts alone."""
        if step_number == 0:
            return {}
        if step_number > self.version or step_number < self.version - len(self.steps):
            raise KeyError(step_number)
        found = dict(self.proposals)
        for step in reversed(self.steps):
            if step.number <= step_number:
                break
            for path, (was, _) in step.moves.items():
                if was is None:
                    found.pop(path, None)
                else:
                    found[path] = was
        return found


def content_bytes(node: Node | None) -> int:
    """Return the bytes that a node holds."""
    return len(node.content) if isinstance(node, File) else 0
