"""The methods of the bridge, in one table: the parameters and the handler of each."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from treeglass.bridge.decompression import MAX_COMPRESSED_BYTES, MAX_INFLATED_BYTES, Format
from treeglass.config import Config
from treeglass.definition_formats import FormatName, render_definitions

if TYPE_CHECKING:
    from collections.abc import Callable

    from treeglass.bridge.client_state import ClientState
    from treeglass.tool import ToolResult

Bytes = Annotated[int, Field(ge=0)]
VirtualPath = Annotated[str, Field(pattern="^/")]


def _from_base64(text: object) -> object:
    return base64.b64decode(text, validate=True) if isinstance(text, str) else text


CompressedPiece = Annotated[
    Annotated[bytes, Field(max_length=MAX_COMPRESSED_BYTES)] | None, BeforeValidator(_from_base64)
]


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
    """Whether it replaces a tree that is mounted there."""


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
    """Whether a null of an optional argument means that the argument is absent, as
    a model sends it that was given a strict schema."""


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


def _configure(state: ClientState, params: ConfigureParams) -> dict[str, Any]:
    config = Config.from_object(params.config)
    state.configure(config, params.project_root, params.working_dir)
    return {}


def _check_mount(state: ClientState, params: CheckMountParams) -> dict[str, Any]:
    state.check_mount(params.path, replace=params.replace)
    return {}


def _mount(state: ClientState, params: MountParams) -> dict[str, Any]:
    state.mount(params.path, params.host, replace=params.replace)
    return {"mounts": state.mount_points}


def _unmount(state: ClientState, params: UnmountParams) -> dict[str, Any]:
    state.unmount(params.path)
    return {"mounts": state.mount_points}


def _list_tools(state: ClientState, _params: ListToolsParams) -> dict[str, Any]:
    return {"tools": render_definitions(state.registry.list_tools(), "mcp")}


def _describe_tools(state: ClientState, params: DescribeToolsParams) -> dict[str, Any]:
    tools = state.registry.list_tools()
    return {"tools": render_definitions(tools, params.format, params.names)}


def _summarize_call(state: ClientState, params: SummarizeCallParams) -> dict[str, Any]:
    summary = state.registry.summarize_call(
        params.name, params.arguments, nulls_are_absent=params.nulls_are_absent
    )
    return {"summary": summary}


def _call_tool(state: ClientState, params: CallToolParams) -> dict[str, Any]:
    result = state.registry.call_tool(
        params.name,
        params.arguments,
        max_output_bytes=params.max_output_bytes,
        available_capacity_bytes=params.available_capacity_bytes,
        working_dir=params.working_dir,
        nulls_are_absent=params.nulls_are_absent,
    )
    return _result_to_wire(result)


def _result_to_wire(result: ToolResult) -> dict[str, Any]:
    error = result.error
    return {
        "content": result.content,
        "structured": result.structured,
        "isError": result.is_error,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "truncated": result.truncated,
        "nextArguments": result.next_arguments,
        "warnings": list(result.warnings),
        "elapsedMs": round(result.elapsed_ms, 3),
    }


def _open_decompressor(state: ClientState, params: OpenDecompressorParams) -> dict[str, Any]:
    return {"stream": state.streams.open(params.format)}


def _decompress(state: ClientState, params: DecompressParams) -> dict[str, Any]:
    out = state.streams.decompress(params.stream, params.compressed, params.max_bytes)
    return {
        "inflated": base64.b64encode(out.inflated).decode("ascii"),
        "needsInput": out.needs_input,
        "isComplete": out.is_complete,
    }


def _close_decompressor(state: ClientState, params: CloseDecompressorParams) -> dict[str, Any]:
    state.streams.close(params.stream)
    return {}


P = TypeVar("P", bound=Params)


@dataclass(frozen=True, slots=True)
class Method(Generic[P]):
    """One row of the table; the type checker holds both columns to each other."""

    params: type[P]
    handler: Callable[[ClientState, P], dict[str, Any]]


METHODS: dict[str, Method[Any]] = {
    "configure": Method(ConfigureParams, _configure),
    "checkMount": Method(CheckMountParams, _check_mount),
    "mount": Method(MountParams, _mount),
    "unmount": Method(UnmountParams, _unmount),
    "listTools": Method(ListToolsParams, _list_tools),
    "describeTools": Method(DescribeToolsParams, _describe_tools),
    "summarizeCall": Method(SummarizeCallParams, _summarize_call),
    "callTool": Method(CallToolParams, _call_tool),
    "openDecompressor": Method(OpenDecompressorParams, _open_decompressor),
    "decompress": Method(DecompressParams, _decompress),
    "closeDecompressor": Method(CloseDecompressorParams, _close_decompressor),
}
"""The parameters and the handler of each method, by its name."""
