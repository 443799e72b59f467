"""The ignore files that hold for a directory, by ripgrep's rules of strength.

Strongest first: `.rgignore`, `.ignore`, `.gitignore`, `.git/info/exclude`. Of each kind the
deepest file decides that has a rule. The last two count inside a repository only, and those
above the repository's own directory do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import WorkspaceError
from treeglass.search.glob_syntax import RIPGREP
from treeglass.search.ignore_file import IgnoreFile
from treeglass.utf8 import raw_bytes

if TYPE_CHECKING:
    from collections.abc import Collection

    from treeglass.workspace import ResolvedPath, Workspace

MAX_IGNORE_FILE_BYTES = 1024 * 1024
"""Most bytes of one ignore file that are read; what follows does not count."""

_GIT = ".git"
_OF_GIT = (".gitignore", f"{_GIT}/info/exclude")
OF_IGNORE = (".ignore", *_OF_GIT)
"""The kinds that the crate `ignore` reads by itself, the strongest first."""
OF_RIPGREP = (".rgignore", *OF_IGNORE)
"""The kinds that ripgrep reads."""


def is_hidden(name: str) -> bool:
    """Tell whether a name is hidden to ripgrep: it begins with a dot, and does not end with one.

    The crate `ignore` sees no file name in a path that ends with a dot.
    """
    return name.startswith(".") and not name.endswith(".")


class _Rules(NamedTuple):
    """One ignore file, with what it has read of the path to the directory."""

    file: IgnoreFile
    state: int


class IgnoreStack:
    """The ignore files of a directory and of those above it; never changed."""

    __slots__ = ("_by_kind", "_in_repository", "_kinds")

    def __init__(
        self,
        by_kind: dict[str, tuple[_Rules, ...]],
        *,
        kinds: tuple[str, ...],
        in_repository: bool,
    ) -> None:
        self._by_kind = by_kind
        self._kinds = kinds
        self._in_repository = in_repository

    def ignores(self, name: str, *, is_directory: bool) -> bool | None:
        """Tell whether an entry of the directory is ignored; None if no rule names it."""
        if not self._by_kind:
            return None
        text = raw_bytes(name)
        for kind in self._kinds:
            if kind in _OF_GIT and not self._in_repository:
                continue
            for file, state in self._by_kind.get(kind, ()):
                decision = file.ignores(file.feed(state, text), is_directory=is_directory)
                if decision is not None:
                    return decision
        return None

    def entered(
        self, workspace: Workspace, directory: ResolvedPath, name: str, names: Collection[str]
    ) -> IgnoreStack:
        """Return the stack of a directory in this one.

        Args:
            workspace: Reads the ignore files.
            directory: The directory that is entered.
            name: Its name.
            names: What it contains.
        """
        text = raw_bytes(name) + b"/"
        is_repository = _GIT in names
        by_kind = {}
        for kind in self._kinds:
            above = self._by_kind.get(kind, ())
            if kind in _OF_GIT and is_repository:
                above = ()
            moved = [_Rules(file, file.feed(state, text)) for file, state in above]
            # A state of 0 matches nothing below it either.
            kept = tuple(rules for rules in moved if rules.state)
            if kind.partition("/")[0] in names:
                kept = (*_read(workspace, directory, kind), *kept)
            if kept:
                by_kind[kind] = kept
        in_repository = self._in_repository or is_repository
        return IgnoreStack(by_kind, kinds=self._kinds, in_repository=in_repository)


def stack_of(
    workspace: Workspace, directory: ResolvedPath, kinds: tuple[str, ...] = OF_RIPGREP
) -> IgnoreStack:
    """Return the stack of a directory, with those of all directories above it."""
    stack = IgnoreStack({}, kinds=kinds, in_repository=False)
    virtual = ""
    for name in ["", *directory.virtual.strip("/").split("/")]:
        virtual = f"{virtual.rstrip('/')}/{name}"
        try:
            here = workspace.resolve(virtual)
            names = {entry.name for entry in workspace.scan(here)}
        except WorkspaceError:
            names = set()
            here = directory
        stack = stack.entered(workspace, here, name, names)
    return stack


def _read(workspace: Workspace, directory: ResolvedPath, kind: str) -> tuple[_Rules, ...]:
    try:
        path = workspace.resolve(f"{directory.virtual}/{kind}")
        with workspace.open(path) as file:
            content = file.read(MAX_IGNORE_FILE_BYTES)
    except (OSError, WorkspaceError):
        # As with ripgrep's `--no-messages`, which codex passes.
        return ()
    rules = IgnoreFile(content, RIPGREP)
    return (_Rules(rules, rules.start),)
