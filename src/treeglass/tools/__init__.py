"""The built-in tools: three families that do not import each other.

A family is a folder:

- `definitions` has its tools that only read, as values, and `TOOLS` names them.
- `arguments` has the models of arguments, their defaults and checks, and the summaries.
- `schemas` has the published schemas, where they do not follow from the models.
- `errors` has the family's words for every error of `treeglass.errors`.
- `changes` has the same for its tools that change. It is late, as a whole: a page that offers no
  such tool never fetches it.
- A module has the name of its tool and the function `run`; further ones are parts of a run.

A definition imports a `run` that the first answer may need, and names any other to
`treeglass.tool.late`. What the bridge does not import is late: a page fetches it with the first
call that needs it.

"How to add a tool" of the guide for contributors names every place.
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
