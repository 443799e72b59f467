"""The parameters of each method of the bridge, but of the late ones."""

from __future__ import annotations

import base64
import math
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from treeglass.bridge.decompression import MAX_COMPRESSED_BYTES, MAX_INFLATED_BYTES, Format
from treeglass.definition_formats import FormatName  # noqa: TC001  # pydantic reads it

Bytes = Annotated[int, Field(ge=0)]
VirtualPath = Annotated[str, Field(pattern="^/")]


def _from_base64(text: object) -> object:
    return base64.b64decode(text, validate=True) if isinstance(text, str) else text


CompressedPiece = Annotated[
    Annotated[bytes, Field(max_length=MAX_COMPRESSED_BYTES)] | None, BeforeValidator(_from_base64)
]


class BadRequest(Exception):
    """The page sent a request that no method takes; the text names the field."""


class Params(BaseModel):
    """The parameters of one method; on the wire their names are in camel case."""

    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=to_camel)


class ConfigureParams(Params):
    """Sent at the start, and again to change the configuration; mounts stay."""

    config: dict[str, Any] = {}
    project_root: VirtualPath | None = None
    working_dir: VirtualPath | None = None


class CheckMountParams(Params):
    """Sent before the worker lists a source, which may take long."""

    path: VirtualPath
    replace: bool = False


class MountParams(Params):
    """Sent once the worker has put a tree into the interpreter's filesystem."""

    path: VirtualPath
    """The virtual path at which the tools see the tree."""
    host: str
    """The interpreter's directory that holds it."""
    replace: bool = False
    """True if it replaces a tree that is mounted there."""


class UnmountParams(Params):
    """Sent before the worker takes a tree away."""

    path: VirtualPath


class ListToolsParams(Params):
    """Sent to learn which tools are offered."""


class DescribeToolsParams(Params):
    """Sent to learn the offered tools in the shape that an agent host takes."""

    format: FormatName
    names: dict[str, str] | None = None
    """The tools that the host gets, each with the name that it sees."""


class SummarizeCallParams(Params):
    """Sent before a call that a person has to approve."""

    name: str
    arguments: Any
    nulls_are_absent: bool = False


class CallToolParams(Params):
    """Sent for each tool call."""

    name: str
    arguments: Any
    """The arguments, or the JSON text that a model sent; the tool refuses what
    is not an object."""
    max_output_bytes: Bytes | None = None
    available_capacity_bytes: Bytes | None = None
    working_dir: VirtualPath | None = None
    nulls_are_absent: bool = False
    """True if a null of an optional argument means that the argument is absent, as
    a model sends it that was given a strict schema."""
    settings: str | None = None
    """The value of `summarizeCall`, for a call that runs only under the same settings."""
    timeout_ms: Annotated[float, Field(gt=0)] = math.inf
    """The time limit of the call, its earlier runs included; at most the configuration's."""
    spent_ms: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """The time of the call's earlier runs, and of the waits for what they missed."""
    group: str | None = None
    """The page's name of the turn, for the step that the call makes."""
    time_ms: Annotated[int, Field(ge=0)] | None = None
    """Milliseconds since 1970, as `ToolRegistry.call_tool` takes them."""


class OpenDecompressorParams(Params):
    """Sent before the first piece of a compressed archive."""

    format: Format


class DecompressParams(Params):
    """Sent for each inflated piece of a compressed archive."""

    stream: int
    compressed: CompressedPiece
    """The next bytes as base64, or null to go on with those that were sent before."""
    max_bytes: Annotated[int, Field(ge=1, le=MAX_INFLATED_BYTES)]


class CloseDecompressorParams(Params):
    """Sent when the rest of a compressed archive is not needed."""

    stream: int
