"""The answer to a call of a tool that is not offered, with advice to the host beside it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from treeglass.errors import CallDenied
from treeglass.escaping import escape_controls
from treeglass.tool import ToolContext, ToolFailure, ToolResult
from treeglass.tool_names import CODEX_TOOLS, FULL_NAMES, TOOL_NAMES, nearest_name

if TYPE_CHECKING:
    from treeglass.config import ToolsTable
    from treeglass.offered_tools import OfferedTools


def refuse_unknown(
    name: str,
    ask_policy: Callable[[str], None],
    offered: OfferedTools,
    table: ToolsTable,
    context: ToolContext,
) -> ToolResult:
    """Answer a call of an unknown tool; a refusal by policy comes first."""
    advice = advice_on(name, offered.by_name, offered.public_names, table)
    if name in FULL_NAMES:
        # Callers know it by its own name, as the refusal of one that is offered says.
        name = table.public_name(*name.split(".", 1))
    try:
        ask_policy(name)
    except CallDenied as denied:
        return _refusal("CallDenied", context.cut_error(str(denied)))
    message = context.cut_error(f"Unknown tool: {escape_controls(name)}")
    return replace(_refusal("UnknownTool", message), warnings=(advice,))


def _refusal(kind: str, message: str) -> ToolResult:
    return ToolResult(content=message, error=ToolFailure(kind, message))


def advice_on(
    said: str, offered: Collection[str], public_names: Mapping[str, str], table: ToolsTable
) -> str:
    """Return the tools that are offered, after how to call or to offer the one that was meant.

    Args:
        said: The name of the call.
        offered: The names that callers know the tools by.
        public_names: The same by each tool's own names.
        table: What the configuration offers of the built-in tools.
    """
    names = ", ".join(sorted(offered))
    listed = f"The tools are: {names}." if names else "No tool is offered."
    advice = _advice_on(said, offered, public_names, table)
    return f"{advice} {listed}" if advice else listed


def _advice_on(
    said: str, offered: Collection[str], public_names: Mapping[str, str], table: ToolsTable
) -> str:
    if said in public_names:
        return f"The tool {said} is called {public_names[said]} here."
    for tool in TOOL_NAMES:
        if said in tool.spellings and not table.is_offered(tool.family, tool.name):
            key = "experimental_supported_tools" if tool.name in CODEX_TOOLS else "offered"
            return f'{said} is not offered: add "{said}" to tools.{key} of the configuration.'
    nearest = nearest_name(said, offered)
    return f"Did you mean {nearest}?" if nearest else ""
