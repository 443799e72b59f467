"""Walk from a directory downwards and yield its entries, one at a time.

An entry is inspected when the caller asks for it. This module decides the order, the filters and
the faults of entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from treeglass.errors import WorkspaceError
from treeglass.utf8 import by_lossy_name, lossy_text

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.tools.forge.arguments import ListDirectoryArgs
    from treeglass.tools.forge.paths.sandbox import Sandbox
    from treeglass.workspace import Entry, EntryKind, ResolvedPath, Status

EntryType = Literal["file", "dir", "symlink", "other", "unknown"]
ErrorCode = Literal[
    "metadata_unavailable", "permission_denied", "read_dir_failed", "io_error", "unknown"
]

ERROR_TEXTS: dict[ErrorCode, str] = {
    "metadata_unavailable": "metadata unavailable",
    "permission_denied": "permission denied",
    "read_dir_failed": "failed to read directory",
    "io_error": "I/O error",
    "unknown": "unknown error",
}
"""The `error` of an entry for each `error_code`."""

_TYPES: dict[EntryKind, EntryType] = {
    "file": "file",
    "directory": "dir",
    "symlink": "symlink",
    "other": "other",
}
_CODES: dict[str, ErrorCode] = {
    "EACCES": "permission_denied",
    "EPERM": "permission_denied",
    "ENOENT": "metadata_unavailable",
    "ENOTDIR": "metadata_unavailable",
    "ESTALE": "metadata_unavailable",
}
_CHECKPOINT_EVERY = 256
_NS_PER_MS = 1_000_000
# A JSON reader with binary64 numbers would read a larger time wrongly.
_MAX_EPOCH_MS = 2**53 - 1


class ListedEntry(NamedTuple):
    """One entry of the answer."""

    record: dict[str, Any]
    """The entry object, its keys in the order of the specification."""
    is_lossy: bool
    """True if the name is not valid UTF-8."""


def depth_first(top: Iterator[Any]) -> Iterator[Any]:
    """Yield the items of an iterator, and in place of each generator in it what that one yields.

    Generators may be nested to any depth. Each item is made when it is asked for.

    Example:
        >>> list(depth_first(iter([1, (2 * number for number in (3, 4)), 5])))
        [1, 6, 8, 5]
    """
    levels = [top]
    while levels:
        for item in levels[-1]:
            if isinstance(item, GeneratorType):
                levels.append(item)
                break
            yield item
        else:
            levels.pop()


class Walk:
    """The walk of one listing: depth first, each directory before its entries.

    Entries of a directory are sorted by their lossy names. Links are never
    followed, denied directories never entered. Implements FR-LD-LST-01 to
    FR-LD-LST-06a, FR-LD-LST-08 and FR-LD-VAL-09.
    """

    def __init__(self, args: ListDirectoryArgs, context: ToolContext, sandbox: Sandbox) -> None:
        self._args = args
        self._types = args.types
        self._context = context
        self._workspace = context.workspace
        self._sandbox = sandbox
        self.denied_count = 0
        """Directories not entered so far because of a denied pattern."""
        self._collected = 0
        self._visited = 0

    def entries(self, root: ResolvedPath) -> Iterator[ListedEntry]:
        """Return an iterator over the entries in the walk's order; the root must be readable."""
        self._context.checkpoint()
        scanned = self._workspace.scan(root)
        return depth_first(self._level(root, "", 1, self._in_order(scanned)))

    def _level(
        self, directory: ResolvedPath, prefix: str, depth: int, entries: list[Entry]
    ) -> Iterator[ListedEntry | Iterator[Any]]:
        """Yield the entries of a directory that pass, each before the level below it."""
        statuses = self._workspace.statuses(directory, entries)
        for entry in entries:
            self._visited += 1
            if self._visited % _CHECKPOINT_EVERY == 0:
                self._context.checkpoint()
            path, found = prefix + lossy_text(entry.name), next(statuses)
            if isinstance(found, Exception):
                yield _unknown(entry, path, depth, _code_of(found))
                continue
            kind, below = _TYPES[found.kind], None
            if kind == "dir" and depth < self._args.max_depth:
                entered = self._workspace.enter(directory, entry)
                if not self._is_denied(entered):
                    # Opened before it is shown, so that an unreadable directory gets one
                    # entry that says so, and not two with the same path.
                    below = self._level_below(entered, f"{path}/", depth + 1)
                    if below is None:
                        yield _unknown(entry, path, depth, "read_dir_failed", found)
                        continue
            if kind in self._types:
                yield _listed(entry, path, depth, kind, found)
            if below is not None:
                yield below

    def _is_denied(self, directory: ResolvedPath) -> bool:
        is_denied = self._sandbox.denies(directory)
        self.denied_count += is_denied
        return is_denied

    def _level_below(
        self, directory: ResolvedPath, prefix: str, depth: int
    ) -> Iterator[ListedEntry | Iterator[Any]] | None:
        """Return the level of a directory, or None if it cannot be read."""
        self._context.checkpoint()
        try:
            entries = self._workspace.scan(directory)
        except Exception:  # noqa: BLE001  # FR-LD-LST-08 and FR-LD-ERR-04, as for an entry's own fault
            return None
        return self._level(directory, prefix, depth, self._in_order(entries))

    def _in_order(self, entries: list[Entry]) -> list[Entry]:
        """Return the entries of a directory that are not hidden, sorted."""
        self._collected += len(entries)
        self._workspace.limits.require("max_walk_entries", self._collected)
        shows_hidden = self._args.include_hidden
        visible = (
            entry
            for entry in entries
            if not entry.name.startswith(".") or (shows_hidden and entry.name not in {".", ".."})
        )
        return sorted(visible, key=lambda entry: by_lossy_name(entry.name))


def _code_of(fault: Exception) -> ErrorCode:
    if isinstance(fault, WorkspaceError):
        return _CODES.get(fault.errno_name, "io_error")
    return "unknown"


def _listed(
    entry: Entry, path: str, depth: int, kind: EntryType, status: Status | None
) -> ListedEntry:
    name = lossy_text(entry.name)
    record = {
        "name": name,
        "path": path,
        "depth": depth,
        "type": kind,
        "size_bytes": status.size_bytes if status is not None and kind == "file" else None,
        "modified_epoch_ms": _epoch_ms(status),
        "is_hidden": name.startswith("."),
        "error_code": None,
        "error": None,
    }
    return ListedEntry(record, is_lossy=name != entry.name)


def _unknown(
    entry: Entry, path: str, depth: int, code: ErrorCode, status: Status | None = None
) -> ListedEntry:
    listed = _listed(entry, path, depth, "unknown", status)
    listed.record.update(error_code=code, error=ERROR_TEXTS[code])
    return listed


def _epoch_ms(status: Status | None) -> int | None:
    """Return whole milliseconds since 1970, None if unknown or out of range."""
    if status is None or status.modified_ns is None:
        return None
    modified_ms = status.modified_ns // _NS_PER_MS
    return modified_ms if 0 <= modified_ms <= _MAX_EPOCH_MS else None
