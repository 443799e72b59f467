"""The files of a patch, as they are and as its earlier hunks leave them: apply_patch.md 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.errors import (
    ChangeRefused,
    IsADirectory,
    LimitExceeded,
    NotARegularFile,
    PathNotFound,
    SymlinkLoop,
    WorkspaceError,
    from_os_error,
)
from treeglass.escaping import unescape_name
from treeglass.workspace.entries import Entry

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import ResolvedPath
    from treeglass.workspace.nodes import Change

REFUSALS = (ChangeRefused, LimitExceeded)
"""Errors that say what to do instead; no sentence of the tool's own takes their place."""


class CannotRead(Exception):
    """A file is not there or no text; the exception's text is the cause, as Rust words it."""


def absolute(path: str, working_dir: str) -> str:
    """Return an absolute path for one of a patch, `.` and `..` taken out of its text.

    >>> absolute("a/../../b//./c/", "/repo/src")
    '/repo/b/c'
    """
    names: list[str] = []
    for name in (path if path.startswith("/") else f"{working_dir}/{path}").split("/"):
        if name == "..":
            del names[-1:]
        elif name not in {"", "."}:
            names.append(name)
    return "/" + "/".join(names)


class PatchedFiles:
    """The files of one call. Paths are from `absolute`; links on them are followed."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._plan = context.plan()
        self._left: dict[str, bytes | None] = {}
        self._gone_links: set[str] = set()

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that the hunks propose."""
        return self._plan.changes

    def read(self, path: str, limit: str) -> str:
        """Return a file's text, as the hunks leave it, within the named limit; or `CannotRead`."""
        try:
            raw = self._bytes(path, limit)
        except LimitExceeded:
            raise
        except (IsADirectory, NotARegularFile):
            raise CannotRead(f"path `{path}` is not a file") from None
        except SymlinkLoop:
            raise CannotRead("Symbolic link loop (os error 40)") from None
        except WorkspaceError as error:
            raise CannotRead(error.linux_text) from None
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            is_cut = error.reason == "unexpected end of data"
            kind = "incomplete utf-8 byte" if is_cut else "invalid utf-8"
            size = "" if is_cut else f" of {error.end - error.start} bytes"
            raise CannotRead(f"{kind} sequence{size} from index {error.start}") from None

    def _bytes(self, path: str, limit: str) -> bytes:
        workspace = self._context.workspace
        resolved = self._context.resolve(path, strict=not self._left)
        if resolved.virtual in self._left:
            left = self._left[resolved.virtual]
            if left is None:
                raise PathNotFound
            return left
        resolved = self._context.resolve(path)
        status = workspace.arrived(resolved)
        if status.kind == "directory":
            raise IsADirectory
        workspace.limits.require(limit, status.size_bytes)
        with workspace.open(resolved) as file:
            try:
                raw = file.read()
            except OSError as error:
                raise from_os_error(error) from None
        workspace.limits.require(limit, len(raw))
        return raw

    def place(self, path: str) -> ResolvedPath | None:
        """Return what a path leads to, there or not; None if it may not lead there."""
        try:
            return self._context.resolve(path, strict=False)
        except WorkspaceError:
            return None

    def entry(self, path: str) -> ResolvedPath | None:
        """Return a path itself, a link at its end not followed; None if nothing is there."""
        above, _, name = path.rpartition("/")
        workspace = self._context.workspace
        try:
            parent = self._context.resolve(above or "/")
            spelled = unescape_name(name) if self._context.escape_names else name
            for spelling in dict.fromkeys((spelled, name)):
                found = workspace.enter(parent, Entry(spelling, None))
                if workspace.has(found):
                    return found
        except WorkspaceError:
            pass
        return None

    def is_changed(self, path: str) -> bool:
        """Tell whether a hunk so far has changed what a path leads to."""
        place = self.place(path)
        return place is not None and place.virtual in self._left

    def dead_link(self, path: str) -> str | None:
        """Return the beginning of a path that ends with a link to nothing; None without one."""
        place = self.place(path)
        if place is None or place.virtual == path:
            # No link is on it, or it may not be followed.
            return None
        end = 0
        while end < len(path):
            self._context.checkpoint()
            end = path.find("/", end + 1) if "/" in path[end + 1 :] else len(path)
            if not self._leads_somewhere(path[:end]):
                return None if self.entry(path[:end]) is None else path[:end]
        return None

    def _leads_somewhere(self, path: str) -> bool:
        try:
            self._context.resolve(path)
        except PathNotFound:
            return False
        except WorkspaceError:
            pass
        return True

    def write(self, path: str, content: bytes, moved_from: str | None = None) -> bool:
        """Propose a file's content, and tell whether it could be; a moved one keeps its mode."""
        place = self.place(path)
        if place is None or self._leads_through_gone_link(path):
            return False
        origin = None if moved_from is None else self.place(moved_from)
        try:
            self._plan.write(place, content, renamed_from=origin)
        except REFUSALS:
            raise
        except WorkspaceError:
            return False
        self._left[place.virtual] = content
        return True

    def delete(self, path: str) -> bool:
        """Propose that a file, or a link itself, is gone; else as `write`."""
        entry = self.entry(path)
        if entry is None or self._is_gone(entry) or self._is_gone(self.place(path)):
            return False
        try:
            self._plan.delete(entry)
        except REFUSALS:
            raise
        except WorkspaceError:
            return False
        self._left[entry.virtual] = None
        if self._context.workspace.status(entry).kind == "symlink":
            self._gone_links.add(entry.virtual)
        return True

    def _leads_through_gone_link(self, path: str) -> bool:
        """Tell whether a hunk so far took a link on a path away, which the tree still follows."""
        if not self._gone_links:
            return False
        names = path.split("/")
        above = ("/".join(names[:count]) for count in range(2, len(names) + 1))
        entries = (self.entry(each) for each in above)
        return any(each is not None and each.virtual in self._gone_links for each in entries)

    def _is_gone(self, path: ResolvedPath | None) -> bool:
        """Tell whether a hunk so far has taken a file away."""
        return path is not None and self._left.get(path.virtual, b"") is None
