"""Mounts, the one path gate, and bounded listing and reading behind it."""

from treeglass.workspace.entries import Entry, EntryKind, Status
from treeglass.workspace.gate import ResolvedPath
from treeglass.workspace.limits import Limits
from treeglass.workspace.mounts import require_virtual
from treeglass.workspace.workspace import Workspace

__all__ = ["Entry", "EntryKind", "Limits", "ResolvedPath", "Status", "Workspace", "require_virtual"]
