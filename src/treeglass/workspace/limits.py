"""The ceilings of a workspace; those that a tool's specification fixes are in that tool."""

from __future__ import annotations

from dataclasses import dataclass

from treeglass.errors import LimitExceeded

MAX_NAME_BYTES = 255
"""Longest name of one path component, as on Linux (NAME_MAX)."""

MAX_PATH_BYTES = 4095
"""Longest path that an agent may write, as on Linux (PATH_MAX less its NUL)."""

MAX_SYMLINKS = 40
"""Symbolic links followed on one path, as on Linux."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits, all positive, on the reading of one call, and on the proposals of all calls."""

    max_directory_entries: int = 1_000_000
    """Entries read from one directory. Unit: entries."""

    max_walk_entries: int = 2_000_000
    """Entries collected by one recursive call. Unit: entries."""

    max_line_bytes: int = 16 * 1024 * 1024
    """Bytes of one line held in memory, if a tool needs more than its head."""

    max_held_lines: int = 250_000
    """Lines of one file held in memory by one call. Unit: lines."""

    max_searched_files: int = 100_000
    """Files that one call searches. Unit: files."""

    max_searched_bytes: int = 256 * 1024 * 1024
    """Bytes of all files that one call searches."""

    max_fetched_files: int = 10_000
    """Files that one search has the host fetch, if their content is not there. Unit: files."""

    max_fetched_bytes: int = 64 * 1024 * 1024
    """Bytes of all these files."""

    max_patch_bytes: int = 1024 * 1024
    """Bytes of one patch, or of the content that one call writes."""

    max_changed_file_bytes: int = 4 * 1024 * 1024
    """Bytes of one file after a change."""

    max_proposal_bytes: int = 32 * 1024 * 1024
    """Bytes of all proposed files, of what they were, and of what an undo brings back."""

    max_proposal_entries: int = 2_000
    """Paths that differ from the mounts. Unit: entries."""

    max_edits: int = 1_000
    """Edits in one call. Unit: edits."""

    max_undo_steps: int = 200
    """Steps that an undo can take back; older ones stay. Unit: steps."""

    max_seen_keys: int = 20_000
    """The most facts that a family keeps between calls, such as the files read. Unit: keys."""

    def require(self, name: str, value: int) -> None:
        """Raise `LimitExceeded` if a number is above the ceiling of this name."""
        ceiling: int = getattr(self, name)
        if value > ceiling:
            raise LimitExceeded(name, ceiling)

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)!r}")
