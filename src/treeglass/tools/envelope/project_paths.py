"""Paths as an envelope shows them: relative to the project root, hostile characters spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treeglass.errors import (
    IsADirectory,
    NotADirectory,
    PathEscapesWorkspace,
    PathNotFound,
    WorkspaceError,
)
from treeglass.escaping import count_hostile, escape_name, is_plain
from treeglass.tools.envelope.envelope_building import envelope_context
from treeglass.utf8 import is_encodable, lossy_text

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import Entry, ResolvedPath, Status, Workspace


class ProjectPaths:
    """Compares paths with the project root, its links followed.

    Nothing is inside a root that leads out of every mount.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._root: tuple[str, ...] | None = None
        try:
            root = workspace.resolve(workspace.project_root, strict=False)
        except WorkspaceError:
            return
        self._root = _names(root)

    def relative(self, path: ResolvedPath) -> str | None:
        """Return a path relative to the project root, in the host's names; None outside of it."""
        if self._root is None:
            return None
        names, depth = _names(path), len(self._root)
        # Name by name: `/repo-old` is not inside `/repo`.
        if names[:depth] != self._root:
            return None
        return "/".join(names[depth:]) or "."

    def resolve(self, text: str, context: ToolContext) -> tuple[ResolvedPath, str]:
        """Return the path of a text from the project root, inside of it, and `relative` of it."""
        workspace = context.workspace
        path = workspace.resolve(
            text, base=workspace.project_root, strict=False, unescape=context.escape_names
        )
        relative = self.relative(path)
        if relative is None:
            raise PathEscapesWorkspace
        return path, relative

    def leads_to_directory(
        self, directory: ResolvedPath, link: Entry, context: ToolContext
    ) -> bool:
        """Tell whether a link leads to a directory of the project."""
        try:
            target = context.workspace.resolve_entry(directory, link)
            is_directory = context.workspace.status(target).kind == "directory"
        except WorkspaceError:
            return False
        return is_directory and self.relative(target) is not None

    def working_dir(self, context: ToolContext) -> str:
        """Return a call's working directory, or `.` if it is outside the root."""
        try:
            resolved = context.workspace.resolve(context.working_dir, strict=False)
        except WorkspaceError:
            return "."
        return self.relative(resolved) or "."

    def envelope_context(
        self, context: ToolContext, path_resolved: str | None, **more: object
    ) -> dict[str, Any]:
        """Return the `context` of an envelope that answers a call in its working directory."""
        cwd, arguments = lossy_text(self.working_dir(context)), context.arguments
        return envelope_context(cwd=cwd, arguments=arguments, path_resolved=path_resolved, **more)


def require_directory(path: ResolvedPath, context: ToolContext) -> None:
    """Raise a `WorkspaceError` unless a path is a directory; a name below a file does not exist."""
    try:
        kind = context.workspace.arrived(path).kind
    except NotADirectory:
        # A name below a file does not exist.
        raise PathNotFound from None
    if kind != "directory":
        raise NotADirectory


def require_file(path: ResolvedPath, context: ToolContext) -> Status:
    """Return the status of what a path leads to, which is there and no directory."""
    status = context.workspace.arrived(path)
    if status.kind == "directory":
        raise IsADirectory
    return status


def _names(path: ResolvedPath) -> tuple[str, ...]:
    return tuple(name for name in path.virtual.split("/") if name)


def name_warnings(names: Sequence[str], context: ToolContext, *, member: str) -> tuple[str, ...]:
    """Return the warnings about an answer's names, or paths, which it has as data at the member."""
    if is_plain("".join(names)):
        return ()
    escaped = sum(any(escape_name(part) != part for part in name.split("/")) for name in names)
    invalid = sum(not is_encodable(name) for name in names)
    warnings = []
    if context.escape_names and escaped:
        warnings.append(
            f"names with hostile characters: {escaped}; "
            f"text spells these out, {member} has the real names"
        )
    if invalid:
        warnings.append(
            f"names that are not valid UTF-8: {invalid}; {member} has U+FFFD for the invalid bytes"
        )
    return tuple(warnings)


def text_warnings(text: str) -> tuple[str, ...]:
    """Return the warning about hostile characters in a file's text that is shown."""
    hostile = count_hostile(text)
    if not hostile:
        return ()
    noun = "character" if hostile == 1 else "characters"
    return (f"The shown text holds {hostile:,} invisible or bidirectional {noun}.",)
