"""Patches by hunks, and their calls over one mounted directory."""

import itertools
from pathlib import Path
from typing import Any

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.nodes import Directory, File

BEGIN, END = "*** Begin Patch", "*** End Patch"
SUCCESS = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n"
FAILURE = "Exit code: 1\nWall time: 0 seconds\nOutput:\n"
CHOSEN = {
    "experimental_supported_tools": ["apply_patch"],
    "offered": [],
    "approval": {"mode": "auto"},
}


def patch(*lines: str) -> str:
    return "\n".join([BEGIN, *lines, END])


def update(path: str, old: str, new: str, move_to: str | None = None) -> list[str]:
    moved = [] if move_to is None else [f"*** Move to: {move_to}"]
    return [f"*** Update File: {path}", *moved, "@@", f"-{old}", f"+{new}"]


def add(path: str, *lines: str) -> list[str]:
    return [f"*** Add File: {path}", *(f"+{line}" for line in lines)]


def delete(path: str) -> list[str]:
    return [f"*** Delete File: {path}"]


class Tree:
    """A mounted directory and its calls."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.folder = folder
        self.workspace = Workspace({"/repo": folder}, limits=limits)
        config = Config.from_object({"tools": CHOSEN})
        self.registry = ToolRegistry(self.workspace, config)

    def apply(self, *hunks: list[str], **options: Any) -> ToolResult:
        text = patch(*itertools.chain(*hunks))
        return self.registry.call_tool("apply_patch", {"input": text}, **options)

    @property
    def proposed(self) -> dict[str, bytes | str | None]:
        """Every changed path below the mount: bytes, `directory`, or None if it is gone."""
        found: dict[str, bytes | str | None] = {}
        for path, proposal in self.workspace.overlay.record.proposals.items():
            node = proposal.after
            content = node.content if isinstance(node, File) else None
            is_directory = isinstance(node, Directory)
            found[path.removeprefix("/repo/")] = "directory" if is_directory else content
        return found
