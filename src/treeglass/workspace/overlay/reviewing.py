"""The proposals as a person sees them, and the decisions about them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from treeglass.errors import UnknownChange
from treeglass.workspace.nodes import File, Link, Node
from treeglass.workspace.overlay.changed_path import ChangedPath, Operation, decide, seen_by_person
from treeglass.workspace.overlay.export import unsafe_names
from treeglass.workspace.overlay.hunks import Hunk, diff_of, hunks_of, rejected
from treeglass.workspace.overlay.proposals import Proposals
from treeglass.workspace.overlay.record import Proposal, Record, content_bytes
from treeglass.workspace.overlay.reviewed import (
    Changes,
    Decision,
    PathChange,
    ReviewedDiff,
    ReviewedHunk,
    ReviewedStep,
)

if TYPE_CHECKING:
    from treeglass.workspace.overlay.bases import BaseState

Mark = int | Literal["base", "now"]
"""A point in time: after the step of a number, the mounts alone, or now."""


class _Facts(NamedTuple):
    """The outcome of comparing the files of an operation."""

    operation: Operation
    change: PathChange
    """Of a mount that is as it was, and pending."""
    keys: tuple[str, ...]
    """Those of its hunks."""
    whole: str
    """The key of the change as a whole, until its content changes."""


class _Decided(NamedTuple):
    """The operations of one record since a mark."""

    record: Record
    since: Mark
    operations: tuple[Operation, ...]
    unsafe: tuple[str | None, ...]
    """Why the name of each is not safe to write everywhere."""


class ReviewedProposals(Proposals):
    """The proposals as changes and hunks, each with a person's decision."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: set[str] = set()
        self._facts: dict[str, _Facts] = {}
        self._last_decided: _Decided | None = None

    def changes(self, since: int = 0) -> Changes:
        """Return what differs from the mounts or, since a step, from the tree after it.

        A new directory is an entry only if it is empty.

        Raises:
            UnknownChange: The step is no longer kept, or there was none of that number.
        """
        _, _, operations, names = self._decided(since or "base")
        states = self._states_of(operations)
        return Changes(
            version=self.version,
            entries=tuple(map(self._reviewed, operations, states, names)),
            steps=tuple(
                ReviewedStep.of_step(step) for step in self.record.steps if step.number > since
            ),
        )

    def diff(self, path: str, start: Mark = "base", end: Mark = "now") -> ReviewedDiff:
        """Return how one path changes between two points in time.

        Raises:
            UnknownChange: It does not, or a step is no longer kept.
        """
        operation = self._operation(path, start, end)
        now = self._decided("base")
        unsafe = dict(zip((each.path for each in now.operations), now.unsafe, strict=True))
        state = self._states_of([operation])[0]
        change = self._reviewed(operation, state, unsafe.get(path))
        facts = {name: getattr(change, name) for name in PathChange.__dataclass_fields__}
        hunks = map(self._reviewed_hunk, self._hunks(operation))
        return ReviewedDiff(**facts, hunks=tuple(hunks))

    def keep(
        self, path: str, hunks: Collection[str] | None = None, *, is_kept: bool = True
    ) -> None:
        """Mark a change, or some of its hunks, as wanted, or take the mark away.

        Raises:
            UnknownChange: The path does not differ from its mount.
            UnknownHunk: A key is not one of this path.
            StaleHunk: The lines of a hunk have changed since.
        """
        operation = self._operation(path)
        facts = self._facts_of(operation)
        if hunks is not None:
            self._take_back(operation, hunks)
        marks = {facts.whole, *facts.keys} if hunks is None else {*hunks}
        # A change is not wanted as a whole once a hunk of it is not.
        self._kept = self._kept | marks if is_kept else self._kept - marks - {facts.whole}

    def _between(self, start: Mark, end: Mark) -> list[ChangedPath]:
        before, after = self._marked(start), self._marked(end)
        found = []
        for path in {*before, *after}:
            old, new = before.get(path), after.get(path)
            either = old or new
            base = None if either is None else either.base.node
            found.append(
                ChangedPath(
                    path,
                    base if old is None else old.after,
                    base if new is None else new.after,
                    None if new is None else new.renamed_from,
                )
            )
        return found

    def _marked(self, mark: Mark) -> Mapping[str, Proposal]:
        if mark == "now":
            return self.record.proposals
        try:
            return self.record.at(0 if mark == "base" else mark)
        except KeyError:
            raise UnknownChange(
                f"step {mark} is not kept; the steps that are end with {self.version}, and at "
                f"most {self._limits.max_undo_steps} are kept"
            ) from None

    def _operation(self, path: str, start: Mark = "base", end: Mark = "now") -> Operation:
        found = [each for each in decide(self._between(start, end)) if each.path == path]
        if not found:
            raise UnknownChange(f"{path} does not differ from its mount")
        # Of what takes the place of another kind, the new content counts.
        return found[-1]

    def _hunks(self, operation: Operation) -> tuple[Hunk, ...]:
        if operation.kind != "file":
            return ()
        return hunks_of(*files_of(operation), path=operation.path, checkpoint=go_on)

    def _decided(self, since: Mark) -> _Decided:
        """Return the operations since a mark, worked out once for each record."""
        known = self._last_decided
        if known is not None and known.record is self.record and known.since == since:
            return known
        operations = seen_by_person(decide(self._between(since, "now")))
        found = _Decided(self.record, since, operations, tuple(self._names_of(operations)))
        self._last_decided = found
        paths = {operation.path for operation in operations}
        self._facts = {path: facts for path, facts in self._facts.items() if path in paths}
        return found

    def _facts_of(self, operation: Operation) -> _Facts:
        """Return what a comparison of an operation's files gives, compared once for each pair."""
        known = self._facts.get(operation.path)
        if known is not None and known.operation == operation:
            return known
        change = PathChange(
            path=operation.path,
            operation=operation.name,
            kind=operation.kind,
            renamed_from=operation.origin,
            before_bytes=_size(operation.before),
            after_bytes=_size(operation.after),
        )
        keys: tuple[str, ...] = ()
        if operation.kind == "file":
            diff = diff_of(*files_of(operation), path=operation.path, checkpoint=go_on)
            keys = tuple(hunk.key for hunk in diff.hunks)
            change = replace(
                change,
                added=diff.added,
                removed=diff.removed,
                flags={str(name): text for name, text in diff.flags.items()},
                is_coarse=diff.is_coarse,
            )
        found = _Facts(operation, change, keys, _whole_key(operation))
        self._facts[operation.path] = found
        return found

    def _names_of(self, operations: Sequence[Operation]) -> list[str | None]:
        points = self._workspace.mount_points
        below = {
            each.path: each.path[len(point) + 1 :]
            for each in operations
            if each.after is not None
            for point in points
            if each.path.startswith(f"{point}/")
        }
        unsafe = unsafe_names(below.values())
        return [unsafe.get(below.get(each.path, "")) for each in operations]

    def _reviewed(
        self, operation: Operation, base_state: BaseState, unsafe: str | None
    ) -> PathChange:
        _, change, keys, whole = self._facts_of(operation)
        if base_state != "unchanged":
            change = replace(change, base_state=base_state)
        if unsafe is not None:
            change = replace(change, flags={**change.flags, "name": unsafe})
        if self._kept and (whole in self._kept or self._kept.issuperset(keys or [whole])):
            change = replace(change, decision="kept")
        return change

    def _states_of(self, operations: Sequence[Operation]) -> list[BaseState]:
        """Return how the mounts stand to each operation's paths; the first that changed counts."""
        asked = [each.path for each in operations]
        asked += [each.origin for each in operations if each.origin is not None]
        changed = self.changed_bases(asked)
        return [
            changed.get(each.path) or changed.get(each.origin or "") or "unchanged"
            for each in operations
        ]

    def _reviewed_hunk(self, hunk: Hunk) -> ReviewedHunk:
        decision: Decision = "kept" if hunk.key in self._kept else "pending"
        lines: list[tuple[str, str]] = []
        for sign, line in hunk.lines:
            lines.append((sign, line.decode().removesuffix("\n")))
            if not line.endswith(b"\n"):
                lines.append(("\\", "No newline at end of file"))
        return ReviewedHunk(
            hunk.key,
            hunk.before_start,
            hunk.before_count,
            hunk.after_start,
            hunk.after_count,
            decision,
            tuple(lines),
        )

    def _take_back(self, operation: Operation, keys: Collection[str]) -> bytes | None:
        return rejected(*files_of(operation), keys, path=operation.path, checkpoint=go_on)


def go_on() -> None:
    """Let a comparison go on; the work of one is bounded by itself."""


def files_of(operation: Operation) -> tuple[File | None, File | None]:
    """Return the two files of an operation; None where there is no file."""
    before, after = operation.before, operation.after
    return (
        before if isinstance(before, File) else None,
        after if isinstance(after, File) else None,
    )


def _size(node: Node | None) -> int | None:
    if isinstance(node, Link):
        return len(node.target.encode("utf-8", "surrogatepass"))
    return None if node is None else content_bytes(node)


def _whole_key(operation: Operation) -> str:
    """Return what names a change as a whole, until its content changes."""
    after = operation.after
    content = after.content if isinstance(after, File) else b""
    facts = f"{operation.name}:{getattr(after, 'mode', None)}:{operation.origin}:{operation.path}"
    return f"whole:{hashlib.sha256(content).hexdigest()[:16]}:{facts}"
