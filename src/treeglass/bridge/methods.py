"""The methods that a page may call, but the late ones, over the state of one client."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from treeglass.bridge.decompression import DecompressionStreams
from treeglass.bridge.params import (
    CallToolParams,
    CheckMountParams,
    CloseDecompressorParams,
    ConfigureParams,
    DecompressParams,
    DescribeToolsParams,
    ListToolsParams,
    MountParams,
    OpenDecompressorParams,
    Params,
    SummarizeCallParams,
    UnmountParams,
)
from treeglass.config import Config
from treeglass.definition_formats import render_definitions
from treeglass.errors import WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.workspace import Workspace
from treeglass.workspace.embedder import EmbedderFileSystem, EmbedderTrees

if TYPE_CHECKING:
    from treeglass.tool import ToolDefinition, ToolResult
    from treeglass.workspace.overlay.overlay import Overlay

Answer = dict[str, Any] | str
"""A result; a text is JSON already."""


class SettingsChanged(Exception):
    """The settings are not those that the call was summarized under."""


class Client:
    """The mounts, configuration and tools of a client; a refused request changes nothing."""

    def __init__(self, trees: EmbedderTrees | None) -> None:
        self._file_system = None if trees is None else EmbedderFileSystem(trees)
        self._mounts: dict[str, str] = {}
        self._settings = ConfigureParams()
        self._config = Config()
        self._overlay: Overlay | None = None
        self._registry = self._registry_of(self._mounts, self._settings, self._config)
        self._streams = DecompressionStreams()

    def configure(self, params: ConfigureParams) -> Answer:
        """Replace the configuration, the project root and the working directory."""
        config = Config.from_object(params.config)
        self._registry = self._registry_of(self._mounts, params, config)
        self._settings, self._config = params, config
        return {}

    def check_mount(self, params: CheckMountParams) -> Answer:
        """Refuse a path that `mount` would refuse."""
        # Any directory will do to find out whether the path is free.
        self._registry_with(params.path, "/", replace=params.replace)
        return {}

    def mount(self, params: MountParams) -> Answer:
        """Show a directory of the interpreter to the tools."""
        self._registry = self._registry_with(params.path, params.host, replace=params.replace)
        self._mounts = {**self._mounts, params.path: params.host}
        return {"mounts": sorted(self._mounts)}

    def _registry_with(self, path: str, host: str, *, replace: bool) -> ToolRegistry:
        if path in self._mounts and not replace:
            raise WorkspaceInvalid(
                f"{path!r} is mounted already; unmount it, use another path, or pass replace: true"
            )
        return self._registry_of({**self._mounts, path: host}, self._settings, self._config)

    def _registry_of(
        self, mounts: dict[str, str], settings: ConfigureParams, config: Config
    ) -> ToolRegistry:
        # A workspace never changes, so that a call cannot see half of a change.
        workspace = Workspace(
            mounts,
            project_root=settings.project_root,
            working_dir=settings.working_dir,
            file_system=self._file_system,
            overlay=self._overlay,
        )
        # The page asks a person, by `prepareCall`, before it makes a call.
        return ToolRegistry(workspace, config, approve=lambda *, tool, summary: True)  # noqa: ARG005

    def unmount(self, params: UnmountParams) -> Answer:
        """Take a mount away."""
        mounts = dict(self._mounts)
        if mounts.pop(params.path, None) is None:
            message = f"nothing is mounted at {params.path!r}; mounted: {sorted(mounts)}"
            raise WorkspaceInvalid(message)
        proposals = {} if self._overlay is None else self._overlay.record.proposals
        changed = [path for path, each in proposals.items() if each.mount_point == params.path]
        if changed:
            raise WorkspaceInvalid(
                f"{params.path} cannot be unmounted while {min(changed)} has proposed changes; "
                "export the changes, and discard or reject them"
            )
        self._registry = self._registry_of(mounts, self._settings, self._config)
        self._mounts = mounts
        return {"mounts": sorted(mounts)}

    def list_tools(self, _params: ListToolsParams) -> Answer:
        """Return the offered tools as MCP lists them."""
        return {"tools": render_definitions(self._offered(), "mcp")}

    def _offered(self) -> tuple[ToolDefinition, ...]:
        """Return the tools to offer to a model; the page itself may call every tool."""
        offered = self._config.with_default_family().tools
        return tuple(
            tool
            for tool in self._registry.list_tools()
            if offered.is_offered(*tool.full_name.split(".", 1))
        )

    def describe_tools(self, params: DescribeToolsParams) -> Answer:
        """Return the offered tools in a host's shape."""
        return {"tools": render_definitions(self._offered(), params.format, params.names)}

    def summarize_call(self, params: SummarizeCallParams) -> Answer:
        """Return a call's summary for a person, or null, and the settings for `call_tool`."""
        summary = self._registry.summarize_call(
            params.name, params.arguments, nulls_are_absent=params.nulls_are_absent
        )
        return {"summary": summary, "settings": self._settings_text()}

    def _settings_text(self) -> str:
        """Return all that decides what a call means; a count would begin anew with a worker."""
        settings = self._settings
        directories = [settings.project_root, settings.working_dir, *sorted(self._mounts)]
        return json.dumps([self._config.model_dump_json(), *directories])

    def call_tool(self, params: CallToolParams) -> Answer:
        """Return the result of a call, or raise `SettingsChanged` before anything runs."""
        if params.settings is not None and params.settings != self._settings_text():
            message = "The settings changed after the call was summarized; summarize it again."
            raise SettingsChanged(message)
        result = self._registry.call_tool(
            params.name,
            params.arguments,
            max_output_bytes=params.max_output_bytes,
            available_capacity_bytes=params.available_capacity_bytes,
            working_dir=params.working_dir,
            nulls_are_absent=params.nulls_are_absent,
            timeout_seconds=params.timeout_ms / 1000,
            spent_seconds=params.spent_ms / 1000,
            group=params.group,
            time_ms=params.time_ms,
        )
        self._overlay = self._registry.workspace.overlay_if_any
        version = {} if self._overlay is None else {"version": self._overlay.version}
        return _result_to_wire(result) | version

    @property
    def is_incomplete(self) -> bool:
        """True if content has not arrived, so that the worker runs the request again."""
        return self._file_system is not None and self._file_system.is_incomplete()

    @property
    def workspace(self) -> Workspace:
        """The tree that the tools see, for the methods of `treeglass.bridge.files`."""
        return self._registry.workspace

    def state(self) -> list[dict[str, Any]]:
        """Return the attributes of all that a request can change; none is changed inside."""
        workspace = self._registry.workspace
        overlay = workspace.overlay_if_any
        return [vars(self), vars(workspace), *([] if overlay is None else [vars(overlay)])]

    @property
    def overlay(self) -> Overlay:
        """The changes that tools propose, for the methods of `treeglass.bridge.changes`."""
        self._overlay = self._registry.workspace.overlay
        return self._overlay

    def open_decompressor(self, params: OpenDecompressorParams) -> Answer:
        """Return the number of a new stream."""
        return {"stream": self._streams.open(params.format)}

    def decompress(self, params: DecompressParams) -> Answer:
        """Return the next inflated bytes of a stream, as base64."""
        out = self._streams.decompress(params.stream, params.compressed, params.max_bytes)
        return {
            "inflated": base64.b64encode(out.inflated).decode("ascii"),
            "needsInput": out.needs_input,
            "isComplete": out.is_complete,
        }

    def close_decompressor(self, params: CloseDecompressorParams) -> Answer:
        """Free a stream."""
        self._streams.close(params.stream)
        return {}


def _result_to_wire(result: ToolResult) -> dict[str, Any]:
    error = result.error
    return {
        "content": result.content,
        "structuredContent": result.structured_content,
        "isError": result.is_error,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "truncated": result.truncated,
        "nextArguments": result.next_arguments,
        "warnings": list(result.warnings),
        "elapsedMs": round(result.elapsed_ms, 3),
        # For the worker, which keeps it from the page.
        **({"ranOutOfMemory": True} if result.ran_out_of_memory else {}),
    }


P = TypeVar("P", bound=Params)


@dataclass(frozen=True, slots=True)
class Method(Generic[P]):
    """One row of the table; its type ties the handler to the parameters."""

    params: type[P]
    handler: Callable[[Client, P], Answer]


METHODS: dict[str, Method[Any]] = {
    "configure": Method(ConfigureParams, Client.configure),
    "checkMount": Method(CheckMountParams, Client.check_mount),
    "mount": Method(MountParams, Client.mount),
    "unmount": Method(UnmountParams, Client.unmount),
    "listTools": Method(ListToolsParams, Client.list_tools),
    "describeTools": Method(DescribeToolsParams, Client.describe_tools),
    "summarizeCall": Method(SummarizeCallParams, Client.summarize_call),
    "callTool": Method(CallToolParams, Client.call_tool),
    "openDecompressor": Method(OpenDecompressorParams, Client.open_decompressor),
    "decompress": Method(DecompressParams, Client.decompress),
    "closeDecompressor": Method(CloseDecompressorParams, Client.close_decompressor),
}
"""The parameters and the handler of each method, by its name.

`treeglass.bridge.changes` has those about changes, and `treeglass.bridge.files` those of
`FILE_METHOD_NAMES`: a page fetches each module with the first of its methods."""

FILE_METHOD_NAMES = ("listEntries", "readFile")
