"""The recorded calls of the tools that change: loaded, run over a tree on a disk, and compared.

A case's `changes` are compared with the whole difference that its calls have made in the overlay.
A spy below each call makes sure that no write reaches the mounted directory or what lies beside it.
"""

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conformance.trees import MOUNT_POINT, parse_tree, substituted, write_tree
from tests.support.write_spy import nothing_written
from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.nodes import Directory, File, Node
from treeglass.workspace.overlay.record import Proposal

Json = dict[str, Any]

CASES = Path(__file__).parent.parent / "cases" / "edit"

START_MS = 1_700_000_000_000
"""The time of each file of a tree, unless the case says another."""


@dataclass(frozen=True, slots=True)
class EditCase:
    """One recorded case, its virtual paths put in."""

    id: str
    recorded: Json
    """The case as its file has it; `calls` is always there."""
    tree: Json
    base_layout: Json


def load(name: str) -> list[EditCase]:
    """Return the cases of one file of `cases/edit`, such as `apply_patch`."""
    document = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return [
        EditCase(
            id=case["id"],
            recorded=substituted(case if "calls" in case else {**case, "calls": [case]}),
            tree=document["trees"][case["tree"]],
            base_layout=document["base_layout"],
        )
        for case in document["cases"]
    ]


@dataclass(slots=True)
class Session:
    """The calls of one case over its tree."""

    folder: Path
    registry: ToolRegistry
    workspace: Workspace
    calls: int = 0
    _before: dict[str, Node | None] = field(default_factory=dict)

    def call(self, tool: str, arguments: str | Mapping[str, object], **options: Any) -> ToolResult:
        """Make the next call; what call `n` writes gets the recorded time of call `n`."""
        self.calls += 1
        self._before = _nodes(self.workspace.overlay.record.proposals)
        with nothing_written(self.folder.parent):
            return self.registry.call_tool(
                tool, arguments, time_ms=START_MS + self.calls * 1000, **options
            )

    def changes_of_last_call(self) -> Json:
        """Return what the last call has changed, in the form of `recorded_changes`."""
        return self._changes_since(self._before)

    def changes(self) -> Json:
        """Return what all calls have changed."""
        return self._changes_since({})

    def _changes_since(self, before: Mapping[str, Node | None]) -> Json:
        proposals = self.workspace.overlay.record.proposals
        found: Json = {"written": {}, "deleted": [], "dirs_made": [], "modes": {}}
        for path in sorted({*before, *proposals}):
            name = path.removeprefix(f"{MOUNT_POINT}/")
            proposal = proposals.get(path)
            base = None if proposal is None else proposal.base.node
            was = before.get(path, base)
            now = None if proposal is None else proposal.after
            if was == now:
                continue
            if isinstance(now, File):
                if not isinstance(was, File) or was.content != now.content:
                    found["written"][name] = now.content
                if now.mode != (was.mode if isinstance(was, File) else 0o644):
                    found["modes"][name] = f"{now.mode:o}"
            elif isinstance(now, Directory):
                found["dirs_made"].append(name)
            else:
                found["deleted"].append(name)
        return {key: value for key, value in found.items() if value}


def _nodes(proposals: Mapping[str, Proposal]) -> dict[str, Node | None]:
    return {path: proposal.after for path, proposal in proposals.items()}


def open_session(case: EditCase, base: Path, config: Json) -> Session:
    """Write a case's tree below a folder, and return a session over it."""
    tree = {**case.tree, "mtime_ms": {**dict.fromkeys(case.tree["files"], START_MS)}}
    tree["mtime_ms"] |= case.tree.get("mtime_ms", {})
    write_tree(parse_tree(tree, case.base_layout), base)
    workspace = Workspace({MOUNT_POINT: base / "project"})
    consent = {"approval": {"mode": "auto"}}
    registry = ToolRegistry(workspace, Config.from_object({"tools": {**consent, **config}}))
    return Session(base / "project", registry, workspace)


def recorded_changes(changes: Json) -> Json:
    """Return a recorded difference with its contents as bytes, and its lists sorted."""
    found: Json = {}
    for key, value in changes.items():
        if key == "written":
            found[key] = {path: _content(content) for path, content in value.items()}
        elif value:
            found[key] = sorted(value) if isinstance(value, list) else value
    return found


def with_long_contents_hashed(changes: Json, expected: Json) -> Json:
    """Return changes with each content hashed that the recorded ones have as a hash."""
    written = {
        path: _hashed(content)
        if isinstance(expected.get("written", {}).get(path), dict)
        else content
        for path, content in changes.get("written", {}).items()
    }
    return {**changes, **({"written": written} if written else {})}


def _content(recorded: Json) -> bytes | Json:
    if "sha256" in recorded:
        return recorded
    if "base64" in recorded:
        return base64.b64decode(recorded["base64"])
    times: int = recorded.get("times", 1)
    return os.fsencode(recorded["text"]) * times


def _hashed(content: bytes) -> Json:
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def contents_of(folder: Path) -> dict[str, bytes | str | None]:
    """Return everything in a folder: bytes of a file, target of a link, None of a directory."""
    found: dict[str, bytes | str | None] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = None if path.is_dir() else path.read_bytes()
    return found
