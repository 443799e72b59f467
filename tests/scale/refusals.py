"""A small tree, and the words in which each tool refuses a call on it.

The expected texts are put together here from each family's own words, with no
code of the tools.
"""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.host import HostFileSystem

PATH_KEYS = {
    "list_dir": "dir_path",
    "read_file": "file_path",
    "LS": "path",
    "list_directory": "path",
}
"""The argument of each tool that holds the path."""

TOOLS = tuple(PATH_KEYS)

NO_FILE = "No such file or directory (os error 2)"

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
    structured_content: dict[str, Any] | None = None
    truncated: bool = False
    next_arguments: dict[str, Any] | None = None
    warnings: tuple[str, ...] = ()


def told(result: ToolResult) -> Told:
    """Return all that an answer says."""
    return Told(
        result.content,
        result.error.kind if result.error else None,
        result.error.message if result.error else None,
        result.structured_content,
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


class BadPath(NamedTuple):
    """A path that every tool refuses, and how."""

    codex: str
    """The path for `list_dir` and `read_file`."""
    reason: str
    """What they say of it."""
    ls: str
    ls_words: tuple[str, str]
    """The code and the message."""
    forge: str
    forge_words: tuple[str, str]
    """The kind and the message."""
    resolved: str | None = None
    """What `LS` resolves it to."""
    warnings: tuple[str, ...] = ()
    """Those of `list_directory`."""

    def arguments(self, tool: str) -> dict[str, str]:
        """Return the arguments with which a tool is asked for it."""
        paths = {"LS": self.ls, "list_directory": self.forge}
        return {PATH_KEYS[tool]: paths.get(tool, self.codex)}

    def refusal(self, tool: str) -> Told:
        """Return the whole answer of a tool."""
        if tool == "LS":
            code, message = self.ls_words
            echo = {"path": self.ls}
            return envelope_refusal(code, message, echo=echo, path_resolved=self.resolved)
        if tool == "list_directory":
            return forge_refusal(*self.forge_words)._replace(warnings=self.warnings)
        if not self.codex.startswith("/"):
            return codex_refusal(f"{PATH_KEYS[tool]} must be an absolute path")
        what = "directory" if tool == "list_dir" else "file"
        return codex_refusal(f"failed to read {what}: {self.reason}")


def assert_refused(registry: ToolRegistry, tool: str, path: BadPath) -> None:
    """Assert that a tool refuses a path, and that every tool still answers an ordinary call."""
    assert told(registry.call_tool(tool, path.arguments(tool))) == path.refusal(tool)
    assert_next_calls_work(registry)


def assert_next_calls_work(registry: ToolRegistry) -> None:
    """Assert that every tool still answers an ordinary call in full."""
    for tool, (arguments, expected) in _GOOD_CALLS.items():
        assert told(registry.call_tool(tool, arguments)) == expected


def envelope_listing(path: str, name: str, given: dict[str, str]) -> Told:
    """Return what `LS` says of a directory with one file."""
    count = "(Total: 1 items - 0 dirs, 1 files, 0 links)"
    envelope = {
        "status": "success",
        "data": {"entries": [{"path": name, "type": "file"}], "truncated": False},
        "text": f"Listed 1 entries in '{path}'\n{count}\n\n{name}",
        "stats": {
            "time_ms": 1,
            "total_entries": 1,
            "dirs": 0,
            "files": 1,
            "links": 0,
            "returned": 1,
        },
        "context": {"cwd": ".", "params_input": given, "path_resolved": path},
    }
    return Told(json.dumps(envelope, indent=2), structured_content=envelope)


def listed_entry(
    name: str,
    kind: str,
    error_code: str | None = None,
    error: str | None = None,
    *,
    size_bytes: int | None = None,
) -> dict[str, Any]:
    """Return what `list_directory` says of an entry."""
    return {
        "name": name,
        "path": name,
        "depth": 1,
        "type": kind,
        "size_bytes": size_bytes,
        "modified_epoch_ms": None if error_code == "metadata_unavailable" else MODIFIED_S * 1000,
        "is_hidden": False,
        "error_code": error_code,
        "error": error,
    }


def listing(*entries: dict[str, Any], path: str = ".") -> Told:
    """Return what `list_directory` says of a directory with these entries."""
    unknown = sum(entry["type"] == "unknown" for entry in entries)
    listed = {
        "path": path,
        "entries": list(entries),
        "returned": len(entries),
        "max_entries": 200,
        "truncated": False,
        "truncated_reason": None,
    }
    warning = f"Entries that cannot be inspected or read, see error_code: {unknown}."
    return Told(
        json.dumps(listed, separators=(",", ":")),
        structured_content=listed,
        warnings=(warning,) if unknown else (),
    )


_GOOD_CALLS: dict[str, tuple[dict[str, Any], Told]] = {
    "list_dir": ({"dir_path": "/repo/src"}, Told("Absolute path: /repo/src\napp.py")),
    "read_file": ({"file_path": "/repo/src/app.py"}, Told("L1: x = 1")),
    "LS": ({"path": "src"}, envelope_listing("src", "src/app.py", {"path": "src"})),
    "list_directory": (
        {"path": "src"},
        listing(listed_entry("app.py", "file", size_bytes=6), path="src"),
    ),
}
