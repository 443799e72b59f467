"""The difference of one file as data: hunks that a person takes or leaves, and taking them back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from treeglass.errors import StaleHunk, UnknownHunk
from treeglass.workspace.overlay.change_flags import Flag, flags_of, is_text
from treeglass.workspace.overlay.line_diff import LineChange, LineDiff, diff_lines

if TYPE_CHECKING:
    from treeglass.workspace.nodes import File

CONTEXT_LINES = 3
"""Unchanged lines shown around a change; changes with twice as many between them are one hunk."""

Sign = Literal[" ", "-", "+"]

_NO_BASE = "none"
_BASE_DIGITS, _LINES_DIGITS = 16, 12

_key_format = re.compile(
    rf"(?:{_NO_BASE}|[0-9a-f]{{{_BASE_DIGITS}}}):\d+,\d+:[0-9a-f]{{{_LINES_DIGITS}}}:(?P<path>.+)",
    re.ASCII | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changes that lie close together, with the lines around them.

    Starts count from 1; of no lines at all, the start is the line before them, as in Git's
    patches.
    """

    key: str
    """Names the hunk for as long as base, range and lines are the same.

    Holds the base's digest, the base's range, the digest of the lines, and the path. A change
    elsewhere in the file leaves it as it is.
    """
    before_start: int
    before_count: int
    after_start: int
    after_count: int
    lines: tuple[tuple[Sign, bytes], ...]
    """Each with its line end; a last line without one has none."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The differences between one file and its base."""

    path: str
    added: int
    """Lines of all hunks that are new."""
    removed: int
    """Lines of all hunks that are gone."""
    hunks: tuple[Hunk, ...]
    """Empty if either side is no text: such a file is taken or left as a whole."""
    is_coarse: bool
    """True if one hunk stands for all, since a closer comparison takes too long."""
    flags: dict[Flag, str] = field(default_factory=dict)
    """Properties that the lines do not show, each in words, in a fixed order."""


def diff_of(
    before: File | None, after: File | None, *, path: str, checkpoint: Callable[[], None]
) -> FileDiff:
    """Return how a file differs from its base. A missing file differs from an empty one.

    Keys hold the path, which is relative to what is exported, and flags look at it.
    """
    diff, hunks = _compare(before, after, path, checkpoint)
    return FileDiff(
        path=path,
        added=sum(change.after_end - change.after_start for change in diff.changes),
        removed=sum(change.before_end - change.before_start for change in diff.changes),
        hunks=hunks,
        is_coarse=diff.is_coarse,
        flags=flags_of(before, after, path, [hunk.lines for hunk in hunks]),
    )


def hunks_of(
    before: File | None, after: File | None, *, path: str, checkpoint: Callable[[], None]
) -> tuple[Hunk, ...]:
    """Return the hunks of `diff_of` alone."""
    return _compare(before, after, path, checkpoint)[1]


def rejected(
    before: File | None,
    now: File | None,
    keys: Collection[str],
    *,
    path: str,
    checkpoint: Callable[[], None],
) -> bytes | None:
    """Return the content of a file with some hunks, by keys of `diff_of`, taken back to the base.

    None if there is to be no file: it is created, and its only hunk is taken back, or it is gone,
    and no key is given.

    Raises:
        UnknownHunk: A text has not the form of a key, or names another path.
        StaleHunk: A key is of another base, or of other lines than the proposal has there now.
    """
    diff, hunks = _compare(before, now, path, checkpoint)
    _require_current(keys, hunks, path)
    if (now is None and not keys) or (before is None and keys):
        return None
    parts: list[bytes] = []
    place = 0
    for hunk in hunks:
        if hunk.key in keys:
            old = _place(hunk.before_start, hunk.before_count)
            new = _place(hunk.after_start, hunk.after_count)
            parts += diff.after[place:new]
            parts += diff.before[old : old + hunk.before_count]
            place = new + hunk.after_count
    return b"".join([*parts, *diff.after[place:]])


def _require_current(keys: Iterable[str], hunks: Iterable[Hunk], path: str) -> None:
    for key in sorted({*keys}.difference(hunk.key for hunk in hunks)):
        found = _key_format.fullmatch(key)
        if found is None or found["path"] != path:
            raise UnknownHunk(key)
        raise StaleHunk(path)


def _compare(
    before: File | None, after: File | None, path: str, checkpoint: Callable[[], None]
) -> tuple[LineDiff, tuple[Hunk, ...]]:
    old = b"" if before is None else before.content
    new = b"" if after is None else after.content
    if not (is_text(old) and is_text(new)):
        return LineDiff([old], [new], [], is_coarse=False), ()
    diff = diff_lines(old, new, checkpoint)
    base = _NO_BASE if before is None else hashlib.sha256(old).hexdigest()[:_BASE_DIGITS]
    return diff, tuple(_hunk(diff, group, base, path) for group in _groups(diff.changes))


def _groups(changes: Iterable[LineChange]) -> list[list[LineChange]]:
    groups: list[list[LineChange]] = []
    for change in changes:
        if groups and change.before_start - groups[-1][-1].before_end <= 2 * CONTEXT_LINES:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _hunk(diff: LineDiff, changes: Sequence[LineChange], base: str, path: str) -> Hunk:
    first, last = changes[0], changes[-1]
    above = min(CONTEXT_LINES, first.before_start)
    below = min(CONTEXT_LINES, len(diff.before) - last.before_end)
    x, x_end = first.before_start - above, last.before_end + below
    y, y_end = first.after_start - above, last.after_end + below
    lines: list[tuple[Sign, bytes]] = []
    place = x
    for change in changes:
        lines += [(" ", line) for line in diff.before[place : change.before_start]]
        lines += [("-", line) for line in diff.before[change.before_start : change.before_end]]
        lines += [("+", line) for line in diff.after[change.after_start : change.after_end]]
        place = change.before_end
    lines += [(" ", line) for line in diff.before[place:x_end]]
    start, count = _start(x, x_end), x_end - x
    digest = hashlib.sha256(b"".join(sign.encode() + line for sign, line in lines)).hexdigest()
    return Hunk(
        key=f"{base}:{start},{count}:{digest[:_LINES_DIGITS]}:{path}",
        before_start=start,
        before_count=count,
        after_start=_start(y, y_end),
        after_count=y_end - y,
        lines=tuple(lines),
    )


def _start(place: int, end: int) -> int:
    """Return a place as a hunk counts it; of no lines, it is the line before."""
    return place + 1 if end > place else place


def _place(start: int, count: int) -> int:
    """Return a hunk's start as a place that counts from 0."""
    return start - 1 if count else start
