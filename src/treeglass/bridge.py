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
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from treeglass.bridge_requests import (
    REQUESTS,
    CallToolParams,
    CallToolRequest,
    CheckMountRequest,
    CloseDecompressorRequest,
    ConfigureParams,
    ConfigureRequest,
    DecompressRequest,
    DescribeToolsRequest,
    ListToolsRequest,
    MountParams,
    MountRequest,
    OpenDecompressorRequest,
    SummarizeCallRequest,
    UnmountParams,
    UnmountRequest,
)
from treeglass.config import Config
from treeglass.decompression import DecompressionStreams
from treeglass.definition_formats import render_definitions
from treeglass.errors import ConfigInvalid, SourceUnreadable, WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    from treeglass.bridge_requests import Request
    from treeglass.tool import ToolResult

# `json.dumps` with arguments makes an encoder for each call.
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


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
            result = self._dispatch(REQUESTS.validate_python(json.loads(request)))
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
            case ListToolsRequest() | DescribeToolsRequest() | SummarizeCallRequest():
                return self._tell(request)
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

    def _tell(
        self, request: ListToolsRequest | DescribeToolsRequest | SummarizeCallRequest
    ) -> dict[str, Any]:
        match request:
            case ListToolsRequest():
                return {"tools": render_definitions(self._registry.list_tools(), "mcp")}
            case DescribeToolsRequest(params=wanted):
                tools = self._registry.list_tools()
                return {"tools": render_definitions(tools, wanted.format, wanted.names)}
            case SummarizeCallRequest(params=proposed):
                summary = self._registry.summarize_call(proposed.name, proposed.arguments)
                return {"summary": summary}

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
    return _encoder.encode(value)


def _sentence(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, fault["loc"]))
    return f"{where or 'request'}: {fault['msg']}"
