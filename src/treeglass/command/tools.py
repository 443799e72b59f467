"""`treeglass tools`: the definitions of the offered tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from treeglass.command import OK
from treeglass.command.options import add_config, config_of
from treeglass.command.terminal import print_text
from treeglass.config import DEFAULT_FAMILY
from treeglass.definition_formats import FORMAT_NAMES, render_definitions
from treeglass.registry import ToolRegistry
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    import argparse


def add_tools_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `treeglass tools` takes."""
    parser.add_argument("--format", choices=FORMAT_NAMES, default="mcp", help="for which host")
    add_config(parser, DEFAULT_FAMILY)


def run_tools(options: argparse.Namespace) -> int:
    """Print the definitions as one JSON value."""
    registry = ToolRegistry(Workspace({}), config_of(options).with_default_family())
    definitions = render_definitions(registry.list_tools(), options.format)
    print_text(json.dumps(definitions, ensure_ascii=False, indent=2))
    return OK
