"""Tool definitions in the shape that each kind of agent host takes.

Pure renames of one `ToolDefinition`; no shape adds or loses a fact that its
host has a place for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from treeglass.tool import ToolDefinition

FormatName = Literal["mcp", "openai", "openai-chat", "anthropic", "gemini"]
"""`openai` is the Responses API, `openai-chat` is Chat Completions."""

FORMAT_NAMES: tuple[FormatName, ...] = get_args(FormatName)


def render_definitions(definitions: Iterable[ToolDefinition], format_name: FormatName) -> Any:
    """Return definitions as the JSON value that a host takes for its tools.

    A list of tools, but for `gemini`, whose list holds one object with all
    function declarations.
    """
    shapes: dict[FormatName, Callable[[ToolDefinition], dict[str, Any]]] = {
        "mcp": mcp_tool,
        "openai": _openai_tool,
        "openai-chat": _openai_chat_tool,
        "anthropic": _anthropic_tool,
        "gemini": _gemini_declaration,
    }
    tools = [shapes[format_name](definition) for definition in definitions]
    return [{"functionDeclarations": tools}] if format_name == "gemini" else tools


def mcp_tool(definition: ToolDefinition) -> dict[str, Any]:
    """Return a definition as MCP lists it; what MCP has no word for is in `_meta`."""
    hints = definition.annotations
    tool: dict[str, Any] = {
        "name": definition.name,
        "title": definition.title,
        "description": definition.description,
        "inputSchema": definition.input_schema,
    }
    if definition.output_schema is not None:
        tool["outputSchema"] = definition.output_schema
    tool["annotations"] = {
        "title": definition.title,
        "readOnlyHint": hints.read_only_hint,
        "destructiveHint": hints.destructive_hint,
        "idempotentHint": hints.idempotent_hint,
        "openWorldHint": hints.open_world_hint,
    }
    tool["_meta"] = {
        "treeglass/family": definition.family,
        "treeglass/isSideEffecting": definition.is_side_effecting,
        "treeglass/requiresApproval": definition.requires_approval,
        "treeglass/riskLevel": definition.risk_level,
        "treeglass/supportsParallelToolCalls": definition.supports_parallel_tool_calls,
    }
    return tool


def _openai_tool(definition: ToolDefinition) -> dict[str, Any]:
    # Strict mode demands that every property is required, which none of the
    # published schemas says; so the schema is sent as it is published.
    return {
        "type": "function",
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.input_schema,
        "strict": False,
    }


def _openai_chat_tool(definition: ToolDefinition) -> dict[str, Any]:
    tool = _openai_tool(definition)
    return {"type": tool.pop("type"), "function": tool}


def _anthropic_tool(definition: ToolDefinition) -> dict[str, Any]:
    return {
        "name": definition.name,
        "description": definition.description,
        "input_schema": definition.input_schema,
    }


def _gemini_declaration(definition: ToolDefinition) -> dict[str, Any]:
    declaration = {
        "name": definition.name,
        "description": definition.description,
        "parametersJsonSchema": definition.input_schema,
    }
    if definition.output_schema is not None:
        declaration["responseJsonSchema"] = definition.output_schema
    return declaration
