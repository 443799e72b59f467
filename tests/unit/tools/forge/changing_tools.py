"""Forge's tools that read and change a tree, for tests of them."""

from pathlib import Path
from typing import Any

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.nodes import File


class Tools:
    """A mounted tree, and Forge's tools that read and change it."""

    def __init__(self, root: Path, limits: Limits | None = None, **tables: Any) -> None:
        offered = ["forge.Read", "forge.Edit", "forge.Write"]
        clock = tables.pop("clock", lambda: 0.0)
        config = {"offered": offered, "approval": {"mode": "auto"}, **tables}
        self.workspace = Workspace({"/project": root}, limits=limits)
        self.registry = ToolRegistry(
            self.workspace, Config.from_object({"tools": config}), clock=clock
        )

    def __call__(self, tool: str, budget: int | None = None, /, **arguments: Any) -> ToolResult:
        return self.registry.call_tool(tool, arguments, max_output_bytes=budget)

    def edit(self, *lines: str, budget: int | None = None) -> ToolResult:
        """Apply a patch that is given without its header and footer."""
        return self("Edit", budget, patch="\n".join(["LP1", *lines, "END"]))

    @property
    def proposed(self) -> dict[str, bytes]:
        """The files that are proposed, by the path below the mount."""
        return {
            path.removeprefix("/project/"): each.after.content
            for path, each in self.workspace.overlay.record.proposals.items()
            if isinstance(each.after, File)
        }

    def seen(self, name: str) -> tuple[int, int] | None:
        """Return the first and last line that count as seen."""
        kept = self.workspace.overlay.seen["forge"].get(f"/project/{name}")
        return None if kept is None else (kept[0], kept[1])
