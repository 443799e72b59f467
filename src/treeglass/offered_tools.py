"""The tools that one registry offers, by the names that callers know them by."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeglass.errors import ConfigInvalid
from treeglass.tool_names import POLICY_NAMES, TOOL_NAMES, names_in_configuration
from treeglass.tools import builtin_tools

if TYPE_CHECKING:
    from treeglass.config import ToolsTable
    from treeglass.tool import Tool


class OfferedTools:
    """The offered ones of some tools, by default the built-in ones.

    Raises:
        ValueError: Two tools that are offered have the same name.
    """

    def __init__(self, table: ToolsTable, tools: Iterable[Tool[Any]] | None) -> None:
        self.by_name: dict[str, Tool[Any]] = {}
        """By the names that callers know them by."""
        self.public_names: dict[str, str] = {}
        """The same names, by each name that a configuration may call the tool by."""
        builtin = {tool.name for tool in TOOL_NAMES}
        for tool in builtin_tools(table) if tools is None else tools:
            # The configuration chooses among the built-in tools; a host's own tool is offered.
            if tool.name not in builtin:
                self._add(tool, tool.name)
            elif table.is_offered(tool.family, tool.name):
                self._add(tool, table.public_name(tool.family, tool.name))
        self.is_changing = any(tool.is_changing for tool in self.by_name.values())
        """True if one of them proposes changes."""

    def _add(self, tool: Tool[Any], name: str) -> None:
        if name in self.by_name:
            raise ValueError(f"Duplicate tool: {name}")
        full_name, *shorter = names_in_configuration(tool.family, tool.name)
        self.by_name[name] = replace(tool, name=name, full_name=full_name)
        self.public_names |= dict.fromkeys((full_name, *shorter), name)

    def find(self, name: str) -> Tool[Any] | None:
        """Return the tool that callers know by a name, or whose full name it is; else None."""
        tool = self.by_name.get(name)
        if tool is None and "." in name:
            return self.by_name.get(self.public_names.get(name, name))
        return tool

    def listed(self, key: str, listed: list[str]) -> frozenset[str]:
        """Return the names that callers know the tools of a list of `[tools.approval]` by.

        Own names are read, too; a name of no tool is `ConfigInvalid`.
        """
        known = {*self.by_name, *self.public_names}
        for name in listed:
            if name not in known and name not in POLICY_NAMES:
                said, names = json.dumps(name), ", ".join(sorted(known))
                raise ConfigInvalid(
                    f"tools.approval.{key}: there is no tool {said}; the names are: {names}"
                )
        return frozenset(
            name if name in self.by_name else self.public_names.get(name, name) for name in listed
        )
