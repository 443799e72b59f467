"""Advice to a host, beside the answer to a call of a tool that is not offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.nearest_name import nearest_name
from treeglass.tool_names import CODEX_TOOLS, TOOL_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from treeglass.config import ToolsTable


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
