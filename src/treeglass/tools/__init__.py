"""The built-in tools, three families that know nothing of each other.

How to add a tool:

1. Write `tools/<family>/<tool name>.py`: an arguments model, `run`, and the
   `Tool` value. What the family shares (its errors, its output form) has a
   module of its own in the family's folder.
2. Let `report_error` word every error of `treeglass.errors`; the test of the
   family fails for one that is missing.
3. Put the value into `BUILTIN_TOOLS` below. There is no other registration.
4. Record cases in `tests/conformance/`.
"""

from typing import Any

from treeglass.tool import Tool
from treeglass.tools.codex.list_dir import LIST_DIR
from treeglass.tools.codex.read_file import READ_FILE
from treeglass.tools.envelope.ls import LS
from treeglass.tools.forge.list_directory import LIST_DIRECTORY

BUILTIN_TOOLS: tuple[Tool[Any], ...] = (LIST_DIR, READ_FILE, LS, LIST_DIRECTORY)
