"""The sandbox of all tools but `list_directory`: which real paths a call may see or change.

Narrower than the workspace's gate, which every path passes as well. It differs from that of
`list_directory`: an absolute path below a root is allowed, and a pattern covers what it names.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import InvalidArguments, PathNotFound, WorkspaceError
from treeglass.escaping import unescape_name
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid, GlobTooLarge, Steps, ignoring_case
from treeglass.search.glob_syntax import GlobDialect, parse_glob
from treeglass.tools.forge.errors import (
    SandboxViolation,
    denied_pattern_matched,
    path_outside_sandbox,
)
from treeglass.tools.forge.paths.denied_patterns import DEFAULT_DENIED_PATTERNS
from treeglass.tools.forge.paths.sandbox import RootSandbox
from treeglass.tools.forge.text import is_hidden_in_path
from treeglass.utf8 import raw_bytes
from treeglass.workspace.entries import Entry

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import ResolvedPath

DENIED_PATTERNS_OF_FILES = (
    *("**/.git/**", "**/core", "**/core.*", "**/*.core", "**/*.dmp", "**/*.mdmp", "**/*.stackdump"),
)
"""The patterns that `include_default_denies` adds to those of `list_directory`."""

_ACROSS_SLASHES = GlobDialect(crosses_slashes=True)


class _Above(NamedTuple):
    """The facts that all files of one directory share."""

    directory: str
    """Its virtual path, without a slash at its end."""
    is_allowed: bool
    """True if it lies in an allowed root, or is one."""
    state: int
    """Of the denied patterns, before a name."""


class PathSandbox(RootSandbox):
    """The allowed roots and denied patterns of one call."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context, DEFAULT_DENIED_PATTERNS + DENIED_PATTERNS_OF_FILES)
        # The highest number is told first, and the first pattern has to win.
        steps = [_denied_steps(pattern) for pattern in reversed(self._patterns)]
        try:
            self._automaton = GlobAutomaton(steps)
        except GlobTooLarge:
            # What cannot be checked is denied.
            self._automaton = GlobAutomaton([_denied_steps("**")])
        self._above: _Above | None = None
        """Kept, since a walk meets the files of one directory after each other."""

    def resolve(self, path: str, *, needs_parent: bool = True) -> ResolvedPath:
        """Return the real path of a request, if it may be seen; its last name may be missing.

        An empty one is the working directory. One that holds `..`, leads out of every allowed root,
        lies in a missing directory that is needed, or is covered by a denied pattern is a
        `SandboxViolation`; controls and invisible characters are `InvalidArguments`.
        """
        if is_hidden_in_path(path):
            raise InvalidArguments("path contains invalid control characters")
        self._refuse_climbing(path, may_be_absolute=self._allow_absolute or self._is_allowed(path))
        attempted = self._attempted(path)
        real = self._resolve(attempted, attempted)
        if needs_parent:
            self._require_parent(attempted)
        self._require_root(attempted, real)
        pattern = self.denied_by(real.virtual)
        if pattern is not None:
            raise SandboxViolation(denied_pattern_matched(real.virtual, pattern))
        return real

    def missing_path(self, path: str) -> str:
        """Return how a request whose last name leads nowhere is told: its parent is real."""
        parent, _, name = self._attempted(path).rpartition("/")
        try:
            return f"{self._context.resolve(parent or '/').virtual.rstrip('/')}/{name}"
        except WorkspaceError:
            return f"{parent}/{name}"

    def link_to_nothing(self, path: str) -> str | None:
        """Return the link on a request that leads to nothing; None if a name is just missing."""
        context = self._context
        above = context.resolve("/")
        for name in filter(None, self._attempted(path).split("/")):
            try:
                above = context.workspace.resolve(
                    name, base=above.virtual, unescape=context.escape_names
                )
            except WorkspaceError as error:
                if above.host is None or not isinstance(error, PathNotFound):
                    return None
                plain = unescape_name(name) if context.escape_names else name
                link = context.workspace.enter(above, Entry(plain, None))
                return link.virtual if context.workspace.has(link) else None
        return None

    def denied_by(self, virtual: str) -> str | None:
        """Return the first denied pattern that covers a virtual path."""
        return self._told(self._automaton.feed(self._automaton.start, raw_bytes(virtual)))

    def _told(self, state: int) -> str | None:
        number = self._automaton.highest(state)
        return None if number is None else self._patterns[-1 - number]

    def fault_of(self, shown: str, real: ResolvedPath) -> str | None:
        """Return why a file that a walk met may not be seen, None if it may."""
        directory, _, name = real.virtual.rpartition("/")
        above = self._above
        if above is None or above.directory != directory:
            state = self._automaton.feed(self._automaton.start, raw_bytes(f"{directory}/"))
            above = self._above = _Above(directory, self._is_allowed(directory or "/"), state)
        # A root allows all that is below it.
        if not (above.is_allowed or self._is_allowed(real.virtual)):
            return path_outside_sandbox(shown, real.virtual)
        pattern = self._told(self._automaton.feed(above.state, raw_bytes(name)))
        return None if pattern is None else denied_pattern_matched(real.virtual, pattern)

    def _attempted(self, path: str) -> str:
        # As text: a pure path would lose the dot of `./a`.
        base = self._context.working_dir.rstrip("/")
        return path if path.startswith("/") else f"{base}/{path}".rstrip("/") or "/"

    def _require_parent(self, attempted: str) -> None:
        parent, _, _ = attempted.rstrip("/").rpartition("/")
        try:
            self._context.workspace.status(self._context.resolve(parent or "/", strict=False))
        except WorkspaceError:
            raise SandboxViolation(path_outside_sandbox(attempted, attempted)) from None

    def _is_allowed(self, virtual: str) -> bool:
        return self._root_of(virtual) is not None


# Every call asks for the same patterns, and to parse them took most of the time of a small call.
@lru_cache(maxsize=64)
def _denied_steps(pattern: str) -> list[Steps]:
    try:
        return ignoring_case(parse_glob(raw_bytes(pattern), _ACROSS_SLASHES))
    except GlobInvalid:
        # A path that cannot be checked is denied.
        return ignoring_case(parse_glob(b"**", _ACROSS_SLASHES))
