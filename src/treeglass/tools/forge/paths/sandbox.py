"""The sandbox of `list_directory`, and what the other forge tools' share with it.

Narrower than the workspace's gate, which every path passes as well, and which alone follows links.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from treeglass.errors import PathEscapesWorkspace, WorkspaceError
from treeglass.escaping import unescape_name
from treeglass.tools.forge.errors import (
    SandboxViolation,
    denied_pattern_matched,
    path_outside_sandbox,
)
from treeglass.tools.forge.paths.denied_patterns import DEFAULT_DENIED_PATTERNS, compile_patterns

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import ResolvedPath


class RootSandbox:
    """The allowed roots of one call."""

    def __init__(self, context: ToolContext, default_denies: tuple[str, ...]) -> None:
        table = context.config.tools.sandbox
        self._context = context
        self._allow_absolute = table.allow_absolute
        self._roots = [PurePosixPath(root).parts for root in _allowed_roots(context)]
        self._patterns: Final = (
            *table.denied_patterns,
            *(default_denies if table.include_default_denies else ()),
        )
        """The denied patterns; the first that covers a path is reported."""

    def _refuse_climbing(self, path: str, *, may_be_absolute: bool) -> None:
        parts = path.split("/")
        climbs = ".." in parts or (
            self._context.escape_names and any(unescape_name(part) == ".." for part in parts)
        )
        if climbs or (path.startswith("/") and not may_be_absolute):
            raise SandboxViolation(path_outside_sandbox(path, path))

    def _resolve(self, path: str, attempted: str) -> ResolvedPath:
        try:
            return self._context.resolve(path, strict=False)
        except PathEscapesWorkspace:
            # The agent must not learn where on the host the link leads.
            reason = path_outside_sandbox(attempted, "outside of every mount")
            raise SandboxViolation(reason) from None

    def _root_of(self, virtual: str) -> tuple[str, ...] | None:
        """Return the names of the first allowed root that holds a path, or is it."""
        # `is_relative_to` takes the square of the number of names, and a path may have any.
        parts = PurePosixPath(virtual).parts
        return next((root for root in self._roots if parts[: len(root)] == root), None)

    def _require_root(self, attempted: str, path: ResolvedPath) -> tuple[str, ...]:
        root = self._root_of(path.virtual)
        if root is None:
            raise SandboxViolation(path_outside_sandbox(attempted, path.virtual))
        return root


class Sandbox(RootSandbox):
    """The allowed roots and denied patterns of one listing."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context, DEFAULT_DENIED_PATTERNS)
        self._compiled = compile_patterns(self._patterns)

    def resolve(self, path: str) -> ResolvedPath:
        """Return the resolved path of a request, as `normalize_path` gives it, if it may be listed.

        It need not exist: a missing path below an allowed root is not a `SandboxViolation`. A path
        is one that a denied pattern covers, itself or by a directory above it. Implements
        FR-LD-VAL-07.
        """
        self._refuse_climbing(path, may_be_absolute=self._allow_absolute)
        attempted = str(PurePosixPath(self._context.working_dir) / path)
        resolved = self._resolve(path, attempted)
        root = self._require_root(attempted, resolved)
        # A directory that a walk never enters cannot be listed by its name either.
        virtual = PurePosixPath(resolved.virtual)
        for place in (virtual, *virtual.parents)[: len(virtual.parts) - len(root) + 1]:
            if (pattern := self._denied_by(str(place))) is not None:
                raise SandboxViolation(denied_pattern_matched(resolved.virtual, pattern))
        return resolved

    def denies(self, directory: ResolvedPath) -> bool:
        """Tell whether a denied pattern covers a directory met while walking."""
        return self._denied_by(directory.virtual) is not None

    def _denied_by(self, virtual: str) -> str | None:
        hits = (denied.pattern for denied in self._compiled if denied.matches(virtual))
        return next(hits, None)


def _allowed_roots(context: ToolContext) -> Iterator[str]:
    """Yield the virtual paths of the allowed roots; one that cannot be a path allows nothing."""
    workspace = context.workspace
    for root in context.config.tools.sandbox.allowed_roots:
        try:
            yield workspace.resolve(root, base=workspace.project_root, strict=False).virtual
        except WorkspaceError:
            continue
