"""What may be at a path: a file, a directory or a symbolic link, as values."""

from __future__ import annotations

from dataclasses import dataclass

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
