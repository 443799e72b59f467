"""Calls of the envelope tools, each answer held against the whole protocol."""

import json
from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config, ToolFailure, ToolRegistry, ToolResult, Workspace
from treeglass.tools.envelope.definitions import TOOLS as ENVELOPE_TOOLS

TOOLS = {tool.name: tool for tool in ENVELOPE_TOOLS}
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
    assert result.structured_content is not None
    assert result.content == json.dumps(result.structured_content, ensure_ascii=False, indent=2)
    schema = TOOLS[tool].output_schema
    assert [
        fault.message
        for fault in Draft202012Validator(schema).iter_errors(result.structured_content)
    ] == []
    error = result.structured_content.get("error")
    assert result.error == (error and ToolFailure(error["code"], error["message"]))
    assert tool != "LS" or result.truncated == (result.structured_content["status"] == "partial")
    return result


def call_ls(
    workspace: Workspace, arguments: Any = (), config: Config | None = None, **options: Any
) -> ToolResult:
    """Answer a call of `LS`; its arguments may be a text."""
    sent = arguments if isinstance(arguments, str) else dict(arguments)
    return call("LS", workspace, sent, config, **options)


def data_of(result: ToolResult) -> Any:
    return (result.structured_content or {})["data"]


def text_of(result: ToolResult) -> Any:
    return (result.structured_content or {})["text"]


def ls_text(workspace: Workspace, config: Config | None = None, **arguments: Any) -> str:
    return str(text_of(call_ls(workspace, arguments, config)))


LS_TREE: dict[str, str | bytes | None] = {
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
