"""The built-in tools: three families that do not import each other.

"A family is a folder" in docs/architecture.md says which module of a family has what, and "How to
add a tool" of the guide for contributors names every place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treeglass.tools.codex import definitions as codex
from treeglass.tools.envelope import definitions as envelope
from treeglass.tools.forge import definitions as forge

if TYPE_CHECKING:
    from treeglass.config import ToolsTable
    from treeglass.tool import Tool

READING_TOOLS: tuple[Tool[Any], ...] = (*codex.TOOLS, *envelope.TOOLS, *forge.TOOLS)
"""The built-in tools that only read; `treeglass.tools.builtin` has all."""


def builtin_tools(table: ToolsTable) -> tuple[Tool[Any], ...]:
    """Return the built-in tools that a configuration can offer."""
    if not table.offers_changes:
        return READING_TOOLS
    from treeglass.tools.builtin import BUILTIN_TOOLS  # noqa: PLC0415  # only changes need it

    return BUILTIN_TOOLS
