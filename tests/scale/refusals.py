"""A small tree, and the words in which each tool refuses a call on it.

The expected texts are put together here from each family's own words, with no
code of the tools.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass import Config, ToolRegistry, Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from treeglass import ToolResult
    from treeglass.workspace.host import HostFileSystem

PATH_KEYS = {
    "list_dir": "dir_path",
    "read_file": "file_path",
    "LS": "path",
    "list_directory": "path",
}
"""The argument of each tool that holds the path."""

TOOLS = tuple(PATH_KEYS)

MODIFIED_S = 1_600_000_000
"""When every file and directory of these tests was modified, in seconds since 1970."""


def make_bad_tree(top: Path) -> Path:
    """Write a secret, and beside it a tree with links to it; returns the tree."""
    outside = top / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret\n", "utf-8")
    tree = top / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "app.py").write_text("x = 1\n", "utf-8")
    os.utime(tree / "src" / "app.py", (MODIFIED_S, MODIFIED_S))
    (tree / "out-absolute").symlink_to(outside)
    (tree / "out-relative").symlink_to("../outside")
    (tree / "out-file").symlink_to("../outside/secret.txt")
    (tree / "round").symlink_to("round")
    return tree


def registry_on(tree: Path, file_system: HostFileSystem | None = None) -> ToolRegistry:
    """Return the tools on a tree at `/repo`; their clock stands still."""
    workspace = Workspace({"/repo": tree}, file_system=file_system)
    return ToolRegistry(workspace, Config(), clock=lambda: 0.0)


class Told(NamedTuple):
    """A whole answer without its elapsed time."""

    content: str
    kind: str | None = None
    message: str | None = None
    structured: dict[str, Any] | None = None
    truncated: bool = False
    next_arguments: dict[str, Any] | None = None
    warnings: tuple[str, ...] = ()


def told(result: ToolResult) -> Told:
    """Return all that an answer says."""
    return Told(
        result.content,
        result.error.kind if result.error else None,
        result.error.message if result.error else None,
        result.structured,
        result.truncated,
        result.next_arguments,
        result.warnings,
    )


def codex_refusal(message: str) -> Told:
    """Return what `list_dir` and `read_file` say: the sentence and nothing else."""
    return Told(message, "RespondToModel", message)


def envelope_refusal(
    code: str, message: str, *, echo: object, path_resolved: str | None = None
) -> Told:
    """Return the refusal of `LS`: an envelope that repeats the arguments."""
    context: dict[str, Any] = {"cwd": ".", "params_input": echo}
    if path_resolved is not None:
        context["path_resolved"] = path_resolved
    envelope = {
        "status": "error",
        "data": {},
        "text": message,
        "error": {"code": code, "message": message},
        "stats": {"time_ms": 0},
        "context": context,
    }
    return Told(json.dumps(envelope, ensure_ascii=False, indent=2), code, message, envelope)


def forge_refusal(kind: str, message: str) -> Told:
    """Return what `list_directory` says: the sentence after the words of its kind."""
    words = {"BadArgs": "Bad args: ", "ExecutionFailed": "list_directory failed: "}
    return Told(words.get(kind, "") + message, kind, message)


_ENVELOPE = {
    "status": "success",
    "data": {"entries": [{"path": "src/app.py", "type": "file"}], "truncated": False},
    "text": "Listed 1 entries in 'src'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\nsrc/app.py",
    "stats": {
        "time_ms": 1,
        "total_entries": 1,
        "dirs": 0,
        "files": 1,
        "links": 0,
        "returned": 1,
    },
    "context": {"cwd": ".", "params_input": {"path": "src"}, "path_resolved": "src"},
}
_LISTING = {
    "path": "src",
    "entries": [
        {
            "name": "app.py",
            "path": "app.py",
            "depth": 1,
            "type": "file",
            "size_bytes": 6,
            "modified_epoch_ms": MODIFIED_S * 1000,
            "is_hidden": False,
            "error_code": None,
            "error": None,
        }
    ],
    "returned": 1,
    "max_entries": 200,
    "truncated": False,
    "truncated_reason": None,
}
_GOOD_CALLS: dict[str, tuple[dict[str, Any], Told]] = {
    "list_dir": ({"dir_path": "/repo/src"}, Told("Absolute path: /repo/src\napp.py")),
    "read_file": ({"file_path": "/repo/src/app.py"}, Told("L1: x = 1")),
    "LS": ({"path": "src"}, Told(json.dumps(_ENVELOPE, indent=2), structured=_ENVELOPE)),
    "list_directory": (
        {"path": "src"},
        Told(json.dumps(_LISTING, separators=(",", ":")), structured=_LISTING),
    ),
}


def assert_next_calls_work(registry: ToolRegistry) -> None:
    """Assert that every tool still answers an ordinary call in full."""
    for tool, (arguments, expected) in _GOOD_CALLS.items():
        assert told(registry.call_tool(tool, arguments)) == expected


def listed_entry(
    name: str, kind: str, error_code: str | None = None, error: str | None = None
) -> dict[str, Any]:
    """Return what `list_directory` says of a subdirectory, or of an entry with a fault."""
    return {
        "name": name,
        "path": name,
        "depth": 1,
        "type": kind,
        "size_bytes": None,
        "modified_epoch_ms": None if error_code == "metadata_unavailable" else MODIFIED_S * 1000,
        "is_hidden": False,
        "error_code": error_code,
        "error": error,
    }


def root_listing(entries: list[dict[str, Any]]) -> Told:
    """Return what `list_directory` says of a directory with these entries."""
    listing = {
        "path": ".",
        "entries": entries,
        "returned": len(entries),
        "max_entries": 200,
        "truncated": False,
        "truncated_reason": None,
    }
    return Told(json.dumps(listing, separators=(",", ":")), structured=listing)
