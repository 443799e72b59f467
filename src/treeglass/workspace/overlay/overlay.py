"""The changes that tools propose, and the decisions of a person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeglass.errors import StateInvalid, UnknownChange, WorkspaceError
from treeglass.workspace.nodes import Directory, File
from treeglass.workspace.overlay import state
from treeglass.workspace.overlay.changed_path import ChangedPath, Operation, decide
from treeglass.workspace.overlay.export import archive, manifest
from treeglass.workspace.overlay.patch import patch
from treeglass.workspace.overlay.reviewed import ReviewedStep
from treeglass.workspace.overlay.reviewing import ReviewedProposals, go_on

if TYPE_CHECKING:
    from treeglass.workspace.overlay.record import Proposal, Step


_MAX_NOTES = 1_000
"""Notes that are kept until a host takes them; the last ones count."""


class Overlay(ReviewedProposals):
    r"""The proposals of one session, and a person's decisions about them.

    `Workspace.overlay` makes one. A *change* is a path whose proposed content differs from its
    mount, a *hunk* a run of changed lines of one file, a *step* one committed call or one
    decision, a *group* what a host calls a turn.

    Example:
        >>> import tempfile, pathlib
        >>> from treeglass import Config, ToolRegistry, Workspace
        >>> folder = tempfile.mkdtemp()
        >>> _ = pathlib.Path(folder, "a.txt").write_text("old\n")
        >>> workspace = Workspace({"/repo": folder})
        >>> tools = {"offered": ["Write"], "approval": {"mode": "auto"}}
        >>> registry = ToolRegistry(workspace, Config.from_object({"tools": tools}))
        >>> registry.call_tool("Write", {"path": "a.txt", "content": "new\n"}).is_error
        False
        >>> [(each.path, each.operation) for each in workspace.overlay.changes().entries]
        [('/repo/a.txt', 'modify')]
        >>> print(workspace.overlay.export_patch().decode())
        diff --git a/a.txt b/a.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1 +1 @@
        -old
        +new
        <BLANKLINE>
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._notes: list[str] = []
        self._unexplained: dict[int, str] = {}

    def reject(
        self,
        path: str,
        hunks: Collection[str] | None = None,
        *,
        reason: str | None = None,
        of: int | None = None,
        now_ms: int | None = None,
    ) -> int:
        """Take a change, or some of its hunks, back to the mount; a step of the person.

        Args:
            path: The change's; of a rename, the new path.
            hunks: Keys of `diff(path)`; by default the whole change.
            reason: What a host tells its model, by `take_notes`.
            of: The version after an earlier rejection without a reason: takes nothing back, and
                gives that one its reason.
            now_ms: Milliseconds since 1970, in place of the clock.

        Returns:
            The new version.

        Raises:
            UnknownChange: The path does not differ from its mount, or `of` is no such version.
            UnknownHunk: A key is not one of this path.
            StaleHunk: The lines of a hunk have changed since.
            ValueError: Both `hunks` and `of` are given.
        """
        if of is not None and hunks is not None:
            raise ValueError("of takes nothing back: leave out hunks")
        if of is not None:
            return self._explain(path, of, reason)
        while True:
            since = self.record
            operation = self._operation(path)
            count = len(self._facts_of(operation).keys)
            wanted = self._without(operation, hunks)
            if self.decide(wanted, "reject", since=since, now_ms=now_ms):
                break
        # Not the version of now: a call in another thread may have made one since.
        version = since.version + 1
        self._note(note := _rejection(operation, count, hunks, reason))
        if not reason:
            self._unexplained[version] = note
        return version

    def _explain(self, path: str, version: int, reason: str | None) -> int:
        note = self._unexplained.get(version)
        if note is None or not note.startswith(f"{path}: "):
            raise UnknownChange(f"step {version} rejected nothing of {path} that lacks a reason")
        if reason:
            del self._unexplained[version]
            if note in self._notes:
                self._notes.remove(note)
            self._note(f"{note[:-1]}: {reason}")
        return self.version

    def _note(self, sentence: str) -> None:
        self._notes = [*self._notes[1 - _MAX_NOTES :], sentence]

    def take_notes(self) -> tuple[str, ...]:
        """Return what was rejected or taken back since this was last asked, a sentence each.

        A host passes it to its model as a note of its own, never as part of a tool's answer.
        """
        notes, self._notes = tuple(self._notes), []
        return notes

    def undo(self, *, now_ms: int | None = None) -> ReviewedStep | None:
        """Take back the last step that was not taken back, by a step of its own.

        Args:
            now_ms: Milliseconds since 1970, in place of the clock.

        Returns:
            The new step; None if no step is left that can be taken back.
        """
        return self._noted(self.take_back(now_ms), "took back")

    def redo(self, *, now_ms: int | None = None) -> ReviewedStep | None:
        """Bring back what the last `undo` took, by a step of its own; else as `undo`."""
        return self._noted(self.bring_back(now_ms), "brought back")

    def _noted(self, step: Step | None, what: str) -> ReviewedStep | None:
        if step is None:
            return None
        seen = ReviewedStep.of_step(step)
        self._note(f"The person {what} changes of {', '.join(seen.paths)}.")
        return seen

    def export_patch(self, leave_out: Collection[str] = ()) -> bytes:
        """Return the changes as Git's own patch, which `git apply` takes.

        Args:
            leave_out: Paths, and keys of hunks, that stay in the overlay and are not exported.

        Raises:
            UnknownChange: A name is that of no change and of no hunk.
        """
        return patch(self._exported(leave_out), strip=self._strip(), checkpoint=go_on)

    def export_archive(self, leave_out: Collection[str] = ()) -> bytes:
        """Return a zip of the changed files and the manifest; else as `export_patch`."""
        return archive(self._exported(leave_out), strip=self._strip())

    def manifest(self, leave_out: Collection[str] = ()) -> dict[str, Any]:
        """Return which paths change, with digests; else as `export_patch`. Paths are virtual."""
        return manifest(self._exported(leave_out))

    def save_state(self) -> bytes:
        """Return the proposals, the steps and the decisions as bytes, for `restore_state`."""
        return state.save(
            self.record,
            seen=self.seen,
            kept=sorted(self._kept),
            notes=self._notes,
        )

    def restore_state(self, saved: bytes) -> None:
        """Replace everything by what `save_state` gave; `changes` says which bases differ since.

        Raises:
            StateInvalid: The bytes are something else, or are above the limits.
            WorkspaceInvalid: They have changes in a mount that is not there.
        """
        try:
            saved_record = state.restore(saved, self._limits)
        except WorkspaceError as error:
            raise StateInvalid(str(error)) from None
        record = saved_record.record
        for path, proposal in record.proposals.items():
            self._layer.host_path(path, proposal.mount_point)
        with self._lock:
            self.record, self.seen = record, saved_record.seen
            self._kept, self._notes = saved_record.kept, saved_record.notes
            self._unexplained.clear()
            self._facts.clear()

    def discard(self) -> None:
        """Forget all proposals, steps, decisions and notes."""
        super().discard()
        self._facts.clear()
        self._kept, self._notes = set(), []
        self._unexplained.clear()

    def _without(
        self, operation: Operation, hunks: Collection[str] | None
    ) -> dict[str, Proposal | None]:
        """Return the proposals, by path, without a change or some hunks of it."""
        proposal = self.record.proposals[operation.path]
        if hunks is not None:
            content = self._take_back(operation, hunks)
            if content is not None and isinstance(proposal.after or proposal.base.node, File):
                old = proposal.after if isinstance(proposal.after, File) else proposal.base.node
                assert isinstance(old, File)  # noqa: S101  # as the line above says
                partly = replace(proposal, after=File(content, old.mode))
                return {operation.path: partly if partly.is_change else None}
        # What lies below goes with a directory, and with one that took the place of a file.
        wanted: dict[str, Proposal | None] = {
            path: None
            for path in self.record.proposals
            if path == operation.path or path.startswith(f"{operation.path}/")
        }
        if operation.origin is not None:
            wanted[operation.origin] = None
        return wanted | dict.fromkeys(self._emptied(wanted), None)

    def _emptied(self, gone: Mapping[str, Proposal | None]) -> Iterable[str]:
        """Return the directories that tools have made and in which nothing is left."""
        left = {
            path
            for path, proposal in self.record.proposals.items()
            if path not in gone and proposal.after is not None
        }
        for path in sorted(left, reverse=True):
            proposal = self.record.proposals[path]
            if not isinstance(proposal.after, Directory) or proposal.base.node is not None:
                continue
            had_one = any(each.startswith(f"{path}/") for each in gone)
            if had_one and not any(each.startswith(f"{path}/") for each in left):
                left.remove(path)
                yield path

    def _exported(self, leave_out: Collection[str]) -> list[ChangedPath]:
        changed = self._between("base", "now")
        operations = {each.path: each for each in decide(changed)}
        left = {*leave_out}
        out = {each.origin for path, each in operations.items() if path in left} | left
        known: set[str] = {*operations} & left
        found = []
        for each in changed:
            if each.path in out:
                continue
            operation = operations.get(each.path)
            keys = set() if operation is None else left.intersection(self._facts_of(operation).keys)
            known |= keys
            found.append(each if operation is None else self._partly(each, operation, keys))
        if unknown := left - known:
            raise UnknownChange(
                f"{min(unknown)} is no change and no hunk; changes() and diff() name them"
            )
        return self._without_emptied(found)

    def _without_emptied(self, exported: list[ChangedPath]) -> list[ChangedPath]:
        """Return what is exported without the new directories whose files are all left out."""
        paths = {each.path for each in exported if each.after is not None}
        gone = dict.fromkeys(path for path in self.record.proposals if path not in paths)
        empty = {*self._emptied(gone)}
        return [each for each in exported if each.path not in empty]

    def _partly(
        self, each: ChangedPath, operation: Operation, keys: Collection[str]
    ) -> ChangedPath:
        """Return a changed path without some of its hunks."""
        if not keys:
            return each
        content = self._take_back(operation, keys)
        nodes = (operation.after, operation.before)
        mode = next(node.mode for node in nodes if isinstance(node, File))
        return replace(each, after=None if content is None else File(content, mode))

    def _strip(self) -> str:
        """Return what the paths of an export are relative to: the only mount, or the top."""
        points = self._workspace.mount_points
        return points[0] if len(points) == 1 else "/"


def _rejection(
    operation: Operation, count: int, hunks: Collection[str] | None, reason: str | None
) -> str:
    what = "the change" if hunks is None or count <= 1 else f"{len({*hunks})} of {count} changes"
    tail = "." if not reason else f": {reason}"
    return f"{operation.path}: the person rejected {what}{tail}"
