"""Tool definitions in the shape that each kind of agent host takes; the one source of them.

A shape has every fact of the definition that its host has a place for, and no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from treeglass.errors import UnknownFormat

if TYPE_CHECKING:
    from treeglass.tool import ToolDefinition

FormatName = Literal["mcp", "openai", "openai-custom", "openai-chat", "anthropic", "gemini"]
"""`openai` is the Responses API, `openai-custom` the same with custom tools for those whose input
may be a plain text, and `openai-chat` is Chat Completions."""

FORMAT_NAMES: tuple[FormatName, ...] = get_args(FormatName)


def render_definitions(
    definitions: Iterable[ToolDefinition],
    format_name: FormatName,
    names: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Return definitions as the JSON value that a host takes for its tools.

    A list of tools; the list for `gemini` holds one object with all function declarations. `names`
    has the wanted tools by the names that callers know, or by full names, each with the name that
    the host sees; by default all of them keep their own names. `UnknownFormat` lists the formats.
    """
    shapes: dict[FormatName, Callable[[ToolDefinition], dict[str, Any]]] = {
        "mcp": _mcp_tool,
        "openai": _openai_tool,
        "openai-custom": _openai_custom_tool,
        "openai-chat": _openai_chat_tool,
        "anthropic": partial(_described, schema_key="input_schema"),
        # Without a schema of the response, which is the text under one key.
        "gemini": partial(_described, schema_key="parametersJsonSchema"),
    }
    if format_name not in shapes:
        raise UnknownFormat(f"there is no format {format_name!r}; it is one of {', '.join(shapes)}")
    wanted = definitions if names is None else _renamed(definitions, names)
    tools = [shapes[format_name](definition) for definition in wanted]
    return [{"functionDeclarations": tools}] if format_name == "gemini" else tools


def _renamed(
    definitions: Iterable[ToolDefinition], names: Mapping[str, str]
) -> Iterator[ToolDefinition]:
    for definition in definitions:
        for name in (definition.full_name, definition.name):
            if name in names:
                yield replace(definition, name=names[name])
                break


def _mcp_tool(definition: ToolDefinition) -> dict[str, Any]:
    """Return a definition as MCP lists it; `_meta` has the facts that MCP has no field for."""
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
        "treeglass/fullName": definition.full_name,
        "treeglass/isSideEffecting": definition.is_side_effecting,
        "treeglass/requiresApproval": definition.requires_approval,
        "treeglass/riskLevel": definition.risk_level,
        "treeglass/supportsParallelToolCalls": definition.supports_parallel_tool_calls,
    }
    return tool


def _openai_tool(definition: ToolDefinition) -> dict[str, Any]:
    return {
        "type": "function",
        "name": definition.name,
        "description": definition.description,
        "parameters": strict_schema(definition.input_schema),
        "strict": True,
    }


def _openai_custom_tool(definition: ToolDefinition) -> dict[str, Any]:
    """Return a custom tool if there is a grammar: its calls carry a text in place of arguments."""
    if not definition.grammar:
        return _openai_tool(definition)
    return {
        "type": "custom",
        "name": definition.name,
        "description": definition.description,
        "format": {"type": "grammar", "syntax": "lark", "definition": definition.grammar},
    }


def _openai_chat_tool(definition: ToolDefinition) -> dict[str, Any]:
    tool = _openai_tool(definition)
    return {"type": tool.pop("type"), "function": tool}


def _described(definition: ToolDefinition, schema_key: str) -> dict[str, Any]:
    return {
        "name": definition.name,
        "description": definition.description,
        schema_key: definition.input_schema,
    }


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema that a strict host takes: every property required, no other allowed.

    An optional property may be null, which means absent; the caller of the tool removes such nulls
    by `without_absent_nulls`. The strict dialect has no keyword for a default, so the description
    says it. Each property has one type, and no keyword such as `oneOf`.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    return {
        **schema,
        "properties": {
            name: _strict_value(value, is_optional=name not in required)
            for name, value in properties.items()
        },
        "required": list(properties),
        "additionalProperties": False,
    }


def _strict_value(schema: Mapping[str, Any], *, is_optional: bool) -> dict[str, Any]:
    value = strict_schema(schema) if schema.get("type") == "object" else dict(schema)
    default = value.pop("default", None)
    if default is not None:
        said = f"Default: {json.dumps(default, ensure_ascii=False)}."
        value["description"] = f"{value.get('description', '')} {said}".lstrip()
    if is_optional:
        value["type"] = [value["type"], "null"]
        if "enum" in value:
            value["enum"] = [*value["enum"], None]
    return value


def without_absent_nulls(
    values: Mapping[str, Any], input_schema: Mapping[str, Any]
) -> dict[str, Any]:
    """Return arguments without the nulls that mean absent; undoes `strict_schema`.

    Removes only a null of an optional property, at the top or in a nested object.
    Any other mistake stays, for the tool to refuse in its own words.
    """
    properties = input_schema.get("properties", {})
    required = input_schema.get("required", ())
    return {
        name: (
            without_absent_nulls(value, properties[name])
            if name in properties and isinstance(value, dict)
            else value
        )
        for name, value in values.items()
        if value is not None or name not in properties or name in required
    }
