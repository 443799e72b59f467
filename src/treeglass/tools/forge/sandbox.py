"""The sandbox: which of the workspace's directories a call may list.

Narrower than the workspace's gate, which every path passes as well. Nothing
here lists or reads, and only the gate follows links on the requested path.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from treeglass.errors import PathEscapesWorkspace, WorkspaceError
from treeglass.escaping import unescape_name
from treeglass.tools.forge.denied_patterns import DEFAULT_DENIED_PATTERNS, compile_patterns
from treeglass.tools.forge.errors import (
    SandboxViolation,
    denied_pattern_matched,
    path_outside_sandbox,
)

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import ToolContext
    from treeglass.tools.forge.denied_patterns import DeniedPattern
    from treeglass.workspace import ResolvedPath, Workspace


class Sandbox:
    """The allowed roots and denied patterns of one call.

    Args:
        context: The call; its configuration has the `[tools.sandbox]` table.
    """

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._allow_absolute = context.config.tools.sandbox.allow_absolute
        self._roots = allowed_roots(context.workspace, context.config)
        self._patterns = _denied_patterns(context.config)

    def resolve(self, path: str) -> ResolvedPath:
        """Return the resolved path of a request, if it may be listed.

        It need not exist: a missing path below an allowed root is not a
        violation. Implements FR-LD-VAL-07.

        Args:
            path: A path in the form of `normalize_path`.

        Raises:
            SandboxViolation: The path is absolute without `allow_absolute`,
                holds `..`, leads out of every allowed root, or is covered by
                a denied pattern, itself or by a directory above it.
            WorkspaceError: The text cannot be a path.
        """
        if (path.startswith("/") and not self._allow_absolute) or self._climbs(path):
            raise SandboxViolation(path_outside_sandbox(path, path))
        attempted = str(PurePosixPath(self._context.working_dir) / path)
        try:
            resolved = self._context.resolve(path, strict=False)
        except PathEscapesWorkspace:
            # The agent must not learn where on the host the link leads.
            reason = path_outside_sandbox(attempted, "outside of every mount")
            raise SandboxViolation(reason) from None
        virtual = PurePosixPath(resolved.virtual)
        root = next((root for root in self._roots if virtual.is_relative_to(root)), None)
        if root is None:
            raise SandboxViolation(path_outside_sandbox(attempted, resolved.virtual))
        # A directory that a walk never enters cannot be listed by its name either.
        for place in (virtual, *virtual.parents):
            if place.is_relative_to(root) and (pattern := self._denied_by(str(place))) is not None:
                raise SandboxViolation(denied_pattern_matched(resolved.virtual, pattern))
        return resolved

    def denies(self, directory: ResolvedPath) -> bool:
        """Tell whether a denied pattern covers a directory met while walking."""
        return self._denied_by(directory.virtual) is not None

    def _denied_by(self, virtual: str) -> str | None:
        for denied in self._patterns:
            if denied.matches(virtual):
                return denied.pattern
        return None

    def _climbs(self, path: str) -> bool:
        parts = path.split("/")
        return ".." in parts or (
            self._context.escape_names and any(unescape_name(part) == ".." for part in parts)
        )


def allowed_roots(workspace: Workspace, config: Config) -> tuple[str, ...]:
    """Return the canonical virtual paths of the allowed roots.

    A root that leads out of every mount, or cannot be a path, allows nothing.
    """
    roots = []
    for root in config.tools.sandbox.allowed_roots:
        try:
            resolved = workspace.resolve(root, base=workspace.project_root, strict=False)
        except WorkspaceError:
            continue
        roots.append(resolved.virtual)
    return tuple(roots)


def _denied_patterns(config: Config) -> tuple[DeniedPattern, ...]:
    sandbox = config.tools.sandbox
    defaults = DEFAULT_DENIED_PATTERNS if sandbox.include_default_denies else ()
    return compile_patterns((*sandbox.denied_patterns, *defaults))
