"""`treeglass call`: the answer to one tool call."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treeglass.command import FAILED, OK
from treeglass.command.options import add_workspace, byte_count, config_of, workspace_of
from treeglass.command.patch_file import add_patch, patch_file_of
from treeglass.command.terminal import print_text, tell
from treeglass.errors import WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.tools.builtin import BUILTIN_TOOLS

if TYPE_CHECKING:
    import argparse

    from treeglass.tool import ToolDefinition, ToolResult


def add_call_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `treeglass call` takes."""
    names = ", ".join(tool.name for tool in BUILTIN_TOOLS)
    parser.add_argument("tool", metavar="TOOL", help=f"the name of a tool: {names}")
    parser.add_argument(
        "arguments",
        metavar="JSON",
        help="the arguments, one JSON object; @FILE reads it from a file, and - from stdin, for "
        "shells that change quotes",
    )
    add_workspace(parser)
    parser.add_argument(
        "--max-output-bytes", type=byte_count, metavar="N", help="the most bytes of the answer"
    )
    parser.add_argument(
        "--available-capacity-bytes",
        type=byte_count,
        metavar="N",
        help="the room left in the model's context",
    )
    parser.add_argument(
        "--nulls-are-absent",
        action="store_true",
        help="take the nulls out that a model sends for a strict schema",
    )
    add_patch(parser)
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")


def run_call(options: argparse.Namespace) -> int:
    """Print the content of the answer, a tool's own error included.

    A person at a terminal is told the warnings too, on stderr. If the tool is unknown, stderr names
    the offered ones wherever it leads.
    """
    workspace = workspace_of(options)
    registry = ToolRegistry(workspace, config_of(options), approve=approved_by_caller)
    patch_file = patch_file_of(options, workspace)
    result = registry.call_tool(
        options.tool,
        _arguments_text(options.arguments),
        max_output_bytes=options.max_output_bytes,
        available_capacity_bytes=options.available_capacity_bytes,
        nulls_are_absent=options.nulls_are_absent,
    )
    if patch_file is not None:
        patch_file.write()
    if options.json:
        print_text(json.dumps(result_as_json(result), ensure_ascii=False, indent=2))
    else:
        print_text(result.content)
    is_unknown = result.error is not None and result.error.kind == "UnknownTool"
    if is_unknown or (sys.stderr.isatty() and not options.json):
        for warning in result.warnings:
            tell(warning)
    return FAILED if result.is_error else OK


def approved_by_caller(*, tool: ToolDefinition, summary: str) -> bool:  # noqa: ARG001
    """Consent to each call: who types a command, or writes a line of a batch, asks for it."""
    return True


def _arguments_text(given: str) -> str:
    """Return the JSON text that is given, or is in the file or in stdin that is named."""
    if given != "-" and not given.startswith("@"):
        return given
    name = "stdin" if given == "-" else given[1:]
    try:
        content = sys.stdin.buffer.read() if given == "-" else Path(name).read_bytes()
        # Shells of Windows write UTF-16, or UTF-8 with a mark in front.
        return content.decode(json.detect_encoding(content))
    except OSError as error:
        reason = error.strerror
    except ValueError:
        reason = "it is not text in UTF-8 or UTF-16"
    raise WorkspaceInvalid(f"the arguments cannot be read from {name}: {reason}")


def result_as_json(result: ToolResult) -> dict[str, Any]:
    """Return a result as the JSON object that the command line prints."""
    error = result.error
    return {
        "content": result.content,
        "is_error": result.is_error,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "structured": result.structured_content,
        "truncated": result.truncated,
        "next_arguments": result.next_arguments,
        "warnings": list(result.warnings),
        "elapsed_ms": round(result.elapsed_ms, 3),
    }
