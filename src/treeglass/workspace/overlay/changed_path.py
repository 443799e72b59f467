"""The operation at each changed path, decided once for lists, patches, archives and manifests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from treeglass.utf8 import raw_bytes
from treeglass.workspace.nodes import Directory, File, Node

OperationName = Literal["create", "modify", "delete", "rename"]
NodeKind = Literal["file", "directory", "symlink"]


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """A path that may differ from its mount; the two nodes may also be equal."""

    path: str
    before: Node | None
    """The mount's content; None if the mount has nothing there."""
    after: Node | None
    """The proposed content; None if the path is deleted."""
    renamed_from: str | None = None
    """The path that a tool moved the file away from; a path of its own says that it is gone."""


@dataclass(frozen=True, slots=True)
class Operation:
    """The operation at one path."""

    name: OperationName
    path: str
    before: Node | None
    """Of a rename: what was at its origin."""
    after: Node | None
    origin: str | None = None
    """Of a rename: the old path."""

    @property
    def kind(self) -> NodeKind:
        """The kind of what is there now, or of what is gone."""
        return kind_of(self.after or self.before)


def decide(changed: Iterable[ChangedPath], *, strip: str | None = None) -> tuple[Operation, ...]:
    """Return what happened, in the order of the UTF-8 bytes of the paths.

    A rename is one operation if its origin existed and is gone, nothing was at its destination,
    both are of one kind, and no other path comes from the same origin. Otherwise it is a `delete`
    and a `create` or `modify`. A node that becomes one of another kind is a `delete` and then a
    `create` of the same path, as for Git. Nodes that are equal are left out.

    The paths, each given once, are then relative to `strip`, if it is given: the only mount point,
    or `/` if there are several. One that does not lie in it is a `ValueError`.
    """
    by_path = {each.path: each for each in _below(changed, strip) if each.before != each.after}
    origins = _origins(by_path)
    moved_away = set(origins.values())
    operations: list[Operation] = []
    for path in sorted(by_path, key=raw_bytes):
        if path not in moved_away:
            operations += _operations(by_path[path], by_path.get(origins.get(path, "")))
    return tuple(operations)


def seen_by_person(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return the operations without each new directory in which something new lies.

    As for Git, such a directory goes with what lies in it. An empty one is a change of its own.
    """
    kept = tuple(operations)
    filled: set[str] = set()
    for operation in kept:
        above = operation.path if operation.after is not None else ""
        while (above := above.rpartition("/")[0]) and above not in filled:
            filled.add(above)
    return tuple(
        each
        for each in kept
        if each.path not in filled or each.name != "create" or each.kind != "directory"
    )


def kind_of(node: Node | None) -> NodeKind:
    """Return the kind of a node that is there."""
    if isinstance(node, File):
        return "file"
    return "directory" if isinstance(node, Directory) else "symlink"


def _below(changed: Iterable[ChangedPath], strip: str | None) -> Iterable[ChangedPath]:
    if strip is None:
        yield from changed
        return
    top = strip.rstrip("/") + "/"

    def relative(path: str) -> str:
        if not path.startswith(top):
            message = f"{path!r} does not lie in {strip!r}"
            raise ValueError(message)
        return path[len(top) :]

    for each in changed:
        origin = each.renamed_from
        if origin is not None:
            # What was moved in from elsewhere is new here.
            origin = relative(origin) if origin.startswith(top) else None
        yield replace(each, path=relative(each.path), renamed_from=origin)


def _origins(by_path: Mapping[str, ChangedPath]) -> dict[str, str]:
    """Return the origin of each path that is a rename."""
    claims: dict[str, str] = {}
    for path, each in by_path.items():
        origin = by_path.get(each.renamed_from or "")
        if origin is None or origin.before is None or origin.after is not None:
            continue
        if each.before is None and type(each.after) is type(origin.before):
            claims[path] = origin.path
    claimants = Counter(claims.values())
    return {path: origin for path, origin in claims.items() if claimants[origin] == 1}


def _operations(each: ChangedPath, origin: ChangedPath | None) -> tuple[Operation, ...]:
    if origin is not None:
        return (Operation("rename", each.path, origin.before, each.after, origin.path),)
    if each.before is None:
        return (Operation("create", each.path, None, each.after),)
    if each.after is None:
        return (Operation("delete", each.path, each.before, None),)
    if type(each.before) is type(each.after):
        return (Operation("modify", each.path, each.before, each.after),)
    return (
        Operation("delete", each.path, each.before, None),
        Operation("create", each.path, None, each.after),
    )
