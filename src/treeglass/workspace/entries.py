"""The entries of a scanned directory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from treeglass.errors import WorkspaceError

EntryKind = Literal["file", "directory", "symlink", "other"]
"""The type of an entry itself: a link to a directory is a `symlink`."""


class Entry(NamedTuple):
    """One entry of a scanned directory."""

    name: str
    """The host's name, with invalid bytes as lone surrogates."""
    kind: EntryKind | None
    """Its type; None if it could not be inspected."""
    fault: WorkspaceError | None = None
    """Why the kind is unknown."""


class Status(NamedTuple):
    """Facts about one path, links not followed."""

    kind: EntryKind
    size_bytes: int
    modified_ns: int | None
    """Nanoseconds since 1970; None for a directory above the mounts."""


# The same as a named tuple's own constructor, without its detour through Python:
# it runs once for every file of a tree.
made_entry: Callable[[tuple[str, EntryKind, None]], Entry] = partial(tuple.__new__, Entry)
