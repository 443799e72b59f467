"""The state of one client: mounts, configuration, tools, open streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.bridge.decompression import DecompressionStreams
from treeglass.config import Config
from treeglass.errors import WorkspaceInvalid
from treeglass.registry import ToolRegistry
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping


class ClientState:
    """The mounts, configuration and tools of one client; a refused change changes nothing."""

    def __init__(self) -> None:
        self._mounts: dict[str, str] = {}
        self._config = Config()
        self._project_root: str | None = None
        self._working_dir: str | None = None
        self.registry = self._registry_over(self._mounts)
        """The tools over the present mounts, replaced by each change."""
        self.streams = DecompressionStreams()

    @property
    def mount_points(self) -> list[str]:
        """The virtual paths of the mounts, sorted."""
        return sorted(self._mounts)

    def configure(self, config: Config, project_root: str | None, working_dir: str | None) -> None:
        """Replace the configuration and both directories; the mounts stay.

        Raises:
            WorkspaceInvalid: A directory is refused.
        """
        workspace = Workspace(self._mounts, project_root=project_root, working_dir=working_dir)
        self.registry = ToolRegistry(workspace, config)
        self._config, self._project_root, self._working_dir = config, project_root, working_dir

    def mount(self, path: str, host: str, *, replace: bool) -> None:
        """Show the interpreter's directory `host` at the virtual path `path`.

        Raises:
            WorkspaceInvalid: The directory or the path is refused, or the path
                is taken.
        """
        mounts = self._mounts_with(path, host, replace=replace)
        self.registry = self._registry_over(mounts)
        self._mounts = mounts

    def check_mount(self, path: str, *, replace: bool) -> None:
        """Raise what `mount` would raise for this path, and mount nothing."""
        # Any directory will do to find out whether the path is free.
        self._registry_over(self._mounts_with(path, "/", replace=replace))

    def unmount(self, path: str) -> None:
        """Take a mount away.

        Raises:
            WorkspaceInvalid: Nothing is mounted at the path.
        """
        if path not in self._mounts:
            message = f"nothing is mounted at {path!r}; mounted: {self.mount_points}"
            raise WorkspaceInvalid(message)
        mounts = {point: host for point, host in self._mounts.items() if point != path}
        self.registry = self._registry_over(mounts)
        self._mounts = mounts

    def _mounts_with(self, path: str, host: str, *, replace: bool) -> dict[str, str]:
        if path in self._mounts and not replace:
            message = f"{path!r} is mounted already; unmount it first or use another path"
            raise WorkspaceInvalid(message)
        return {**self._mounts, path: host}

    def _registry_over(self, mounts: Mapping[str, str]) -> ToolRegistry:
        # A workspace never changes, so that a call cannot see half of a change.
        workspace = Workspace(
            mounts, project_root=self._project_root, working_dir=self._working_dir
        )
        return ToolRegistry(workspace, self._config)
