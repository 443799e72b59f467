"""The built-in tools: three families that do not import each other.

How to add a tool:

1. Write `tools/<family>/<tool name>.py`: an arguments model, `run`, and the
   `Tool` value. Shared parts of the family (errors, the form of the output) have
   modules of their own in its folder.
2. Word every error of `treeglass.errors` in `report_error`; the test of the
   family fails for a missing one.
3. Put the value into `BUILTIN_TOOLS` below, and its name into `OtherTool` of
   `treeglass.config`, so that a configuration may offer it.
4. Record cases in `tests/conformance/`.

"How to add a tool" of the guide for contributors names every other place.
"""

from typing import Any

from treeglass.tool import Tool
from treeglass.tools import codex, envelope, forge

BUILTIN_TOOLS: tuple[Tool[Any], ...] = (*codex.TOOLS, *envelope.TOOLS, *forge.TOOLS)
