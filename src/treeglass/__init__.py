"""Filesystem tools for an LLM agent that lives in a web page.

The tools read a tree, and propose changes that no mount receives.

A call travels along this line, and imports point the same way:

    agent → client.callTool → worker → bridge → registry → tool → workspace → ToolResult
"""

from treeglass.config import Config
from treeglass.errors import ConfigInvalid, TreeglassError, WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.tool import ToolAnnotations, ToolDefinition, ToolFailure, ToolResult
from treeglass.workspace import Limits, Workspace

__all__ = [
    "Config",
    "ConfigInvalid",
    "Limits",
    "ToolAnnotations",
    "ToolDefinition",
    "ToolFailure",
    "ToolRegistry",
    "ToolResult",
    "TreeglassError",
    "Workspace",
    "WorkspaceInvalid",
    "__version__",
]

__version__ = "0.1.0"
