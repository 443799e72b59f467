"""Calls of `Read`, `Glob` and `Grep`, each answer held against the whole protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config, ToolFailure, ToolRegistry, ToolResult, Workspace
from treeglass.tools.envelope.definitions import GLOB, GREP, READ

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = {tool.name: tool for tool in (READ, GLOB, GREP)}
RAW = Config.from_object({"tools": {"output": {"escape_names": False}}})


def call(
    tool: str,
    workspace: Workspace,
    arguments: Any,
    config: Config | None = None,
    *,
    clock: Callable[[], float] = lambda: 0.0,
    **options: Any,
) -> ToolResult:
    """Answer one call, at a standstill of time by default, and hold it against the protocol."""
    registry = ToolRegistry(workspace, config, tools=TOOLS.values(), clock=clock)
    result = registry.call_tool(tool, arguments, **options)
    assert result.structured is not None
    assert result.content == json.dumps(result.structured, ensure_ascii=False, indent=2)
    schema = TOOLS[tool].output_schema
    assert [
        fault.message for fault in Draft202012Validator(schema).iter_errors(result.structured)
    ] == []
    error = result.structured.get("error")
    assert result.error == (error and ToolFailure(error["code"], error["message"]))
    return result


def data_of(result: ToolResult) -> Any:
    return (result.structured or {})["data"]


def text_of(result: ToolResult) -> Any:
    return (result.structured or {})["text"]
