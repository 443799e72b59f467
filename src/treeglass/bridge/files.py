"""The methods by which a page shows a tree and opens a file, without a tool.

Late: a page fetches this module with the first of them. They show what the tools see, with all
proposals, and have no policy of a tool: hidden and ignored entries are there too.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.bridge.late_params import Parameter, checked, is_path
from treeglass.errors import PathUnreadable, WorkspaceError, from_os_error

if TYPE_CHECKING:
    from treeglass.bridge.methods import Answer
    from treeglass.workspace import Workspace
    from treeglass.workspace.entries import Entry
    from treeglass.workspace.gate import ResolvedPath

_MAX_ENTRIES = 100_000
"""Most entries of one page of a listing."""

_MAX_BYTES = 16 * 1024**2
"""Most bytes of one piece of a file."""

_KINDS = {"file": "f", "directory": "d", "symlink": "l"}


def _is_count(value: Any, most: int | None = None) -> bool:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return is_whole and value >= 0 and (most is None or 1 <= value <= most)


_PATH: Final = Parameter(is_path, "a path that begins with a slash")

FILE_METHODS: Final = {
    "listEntries": {
        "path": _PATH,
        "recursive": Parameter(lambda value: isinstance(value, bool), "true or false", False),  # noqa: FBT003  # a default
        "after": Parameter(
            lambda value: value is None or is_path(value), "a path that begins with a slash", None
        ),
        "limit": Parameter(
            lambda value: _is_count(value, _MAX_ENTRIES),
            f"a whole number from 1 to {_MAX_ENTRIES:,}",
            10_000,
        ),
    },
    "readFile": {
        "path": _PATH,
        "offsetBytes": Parameter(_is_count, "a whole number that is not negative", 0),
        "maxBytes": Parameter(
            lambda value: _is_count(value, _MAX_BYTES),
            f"a whole number from 1 to {_MAX_BYTES:,}",
            1024**2,
        ),
    },
}
"""The parameters of each method, in the order of its handler's."""


def answer_about_files(workspace: Workspace, name: str, params: object) -> Answer:
    """Return the result of a request; `PathUnreadable` says why a path cannot be listed or read."""
    values = checked(name, FILE_METHODS[name], params)
    handler: Callable[..., Answer] = _list_entries if name == "listEntries" else _read_file
    try:
        return handler(workspace, *values)
    except (OSError, WorkspaceError) as error:
        # A file tells only while it is read that its content is damaged.
        fault = from_os_error(error) if isinstance(error, OSError) else error
        raise PathUnreadable(f"{values[0]} cannot be read: {fault.linux_text}") from None


def _list_entries(
    workspace: Workspace,
    path: str,
    is_deep: bool,  # noqa: FBT001  # by position, as the table has them
    after: str | None,
    limit: int,
) -> Answer:
    """Return one page of a listing by the order of names, as columns: smaller than objects."""
    paths: list[str] = []
    kinds: list[str] = []
    sizes: list[int | None] = []
    unreadable: list[str] = []
    following: str | None = None
    for shown, kind, size in _entries(workspace, path, _names_below(path, after), is_deep=is_deep):
        if kind == "!":
            unreadable.append(shown)
            continue
        if len(paths) == limit:
            following = paths[-1]
            break
        paths.append(shown)
        kinds.append(kind)
        sizes.append(size)
    return {
        "paths": paths,
        "kinds": "".join(kinds),
        "sizes": sizes,
        "unreadable": unreadable,
        "next": following,
    }


def _names_below(path: str, after: str | None) -> list[str]:
    """Return the names that lead from a directory to the last entry of the page before."""
    if after is None:
        return []
    above = path.rstrip("/") + "/"
    if not after.startswith(above):
        raise PathUnreadable(f"{after} is not below {path}: pass the value of `next`")
    return after[len(above) :].split("/")


class _Level(NamedTuple):
    """A directory whose entries are being listed."""

    shown: str
    """Its path as the page names it, with a slash at the end."""
    directory: ResolvedPath
    rows: Iterator[tuple[Entry, int | None]]


def _entries(
    workspace: Workspace, path: str, passed: Sequence[str], *, is_deep: bool
) -> Iterator[tuple[str, str, int | None]]:
    """Yield path, kind and size of each entry after the passed ones; `!` cannot be listed."""
    start = workspace.resolve(path)
    levels = [_Level(path.rstrip("/") + "/", start, _rows(workspace, start, passed[:1]))]
    while levels:
        shown, directory, rows = levels[-1]
        row = next(rows, None)
        if row is None:
            levels.pop()
            # The passed names lead into no later directory.
            passed = passed[: len(levels)]
            continue
        entry, size = row
        depth = len(levels)
        is_passed = depth <= len(passed) and entry.name == passed[depth - 1]
        if not is_passed:
            passed = ()
            yield shown + entry.name, _KINDS.get(entry.kind or "", "o"), size
        if is_deep and entry.kind == "directory":
            inner = workspace.enter(directory, entry)
            try:
                inside = _rows(workspace, inner, passed[depth : depth + 1])
            except WorkspaceError:
                yield shown + entry.name, "!", None
            else:
                levels.append(_Level(f"{shown}{entry.name}/", inner, inside))


def _rows(
    workspace: Workspace, directory: ResolvedPath, passed: Sequence[str]
) -> Iterator[tuple[Entry, int | None]]:
    """Return the entries of one directory by name, from the passed one on, with their sizes."""
    entries = sorted(workspace.scan(directory), key=lambda entry: entry.name)
    if passed:
        entries = [entry for entry in entries if entry.name >= passed[0]]
    statuses = workspace.known_statuses(directory, entries)
    return (
        (entry, status.size_bytes if status and entry.kind == "file" else None)
        for entry, status in zip(entries, statuses, strict=True)
    )


def _read_file(workspace: Workspace, path: str, offset_bytes: int, max_bytes: int) -> Answer:
    """Return a piece of a file as base64; links are followed."""
    resolved = workspace.resolve(path)
    with workspace.open(resolved) as file:
        size_bytes = file.seek(0, 2)
        file.seek(min(offset_bytes, size_bytes))
        content = file.read(max_bytes)
    if workspace.overlay_if_any is not None:
        # A person has read this file: the next call of a tool has no warning about it.
        workspace.overlay_if_any.take_warnings()
    return {"base64": base64.b64encode(content).decode("ascii"), "sizeBytes": size_bytes}
