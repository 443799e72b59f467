"""Calls of LS, each answer held against the whole protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config, ToolFailure, ToolRegistry, ToolResult, Workspace
from treeglass.tools.envelope.definitions import LS
from treeglass.tools.envelope.envelope_schema import LS_OUTPUT_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeTree = Callable[..., Path]

RAW = Config.from_object({"tools": {"output": {"escape_names": False}}})
IS_LS_ENVELOPE = Draft202012Validator(LS_OUTPUT_SCHEMA)


def call(
    workspace: Workspace, arguments: Any = (), config: Config | None = None, **options: Any
) -> ToolResult:
    """Answer one call at a standstill of time, and hold the answer against the protocol."""
    registry = ToolRegistry(workspace, config, tools=[LS], clock=lambda: 0.0)
    sent = arguments if isinstance(arguments, str) else dict(arguments)
    result = registry.call_tool("LS", sent, **options)
    assert result.structured is not None
    assert result.content == json.dumps(result.structured, ensure_ascii=False, indent=2)
    assert list(IS_LS_ENVELOPE.iter_errors(result.structured)) == []
    error = result.structured.get("error")
    assert result.error == (error and ToolFailure(error["code"], error["message"]))
    assert result.truncated == (result.structured["status"] == "partial")
    return result


def text_of(workspace: Workspace, config: Config | None = None, **arguments: Any) -> str:
    text = (call(workspace, arguments, config).structured or {})["text"]
    assert isinstance(text, str)
    return text


TREE: dict[str, str | bytes | None] = {
    "src/main.py": "x",
    "src/util/a.py": "x",
    "src/.cache": "x",
    "README.md": "x",
    "build/out": "x",
    ".git/config": "x",
    "to_src": "-> src",
    "to_file": "-> README.md",
    "to_nothing": "-> nothing",
    "to_itself": "-> to_itself",
    "to_outside": "-> ../..",
}
