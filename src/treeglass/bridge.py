"""JSON text in, JSON text out: the only door between a page and the tools.

The JavaScript worker holds one `Bridge` and hands it text; no object of either
language ever reaches the other. Imports neither `js` nor `pyodide`, so the same
module runs, and is tested, on CPython.

A request is `{"method": ..., "params": {...}}`; an answer is `{"result": ...}`,
or `{"error": {"kind", "message"}}` where the page, not the agent, did wrong.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from treeglass.config import Config
from treeglass.decompression import MAX_INFLATED_BYTES, DecompressionStreams, Format
from treeglass.definition_formats import mcp_tool
from treeglass.errors import ConfigInvalid, SourceUnreadable, WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    from treeglass.tool import ToolResult

Bytes = Annotated[int, Field(ge=0)]
VirtualPath = Annotated[str, Field(pattern="^/")]


def _from_base64(text: object) -> object:
    return base64.b64decode(text, validate=True) if isinstance(text, str) else text


Base64 = Annotated[bytes | None, BeforeValidator(_from_base64)]


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
    compressed: Base64
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
    | CallToolRequest
    | OpenDecompressorRequest
    | DecompressRequest
    | CloseDecompressorRequest
)

_requests: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="method")])


class Bridge:
    """One client's mounts, configuration and tools.

    Two bridges share nothing, so that two clients of one interpreter never see
    each other's trees.

    Example:
        >>> bridge = Bridge()
        >>> bridge.handle('{"method": "callTool", "params": {"name": "ls", "arguments": {}}}')[:44]
        '{"result":{"content":"Unknown tool: ls","str'
        >>> bridge.handle('{"method": "mount", "params": {"path": "/r", "host": "/no/such"}}')[:60]
        '{"error":{"kind":"WorkspaceInvalid","message":"mount point '
    """

    def __init__(self) -> None:
        self._mounts: dict[str, str] = {}
        self._settings = ConfigureParams()
        self._config = Config()
        self._registry = self._rebuilt(self._mounts, self._settings, self._config)
        self._streams = DecompressionStreams()

    def handle(self, request: str) -> str:
        """Answer one request; whatever it holds, the answer is JSON text."""
        try:
            # Not pydantic's own JSON reader: it refuses a lone surrogate, and
            # what an agent wrote must reach the tool, which words the refusal.
            result = self._dispatch(_requests.validate_python(json.loads(request)))
        except (ConfigInvalid, SourceUnreadable, WorkspaceInvalid) as error:
            return _wire({"error": {"kind": type(error).__name__, "message": str(error)}})
        except ValidationError as error:
            return _wire({"error": {"kind": "BadRequest", "message": _sentence(error)}})
        except (ValueError, RecursionError):
            return _wire({"error": {"kind": "BadRequest", "message": "the request is not JSON"}})
        return _wire({"result": result})

    def _dispatch(self, request: Request) -> dict[str, Any]:
        match request:
            case CallToolRequest(params=call):
                return self._call(call)
            case ListToolsRequest():
                return {"tools": [mcp_tool(tool) for tool in self._registry.list_tools()]}
            case CheckMountRequest() | MountRequest() | UnmountRequest():
                return self._dispatch_mount(request)
            case ConfigureRequest(params=settings):
                config = Config.from_object(settings.config)
                self._registry = self._rebuilt(self._mounts, settings, config)
                self._settings, self._config = settings, config
                return {}
            case OpenDecompressorRequest() | DecompressRequest() | CloseDecompressorRequest():
                return self._unpack(request)

    def _unpack(
        self, request: OpenDecompressorRequest | DecompressRequest | CloseDecompressorRequest
    ) -> dict[str, Any]:
        match request:
            case OpenDecompressorRequest(params=opened):
                return {"stream": self._streams.open(opened.format)}
            case CloseDecompressorRequest(params=closed):
                self._streams.close(closed.stream)
                return {}
            case DecompressRequest(params=piece):
                out = self._streams.decompress(piece.stream, piece.compressed, piece.max_bytes)
                return {
                    "inflated": base64.b64encode(out.inflated).decode("ascii"),
                    "needsInput": out.needs_input,
                    "isComplete": out.is_complete,
                }

    def _call(self, call: CallToolParams) -> dict[str, Any]:
        result = self._registry.call_tool(
            call.name,
            call.arguments,
            max_output_bytes=call.max_output_bytes,
            available_capacity_bytes=call.available_capacity_bytes,
            working_dir=call.working_dir,
        )
        return _result_to_wire(result)

    def _dispatch_mount(
        self, request: CheckMountRequest | MountRequest | UnmountRequest
    ) -> dict[str, Any]:
        match request:
            case CheckMountRequest(params=asked):
                # Any directory will do to find out whether the path is free.
                self._with_mount(asked.path, "/", replace=asked.replace)
                return {}
            case MountRequest(params=mount):
                return self._mount(mount)
            case UnmountRequest(params=unmount):
                return self._unmount(unmount)

    def _mount(self, mount: MountParams) -> dict[str, Any]:
        mounts = {**self._mounts, mount.path: mount.host}
        self._registry = self._with_mount(mount.path, mount.host, replace=mount.replace)
        self._mounts = mounts
        return {"mounts": sorted(mounts)}

    def _with_mount(self, path: str, host: str, *, replace: bool) -> ToolRegistry:
        if path in self._mounts and not replace:
            message = f"{path!r} is mounted already; unmount it first or use another path"
            raise WorkspaceInvalid(message)
        return self._rebuilt({**self._mounts, path: host}, self._settings, self._config)

    def _unmount(self, unmount: UnmountParams) -> dict[str, Any]:
        if unmount.path not in self._mounts:
            message = f"nothing is mounted at {unmount.path!r}; mounted: {sorted(self._mounts)}"
            raise WorkspaceInvalid(message)
        mounts = {path: host for path, host in self._mounts.items() if path != unmount.path}
        self._registry = self._rebuilt(mounts, self._settings, self._config)
        self._mounts = mounts
        return {"mounts": sorted(mounts)}

    @staticmethod
    def _rebuilt(mounts: dict[str, str], settings: ConfigureParams, config: Config) -> ToolRegistry:
        # A workspace never changes, so that a call cannot see half of a change.
        workspace = Workspace(
            mounts, project_root=settings.project_root, working_dir=settings.working_dir
        )
        return ToolRegistry(workspace, config)


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


def _wire(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _sentence(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, fault["loc"]))
    return f"{where or 'request'}: {fault['msg']}"
