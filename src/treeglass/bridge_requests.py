"""What a page may ask of the bridge: one model for each method."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from treeglass.decompression import MAX_COMPRESSED_BYTES, MAX_INFLATED_BYTES, Format
from treeglass.definition_formats import FormatName  # noqa: TC001  # pydantic reads it

Bytes = Annotated[int, Field(ge=0)]
VirtualPath = Annotated[str, Field(pattern="^/")]


def _from_base64(text: object) -> object:
    return base64.b64decode(text, validate=True) if isinstance(text, str) else text


CompressedPiece = Annotated[
    Annotated[bytes, Field(max_length=MAX_COMPRESSED_BYTES)] | None, BeforeValidator(_from_base64)
]


class _Params(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=to_camel)


class ConfigureParams(_Params):
    """Sent at the start, and again to change the configuration; mounts stay."""

    config: dict[str, Any] = {}
    project_root: VirtualPath | None = None
    working_dir: VirtualPath | None = None


class MountParams(_Params):
    """Sent once the worker has put a tree into the interpreter's filesystem."""

    path: VirtualPath
    """Where the tools see the tree."""
    host: str
    """Where the interpreter has it."""
    replace: bool = False
    """Whether a tree that is mounted there makes way."""


class CheckMountParams(_Params):
    """Sent before the worker lists a source, which may take long."""

    path: VirtualPath
    replace: bool = False


class UnmountParams(_Params):
    """Sent before the worker takes a tree away."""

    path: VirtualPath


class ListToolsParams(_Params):
    """Sent to learn which tools are offered."""


class DescribeToolsParams(_Params):
    """Sent to learn the offered tools in the shape that an agent host takes."""

    format: FormatName
    names: dict[str, str] | None = None
    """The tools that the host is to have, each with the name that it sees."""


class SummarizeCallParams(_Params):
    """Sent before a call that a person has to approve."""

    name: str
    arguments: Any


class CallToolParams(_Params):
    """Sent for each tool call."""

    name: str
    arguments: Any
    """The arguments, or the JSON text that a model sent; the tool says if they
    are no object."""
    max_output_bytes: Bytes | None = None
    available_capacity_bytes: Bytes | None = None
    working_dir: VirtualPath | None = None


class OpenDecompressorParams(_Params):
    """Sent before the first piece of a compressed archive."""

    format: Format


class DecompressParams(_Params):
    """Sent for each inflated piece of a compressed archive."""

    stream: int
    compressed: CompressedPiece
    """The next bytes as base64, or null to go on with those that were sent before."""
    max_bytes: Annotated[int, Field(ge=1, le=MAX_INFLATED_BYTES)]


class CloseDecompressorParams(_Params):
    """Sent once nothing more is wanted of a compressed archive."""

    stream: int


class ConfigureRequest(BaseModel):
    """Request `configure`."""

    method: Literal["configure"]
    params: ConfigureParams


class MountRequest(BaseModel):
    """Request `mount`."""

    method: Literal["mount"]
    params: MountParams


class CheckMountRequest(BaseModel):
    """Request `checkMount`."""

    method: Literal["checkMount"]
    params: CheckMountParams


class UnmountRequest(BaseModel):
    """Request `unmount`."""

    method: Literal["unmount"]
    params: UnmountParams


class ListToolsRequest(BaseModel):
    """Request `listTools`."""

    method: Literal["listTools"]
    params: ListToolsParams


class DescribeToolsRequest(BaseModel):
    """Request `describeTools`."""

    method: Literal["describeTools"]
    params: DescribeToolsParams


class SummarizeCallRequest(BaseModel):
    """Request `summarizeCall`."""

    method: Literal["summarizeCall"]
    params: SummarizeCallParams


class CallToolRequest(BaseModel):
    """Request `callTool`."""

    method: Literal["callTool"]
    params: CallToolParams


class OpenDecompressorRequest(BaseModel):
    """Request `openDecompressor`."""

    method: Literal["openDecompressor"]
    params: OpenDecompressorParams


class DecompressRequest(BaseModel):
    """Request `decompress`."""

    method: Literal["decompress"]
    params: DecompressParams


class CloseDecompressorRequest(BaseModel):
    """Request `closeDecompressor`."""

    method: Literal["closeDecompressor"]
    params: CloseDecompressorParams


Request = (
    ConfigureRequest
    | CheckMountRequest
    | MountRequest
    | UnmountRequest
    | ListToolsRequest
    | DescribeToolsRequest
    | SummarizeCallRequest
    | CallToolRequest
    | OpenDecompressorRequest
    | DecompressRequest
    | CloseDecompressorRequest
)

REQUESTS: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="method")])
"""Tells requests apart by their method; refuses what is none."""
