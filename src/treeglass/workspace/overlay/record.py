"""The record: which paths differ from the mounts, and the steps that led there.

A step is the value that undoes itself: for each path it holds the proposal before and after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from treeglass.workspace.nodes import File

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treeglass.workspace.limits import Limits
    from treeglass.workspace.nodes import Node

By = Literal["tool", "person"]


@dataclass(frozen=True, slots=True)
class Base:
    """What a mount had at a path when the path was first changed."""

    node: Node | None
    """None if nothing was there."""
    size_bytes: int = 0
    modified_ns: int = 0
    """Nanoseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed at one path."""

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
        """Whether there is nothing at the path, and there was nothing."""
        return self.base.node is None and self.after is None

    @property
    def is_change(self) -> bool:
        """Whether the path differs from its mount."""
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
    """What the host calls a turn; None if it did not say."""
    moves: Moves
    of: int | None = None
    """The step that an `undo` takes back, or that a `redo` brings back."""

    @property
    def held_bytes(self) -> int:
        """Bytes that only an undo of this step needs."""
        return sum(content_bytes(was.after) for was, _ in self.moves.values() if was is not None)


class Record:
    """Proposals by virtual path, and the steps, within the limits of a workspace."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.proposals: dict[str, Proposal] = {}
        self.steps: list[Step] = []
        """The steps that are kept; their numbers go up by one."""
        self.version = 0
        """The number of the last step."""
        self.last_ns = 0
        """The latest time that a proposal has got."""
        self._proposal_bytes = 0
        self._step_bytes = 0

    def next_ns(self, now_ns: int) -> int:
        """Return the time of the next step: whole milliseconds, later than any before."""
        millisecond = 1_000_000
        return max(now_ns // millisecond * millisecond, self.last_ns + millisecond)

    def append(
        self,
        moves: Moves,
        *,
        by: By,
        name: str,
        group: str | None = None,
        of: int | None = None,
    ) -> Step:
        """Apply a step whole, or nothing of it.

        Raises:
            LimitExceeded: There would be too many entries, or they would hold too many bytes.
        """
        step = Step(self.version + 1, by, name, group, moves, of)
        held = self._proposal_bytes + sum(
            (0 if now is None else now.held_bytes) - (0 if was is None else was.held_bytes)
            for was, now in moves.values()
        )
        count = len(self.proposals) + sum(
            (now is not None) - (was is not None) for was, now in moves.values()
        )
        self._limits.require("max_proposal_entries", count)
        self._limits.require("max_proposal_bytes", held + step.held_bytes)
        self._proposal_bytes = held
        for path, (_, now) in moves.items():
            if now is None:
                self.proposals.pop(path, None)
            else:
                self.proposals[path] = now
                self.last_ns = max(self.last_ns, now.modified_ns)
        self.steps.append(step)
        self.version = step.number
        self._step_bytes += step.held_bytes
        self._forget_old_steps()
        return step

    def restore(
        self,
        *,
        proposals: Mapping[str, Proposal],
        steps: Sequence[Step],
        version: int,
        last_ns: int,
    ) -> None:
        """Take over what another record held; this one is empty.

        Raises:
            LimitExceeded: There are too many entries, or they hold too many bytes.
            ValueError: The steps do not lead to the version.
        """
        held = sum(each.held_bytes for each in proposals.values())
        self._limits.require("max_proposal_entries", len(proposals))
        self._limits.require("max_proposal_bytes", held)
        if [step.number for step in steps] != [*range(version - len(steps) + 1, version + 1)]:
            message = "the steps do not lead to the version"
            raise ValueError(message)
        self.proposals, self.steps = dict(proposals), list(steps)
        self.version, self.last_ns = version, last_ns
        self._proposal_bytes = held
        self._step_bytes = sum(step.held_bytes for step in steps)
        self._forget_old_steps()

    def _forget_old_steps(self) -> None:
        most_steps, most_bytes = self._limits.max_undo_steps, self._limits.max_proposal_bytes
        while len(self.steps) > most_steps or (
            self._proposal_bytes + self._step_bytes > most_bytes and len(self.steps) > 1
        ):
            self._step_bytes -= self.steps.pop(0).held_bytes

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
        """Return the proposals as they were after a step; 0 is the mounts alone.

        Raises:
            KeyError: A step after it is no longer kept.
        """
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
