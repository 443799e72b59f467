"""`treeglass batch`: one JSON object a line in, one a line out, in one process.

A line calls a tool, asks what the calls before have proposed to change, or discards that.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.command import OK
from treeglass.command.call import approved_by_caller, result_as_json
from treeglass.command.options import config_of, workspace_of
from treeglass.config import Config
from treeglass.errors import ConfigInvalid, WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.tool import ToolFailure, ToolResult

if TYPE_CHECKING:
    import argparse

    from treeglass.workspace import Workspace

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Most bytes of a line that are held; a longer one is cut there, and refused."""

_REGISTRIES_KEPT = 16
"""Registries of a batch kept for the configurations its lines name."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    id: Any = None


class BatchLine(_Line):
    """A line that calls a tool."""

    tool: str
    arguments: Any
    working_dir: Annotated[str, Field(pattern="^/")] | None = None
    config: dict[str, Any] | None = None
    max_output_bytes: Annotated[int, Field(ge=0)] | None = None
    available_capacity_bytes: Annotated[int, Field(ge=0)] | None = None
    nulls_are_absent: bool = False
    time_ms: Annotated[int, Field(ge=0)] | None = None
    """Milliseconds since 1970, as `ToolRegistry.call_tool` takes them."""


class ChangesLine(_Line):
    """A line that asks what has been proposed so far."""

    changes: Literal[True]


class DiscardLine(_Line):
    """A line that forgets what has been proposed, and what calls have read."""

    discard: Literal[True]


def run_batch(options: argparse.Namespace) -> int:
    """Answer each line of stdin, a wrong one with an error, until stdin ends."""
    workspace, default = workspace_of(options), config_of(options)

    @lru_cache(maxsize=_REGISTRIES_KEPT)
    def registry_for(config_text: str | None) -> ToolRegistry:
        config = Config.from_object(json.loads(config_text)) if config_text else default
        return ToolRegistry(workspace, config, approve=approved_by_caller)

    for line in _lines(sys.stdin.buffer):
        # Escaped to ASCII: a batch line is for programs, and nothing that an id
        # holds can break the encoding. As bytes: Windows would write two signs for `\n`.
        sys.stdout.buffer.write(json.dumps(_answer(line, workspace, registry_for)).encode() + b"\n")
        sys.stdout.buffer.flush()
    return OK


def _answer(
    line: bytes, workspace: Workspace, registry_for: Callable[[str | None], ToolRegistry]
) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    try:
        decoded = _decoded(line)
        if isinstance(decoded, dict) and "id" in decoded:
            answer["id"] = decoded["id"]
        if isinstance(decoded, dict) and not decoded.keys().isdisjoint({"changes", "discard"}):
            return answer | _answer_about_changes(decoded, workspace)
        request = BatchLine.model_validate(decoded)
        config_text = None if request.config is None else json.dumps(request.config)
        result = registry_for(config_text).call_tool(
            request.tool,
            request.arguments,
            max_output_bytes=request.max_output_bytes,
            available_capacity_bytes=request.available_capacity_bytes,
            working_dir=request.working_dir,
            nulls_are_absent=request.nulls_are_absent,
            time_ms=request.time_ms,
        )
    except (ValueError, RecursionError) as error:
        result = _refusal(error)
    return answer | result_as_json(result)


def _answer_about_changes(decoded: dict[str, Any], workspace: Workspace) -> dict[str, Any]:
    if "changes" in decoded:
        ChangesLine.model_validate(decoded)
        return {"changes": workspace.overlay.manifest()}
    DiscardLine.model_validate(decoded)
    workspace.overlay.discard()
    return {"discard": True}


def _decoded(line: bytes) -> Any:
    """Return the JSON value of a line, without numbers that no answer could repeat."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a JSON number")

    def number(literal: str) -> float:
        if math.isinf(found := float(literal)):
            raise ValueError("it holds a number that is too large")
        return found

    def whole_number(literal: str) -> int:
        try:
            return int(literal)
        except ValueError:
            raise ValueError("it holds a number of too many digits") from None

    return json.loads(line, parse_constant=refuse, parse_float=number, parse_int=whole_number)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are not blank; only the beginning of one that is too long to hold."""
    while line := stream.readline(MAX_LINE_BYTES):
        if line.strip():
            yield line
        while len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)


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
