"""All built-in tools: those that only read, and those that change.

A page fetches this module once its configuration offers a tool that changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treeglass.tools.codex import definitions as codex
from treeglass.tools.codex.changes import definitions as changing_codex
from treeglass.tools.envelope import definitions as envelope
from treeglass.tools.envelope.changes import definitions as changing_envelope
from treeglass.tools.forge import definitions as forge
from treeglass.tools.forge.changes import definitions as changing_forge

if TYPE_CHECKING:
    from treeglass.tool import Tool

BUILTIN_TOOLS: tuple[Tool[Any], ...] = (
    *(*codex.TOOLS, *changing_codex.TOOLS),
    *(*envelope.TOOLS, *changing_envelope.TOOLS),
    *(*forge.TOOLS, *changing_forge.TOOLS),
)
"""By families; in each, those that only read come first."""
