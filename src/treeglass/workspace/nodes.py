"""The entries that a path may have: file, directory, symbolic link; and changes, as values."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treeglass.workspace.gate import ResolvedPath

NEW_FILE_MODE = 0o644
"""The permissions of a file that a tool makes."""

DIRECTORY_MODE = 0o755
"""The permissions of a directory that a tool makes."""


@dataclass(frozen=True, slots=True)
class File:
    """A file."""

    content: bytes
    mode: int = NEW_FILE_MODE
    """Its permissions, the low nine bits."""


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory that a tool has made; it is empty unless other paths lie in it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link of a mount; no tool makes one."""

    target: str


Node = File | Directory | Link


def full_mode(node: Node) -> int:
    """Return the type and the permissions of a node, as `st_mode` has them."""
    if isinstance(node, File):
        return stat.S_IFREG | node.mode
    return stat.S_IFLNK | 0o777 if isinstance(node, Link) else stat.S_IFDIR | DIRECTORY_MODE


@dataclass(frozen=True, slots=True)
class Change:
    """The entry that one path is to become."""

    path: ResolvedPath
    after: File | Directory | None
    """None if it is to be gone."""
    renamed_from: ResolvedPath | None = None
    """The path that a file is moved away from; a change of its own says that it is gone."""
