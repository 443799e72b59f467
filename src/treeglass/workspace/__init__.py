"""Mounts, the one path gate, and bounded listing and reading behind it.

The only package that touches a filesystem. To add an operation, write a method
of `Workspace` that takes a `ResolvedPath`.
"""

from treeglass.workspace.entries import Entry, EntryKind, Status
from treeglass.workspace.gate import ResolvedPath
from treeglass.workspace.limits import Limits
from treeglass.workspace.mounts import require_virtual
from treeglass.workspace.workspace import Workspace

__all__ = ["Entry", "EntryKind", "Limits", "ResolvedPath", "Status", "Workspace", "require_virtual"]
