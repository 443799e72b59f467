"""The arguments of a call for its tool: decoded from what a model sent, then parsed by the tool."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeglass.call_arguments import ToolArguments, decode_arguments
from treeglass.definition_formats import without_absent_nulls
from treeglass.errors import CallDenied, InvalidArguments
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import Tool

_MAX_ECHO_CHARS = 40


def decode_for(
    tool: Tool[Any], arguments: object, max_bytes: int, *, nulls_are_absent: bool
) -> ToolArguments:
    """Return a call's arguments as a JSON object; more than `max_bytes` of them are `CallDenied`.

    A text that is no JSON object may be the one argument of a tool. Nulls of optional arguments are
    left out if they mean that the argument is absent.
    """
    if isinstance(arguments, str) and tool.free_form_argument:
        arguments = _with_free_form(arguments, tool.free_form_argument)
    if isinstance(arguments, str):
        size = len(arguments.encode("utf-8", "surrogatepass"))
        decoded = None if size > max_bytes else decode_arguments(arguments)
    else:
        decoded = decode_arguments(arguments)
        size = byte_length(json.dumps(decoded.values, ensure_ascii=False))
    if decoded is None or size > max_bytes:
        message = f"Tool arguments too large: {size:,} bytes, at most {max_bytes:,}"
        raise CallDenied("limits_exceeded", message)
    if nulls_are_absent:
        values = without_absent_nulls(decoded.values, tool.input_schema)
        return replace(decoded, values=values)
    return decoded


def parse_for(
    tool: Tool[Any], decoded: ToolArguments, config: Config, *, is_strict: bool
) -> object:
    """Return what the tool makes of its arguments; with a strict schema no key may occur twice."""
    # The tool's own words come first. Without a strict schema, it decides alone.
    parsed = tool.parse_arguments(decoded, config)
    if is_strict and decoded.repeated_keys:
        key = json.dumps(min(decoded.repeated_keys))[:_MAX_ECHO_CHARS]
        raise InvalidArguments(f"the arguments hold {key} more than once; give each key once")
    return parsed


def _with_free_form(text: str, argument: str) -> str | dict[str, object]:
    """Return a text as the one argument of a tool, unless it is JSON that holds arguments."""
    if not text.lstrip().startswith(("{", '"')):
        return {argument: text}
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return {argument: decoded} if isinstance(decoded, str) else text
