"""The tools by the names that texts and lists give them."""

from treeglass.tool_names import TOOL_NAMES
from treeglass.tools.builtin import BUILTIN_TOOLS

OFFERED_TOOLS = sorted(
    tool.name for tool in TOOL_NAMES if tool.family == "codex" and not tool.is_changing
)
"""The tools that a client or a server offers whose configuration names no tools."""

_ALONE = list(dict.fromkeys(tool.name for tool in BUILTIN_TOOLS))

CHOICE_OF_TOOLS = f"{', '.join(_ALONE[:-1])} or {_ALONE[-1]}"
"""The names that a refusal of an unknown tool offers."""


def names_of_family(family: str, *, is_default: bool = False) -> list[str]:
    """Return the names of a family's tools, or of those that are offered by default, sorted.

    A tool that changes is offered only by its name.
    """
    tools = [tool for tool in TOOL_NAMES if family in {tool.family, "all"} and not tool.is_changing]
    return sorted({tool.name for tool in tools if tool.is_default or not is_default})
