"""Sessions of the envelope tools that change, each answer held against its schema."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace
from treeglass.tools.envelope import definitions
from treeglass.tools.envelope.changes import definitions as change_definitions

SCHEMAS = {
    tool.name: tool.output_schema for tool in (*definitions.TOOLS, *change_definitions.TOOLS)
}
OFFERED = ["Read", "Write", "Edit", "MultiEdit"]


class Session:
    """Calls over one folder that is mounted at `/repo`, in order."""

    def __init__(
        self,
        folder: Path,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = lambda: 0.0,
        **tables: Any,
    ) -> None:
        self.workspace = Workspace({"/repo": folder}, limits=limits)
        self.config = Config.from_object(
            {"tools": {"offered": OFFERED, "approval": {"mode": "auto"}, **tables}}
        )
        self.registry = ToolRegistry(self.workspace, self.config, clock=clock)

    def call(self, tool: str, arguments: Any, **options: Any) -> ToolResult:
        """Answer the next call."""
        result = self.registry.call_tool(tool, arguments, **options)
        assert result.structured_content is not None
        assert result.content == json.dumps(result.structured_content, ensure_ascii=False, indent=2)
        faults = Draft202012Validator(SCHEMAS[tool]).iter_errors(result.structured_content)
        assert [fault.message for fault in faults] == []
        return result

    def read(self, path: str) -> ToolResult:
        """Answer a call of `Read`."""
        return self.call("Read", {"path": path})

    def edit(self, path: str, old: str, new: str, **more: Any) -> ToolResult:
        """Answer a call of `Edit`."""
        return self.call("Edit", {"path": path, "old_string": old, "new_string": new, **more})

    def multi_edit(self, path: str, *edits: tuple[str, str], **more: Any) -> ToolResult:
        """Answer a call of `MultiEdit`."""
        listed = [{"old_string": old, "new_string": new} for old, new in edits]
        return self.call("MultiEdit", {"path": path, "edits": listed, **more})

    def write(self, path: str, content: str, **more: Any) -> ToolResult:
        """Answer a call of `Write`."""
        return self.call("Write", {"path": path, "content": content, **more})

    def content(self, path: str) -> bytes:
        """Return the bytes of a file as the tools see it."""
        with self.workspace.open(self.workspace.resolve(path)) as file:
            return file.read()

    def proposed(self) -> list[str]:
        """Return the paths that differ from the mount."""
        return sorted(self.workspace.overlay.record.proposals)


def failure(result: ToolResult) -> tuple[str, str] | None:
    """Return the code and the message of a failed call, or None."""
    error = result.error
    return None if error is None else (error.kind, error.message)


def context_of(result: ToolResult) -> Any:
    return (result.structured_content or {})["context"]


def data_of(result: ToolResult) -> Any:
    return (result.structured_content or {})["data"]


def text_of(result: ToolResult) -> Any:
    return (result.structured_content or {})["text"]
