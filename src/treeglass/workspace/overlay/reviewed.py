"""The proposals as values that a host shows to a person, and JSON of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from treeglass.workspace.overlay.bases import BaseState
    from treeglass.workspace.overlay.changed_path import NodeKind, OperationName
    from treeglass.workspace.overlay.record import By, Step

Decision = Literal["pending", "kept"]


@dataclass(frozen=True, slots=True)
class ReviewedHunk:
    """A run of changed lines, and what was decided about it."""

    key: str
    """Names the hunk for `Overlay.reject` and `Overlay.keep`, until its lines change."""
    before_start: int
    """A line's number, from 1; of no lines, the line before them. So are the other three."""
    before_count: int
    after_start: int
    after_count: int
    decision: Decision
    lines: tuple[tuple[str, str], ...]
    """A sign, and the text without its line feed. The sign `\\\\` says that the line before has
    no line feed."""


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path whose proposed content differs from its mount."""

    path: str
    operation: OperationName
    kind: NodeKind
    renamed_from: str | None
    """The old path of a rename."""
    added: int = 0
    """Lines that are new; 0 if either side is no text."""
    removed: int = 0
    before_bytes: int | None = None
    """The size in bytes; None if there is nothing. So is the next one."""
    after_bytes: int | None = None
    base_state: BaseState = "unchanged"
    """The state of the mount, compared with the first change of the path."""
    flags: dict[str, str] = field(default_factory=dict)
    """Properties that the lines do not show, each in words."""
    is_coarse: bool = False
    """True if one hunk stands for all, since a closer comparison takes too long."""
    decision: Decision = "pending"


@dataclass(frozen=True, slots=True)
class ReviewedDiff(PathChange):
    """A change with its hunks."""

    hunks: tuple[ReviewedHunk, ...] = ()
    """Empty if either side is no text, and of what is no file."""


@dataclass(frozen=True, slots=True)
class ReviewedStep:
    """One committed call, or one decision."""

    number: int
    by: By
    name: str
    """The tool's full name, or `reject`, `undo` or `redo`."""
    group: str | None
    of: int | None
    """The step that an `undo` or a `redo` is about."""
    paths: tuple[str, ...]

    @classmethod
    def of_step(cls, step: Step) -> ReviewedStep:
        """Return what a person sees of a step."""
        paths = tuple(sorted(step.moves))
        return cls(step.number, step.by, step.name, step.group, step.of, paths)


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes, and the steps that led to them."""

    version: int
    """The number of the last step."""
    entries: tuple[PathChange, ...] = ()
    """Sorted by path."""
    steps: tuple[ReviewedStep, ...] = field(default=())
    """The steps since the mark that was asked for, as far as they are kept."""


def as_json(value: Any) -> Any:
    """Return one of these values as JSON, its names in camel case.

    Example:
        >>> as_json(Changes(version=3))
        {'version': 3, 'entries': [], 'steps': []}
    """
    if isinstance(value, tuple):
        return [each if type(each) in _LEAVES else as_json(each) for each in value]
    names = _NAMES_OF.get(type(value))
    if names is None:
        return value
    parts = ((wire, getattr(value, name)) for name, wire in names)
    return {wire: each if type(each) in _LEAVES else as_json(each) for wire, each in parts}


_LEAVES = {str, int, bool, dict, type(None)}
"""Most of what a change consists of. One answer may list thousands of changes."""

_NAMES = {"renamed_from": "from"}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


_NAMES_OF: dict[type, list[tuple[str, str]]] = {
    kind: [(each.name, _NAMES.get(each.name) or _camel(each.name)) for each in fields(kind)]
    for kind in (Changes, PathChange, ReviewedDiff, ReviewedHunk, ReviewedStep)
}
"""The names of the parts of these values, here and in JSON."""
