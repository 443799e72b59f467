"""The command line: `treeglass tools`, `call`, `batch`, `mcp`, `pack` and `record`.

Exit codes: 0 for a result, 1 for a tool's own error (its content is printed all
the same), for a tree that cannot be packed and for a page that is stale or broken,
2 for wrong usage; with a sentence on stderr where nothing is printed. A terminal
gets text made safe for it; a pipe gets the exact bytes and one line feed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.authoring.record_command import add_record_arguments, run_record
from treeglass.config import Config
from treeglass.definition_formats import FORMAT_NAMES, render_definitions
from treeglass.errors import ConfigInvalid, PackFailed, WorkspaceInvalid
from treeglass.mcp_command import add_mcp_arguments, run_mcp
from treeglass.pack_command import add_pack_arguments, run_pack
from treeglass.registry import ToolRegistry
from treeglass.terminal import sanitize_for_terminal
from treeglass.tool import ToolFailure, ToolResult
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_MAX_BATCH_LINE_BYTES = 16 * 1024 * 1024
_REGISTRIES_KEPT = 16
"""Registries of a batch kept for the configurations its lines name."""

_USAGE, _FAILED, _OK = 2, 1, 0


class BatchLine(BaseModel):
    """One line of `treeglass batch`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: Any = None
    tool: str
    arguments: Any
    working_dir: Annotated[str, Field(pattern="^/")] | None = None
    config: dict[str, Any] | None = None
    max_output_bytes: Annotated[int, Field(ge=0)] | None = None
    available_capacity_bytes: Annotated[int, Field(ge=0)] | None = None
    nulls_are_absent: bool = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except PackFailed as error:
        sys.stderr.write(f"treeglass: {error}\n")
        return _FAILED
    except (ConfigInvalid, WorkspaceInvalid, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader has gone, `| head` for example; Python would complain
            # once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _FAILED
        sys.stderr.write(f"treeglass: {error}\n")
        return _USAGE
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="treeglass", description="Read-only filesystem tools for an LLM agent."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    tools = commands.add_parser("tools", help="print the definitions of the offered tools")
    tools.add_argument("--format", choices=FORMAT_NAMES, default="mcp", help="for which host")
    _add_config(tools)
    tools.set_defaults(run=_tools)

    call = commands.add_parser("call", help="answer one tool call")
    call.add_argument("tool", metavar="TOOL")
    call.add_argument("arguments", metavar="JSON", help="the arguments, one JSON object")
    _add_workspace(call)
    call.add_argument("--max-output-bytes", type=_byte_count, metavar="N")
    call.add_argument("--available-capacity-bytes", type=_byte_count, metavar="N")
    call.add_argument(
        "--nulls-are-absent",
        action="store_true",
        help="take the nulls out that a model sends for a strict schema",
    )
    call.add_argument("--json", action="store_true", help="print the whole result as JSON")
    call.set_defaults(run=_call)

    batch = commands.add_parser(
        "batch", help="answer calls from stdin, one JSON object a line, in one process"
    )
    _add_workspace(batch)
    batch.set_defaults(run=_batch)

    mcp = commands.add_parser("mcp", help="serve the tools to an MCP client over stdin and stdout")
    _add_workspace(mcp)
    add_mcp_arguments(mcp)
    mcp.set_defaults(run=_mcp)

    pack = commands.add_parser("pack", help="make an archive or a manifest of a directory")
    add_pack_arguments(pack)
    pack.set_defaults(run=run_pack)

    record = commands.add_parser("record", help="write the answers of demos into their pages")
    add_record_arguments(record)
    record.set_defaults(run=run_record)
    return parser


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML document")


def _add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mount",
        action="append",
        type=_mount,
        required=True,
        metavar="/PATH=DIR",
        help="show the directory DIR at the virtual path /PATH; may be repeated",
    )
    parser.add_argument("--project-root", metavar="PATH", help="virtual; default: the only mount")
    parser.add_argument("--working-dir", metavar="PATH", help="virtual; default: the project root")
    _add_config(parser)


def _mount(text: str) -> tuple[str, str]:
    point, separator, directory = text.partition("=")
    if not separator or not directory:
        message = f"{text!r} is not of the form /PATH=DIR"
        raise argparse.ArgumentTypeError(message)
    return point, directory


def _byte_count(text: str) -> int:
    if not text.isdecimal():
        message = f"{text!r} is not a number of bytes"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _config(options: argparse.Namespace) -> Config:
    path: Path | None = options.config
    if path is None:
        return Config()
    try:
        return Config.from_toml(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ConfigInvalid(f"cannot read {path}: {reason}") from None


def _workspace(options: argparse.Namespace) -> Workspace:
    mounts: list[tuple[str, str]] = options.mount
    points = [point for point, _ in mounts]
    if len(set(points)) < len(points):
        message = "two mounts have the same virtual path"
        raise WorkspaceInvalid(message)
    return Workspace(
        dict(mounts), project_root=options.project_root, working_dir=options.working_dir
    )


def _tools(options: argparse.Namespace) -> int:
    registry = ToolRegistry(Workspace({}), _config(options))
    definitions = render_definitions(registry.list_tools(), options.format)
    _print(json.dumps(definitions, ensure_ascii=False, indent=2))
    return _OK


def _call(options: argparse.Namespace) -> int:
    registry = ToolRegistry(_workspace(options), _config(options))
    result = registry.call_tool(
        options.tool,
        options.arguments,
        max_output_bytes=options.max_output_bytes,
        available_capacity_bytes=options.available_capacity_bytes,
        nulls_are_absent=options.nulls_are_absent,
    )
    if options.json:
        _print(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
    else:
        _print(result.content)
        if sys.stderr.isatty():
            sys.stderr.writelines(
                f"note: {sanitize_for_terminal(warning)}\n" for warning in result.warnings
            )
    return _FAILED if result.is_error else _OK


def _batch(options: argparse.Namespace) -> int:
    workspace, default = _workspace(options), _config(options)

    @lru_cache(maxsize=_REGISTRIES_KEPT)
    def registry_for(config_text: str | None) -> ToolRegistry:
        if config_text is None:
            return ToolRegistry(workspace, default)
        return ToolRegistry(workspace, Config.from_object(json.loads(config_text)))

    for line in _lines(sys.stdin.buffer):
        answer: dict[str, Any] = {}
        try:
            decoded = _decoded(line)
            if isinstance(decoded, dict) and "id" in decoded:
                answer["id"] = decoded["id"]
            request = BatchLine.model_validate(decoded)
            config_text = None if request.config is None else json.dumps(request.config)
            result = registry_for(config_text).call_tool(
                request.tool,
                request.arguments,
                max_output_bytes=request.max_output_bytes,
                available_capacity_bytes=request.available_capacity_bytes,
                working_dir=request.working_dir,
                nulls_are_absent=request.nulls_are_absent,
            )
        except (ValueError, RecursionError) as error:
            result = _refusal(error)
        answer.update(_as_json(result))
        # Escaped to ASCII: a batch line is for programs, and nothing that an id
        # holds can break the encoding.
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return _OK


def _mcp(options: argparse.Namespace) -> int:
    return run_mcp(options, ToolRegistry(_workspace(options), _config(options)))


def _decoded(line: bytes) -> Any:
    """Return the JSON value of a line, without numbers that no answer could repeat."""

    def refuse(constant: str) -> None:
        message = f"{constant} is not a JSON number"
        raise ValueError(message)

    def number(literal: str) -> float:
        if math.isinf(found := float(literal)):
            message = "it holds a number that is too large"
            raise ValueError(message)
        return found

    def whole_number(literal: str) -> int:
        try:
            return int(literal)
        except ValueError:
            message = "it holds a number of too many digits"
            raise ValueError(message) from None

    return json.loads(line, parse_constant=refuse, parse_float=number, parse_int=whole_number)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the non-blank lines; of one that is too long to hold, its beginning."""
    while line := stream.readline(_MAX_BATCH_LINE_BYTES):
        if line.strip():
            yield line
        while len(line) == _MAX_BATCH_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(_MAX_BATCH_LINE_BYTES)


def _refusal(error: Exception) -> ToolResult:
    if isinstance(error, ConfigInvalid):
        message = f"config: {error}"
    elif isinstance(error, WorkspaceInvalid):
        message = str(error)
    elif isinstance(error, ValidationError):
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the line"
        message = f"{where}: {fault['msg']}"
    elif isinstance(error, RecursionError):
        message = "the line is nested too deeply"
    else:
        message = f"the line is not JSON: {error}"
    return ToolResult(content=message, error=ToolFailure("BadRequest", message))


def _as_json(result: ToolResult) -> dict[str, Any]:
    error = result.error
    return {
        "content": result.content,
        "is_error": result.is_error,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "structured": result.structured,
        "truncated": result.truncated,
        "next_arguments": result.next_arguments,
        "warnings": list(result.warnings),
        "elapsed_ms": round(result.elapsed_ms, 3),
    }


def _print(text: str) -> None:
    """Print to a person safely, to a pipe exactly, and always as UTF-8."""
    if sys.stdout.isatty():
        text = sanitize_for_terminal(text)
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
