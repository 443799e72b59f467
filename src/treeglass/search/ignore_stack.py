"""The ignore files that hold for a directory, by ripgrep's rules of strength.

Strongest first: `.rgignore`, `.ignore`, `.gitignore`, `.git/info/exclude`. Of each kind the
deepest file decides that has a rule. The last two count inside a repository only, and those
above the repository's own directory do not count.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import WorkspaceError
from treeglass.escaping import escape_path
from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.glob_steps import MAX_PLACES, GlobTooLarge
from treeglass.search.glob_syntax import RIPGREP
from treeglass.search.ignore_file import IgnoreFile
from treeglass.utf8 import raw_bytes

if TYPE_CHECKING:
    from treeglass.workspace import ResolvedPath, Workspace

MAX_IGNORE_FILE_BYTES = 1024 * 1024
"""Largest ignore file that counts."""

MAX_PLACES_AT_ONCE = 4 * MAX_PLACES
"""Most places of all ignore files that hold for one directory."""

_MAX_NAMED_FILES = 3

_GIT = ".git"
_OF_GIT = (".gitignore", f"{_GIT}/info/exclude")
OF_IGNORE = (".ignore", *_OF_GIT)
"""The kinds that the crate `ignore` reads by itself, the strongest first."""
OF_RIPGREP = (".rgignore", *OF_IGNORE)
"""The kinds that ripgrep reads."""


def is_hidden(name: str) -> bool:
    """Tell whether a name is hidden to ripgrep: it begins with a dot, and does not end with one."""
    return name.startswith(".") and not name.endswith(".")


class _Rules(NamedTuple):
    """One ignore file, with what it has read of the path to the directory."""

    file: IgnoreFile
    state: int


class _Reading(NamedTuple):
    """The state that the stacks of one walk share."""

    kinds: tuple[str, ...]
    checkpoint: Checkpoint
    refused: dict[str, str]
    """The virtual paths of the ignore files that are above a ceiling, each with the reason."""


class IgnoreStack:
    """The ignore files of a directory and of those above it."""

    __slots__ = ("_by_kind", "_in_repository", "_reading")

    def __init__(
        self, by_kind: dict[str, tuple[_Rules, ...]], reading: _Reading, *, in_repository: bool
    ) -> None:
        self._by_kind = by_kind
        self._reading = reading
        self._in_repository = in_repository

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about the ignore files of the walk so far that do not count."""
        refused = self._reading.refused
        sentences = [
            f"{escape_path(path)} is not applied, since it is above a ceiling: {reason}. What it "
            "would leave out may be in this answer."
            for path, reason in islice(refused.items(), _MAX_NAMED_FILES)
        ]
        if len(refused) > _MAX_NAMED_FILES:
            others = len(refused) - _MAX_NAMED_FILES
            sentences.append(f"Ignore files that are not applied either: {others:,} more.")
        return tuple(sentences)

    @property
    def has_rules(self) -> bool:
        """True if a rule may name an entry of the directory."""
        return bool(self._by_kind)

    def ignores(self, name: str, *, is_directory: bool) -> bool | None:
        """Tell whether an entry of the directory is ignored; None if no rule names it."""
        if not self._by_kind:
            return None
        text = raw_bytes(name)
        for kind in self._reading.kinds:
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
        """Return the stack of a directory in this one, given its name and those of its entries."""
        text = raw_bytes(name) + b"/"
        is_repository = _GIT in names
        by_kind: dict[str, tuple[_Rules, ...]] = {}
        for kind in self._reading.kinds:
            above = self._by_kind.get(kind, ())
            if kind in _OF_GIT and is_repository:
                above = ()
            moved = [_Rules(file, file.feed(state, text)) for file, state in above]
            # A state of 0 matches nothing below it either.
            kept = tuple(rules for rules in moved if rules.state)
            if kind.partition("/")[0] in names:
                kept = (*self._read(workspace, directory, kind, by_kind), *kept)
            if kept:
                by_kind[kind] = kept
        in_repository = self._in_repository or is_repository
        return IgnoreStack(by_kind, self._reading, in_repository=in_repository)

    def _read(
        self,
        workspace: Workspace,
        directory: ResolvedPath,
        kind: str,
        beside: dict[str, tuple[_Rules, ...]],
    ) -> tuple[_Rules, ...]:
        try:
            path = workspace.resolve(f"{directory.virtual}/{kind}")
            with workspace.open(path) as file:
                content = file.read(MAX_IGNORE_FILE_BYTES + 1)
        except (OSError, WorkspaceError):
            # As with ripgrep's `--no-messages`, which codex passes.
            return ()
        held = _place_count(self._by_kind) + _place_count(beside)
        try:
            rules = _rules_of(content, held, self._reading.checkpoint)
        except GlobTooLarge as error:
            self._reading.refused[path.virtual] = str(error)
            return ()
        return (_Rules(rules, rules.start),)


def _rules_of(content: bytes, held_places: int, checkpoint: Checkpoint) -> IgnoreFile:
    if len(content) > MAX_IGNORE_FILE_BYTES:
        raise GlobTooLarge(f"it is larger than {MAX_IGNORE_FILE_BYTES:,} bytes")
    rules = IgnoreFile(content, RIPGREP, checkpoint)
    if held_places + rules.place_count > MAX_PLACES_AT_ONCE:
        raise GlobTooLarge(
            "with the ignore files above and beside it, more than "
            f"{MAX_PLACES_AT_ONCE:,} characters"
        )
    return rules


def _place_count(by_kind: dict[str, tuple[_Rules, ...]]) -> int:
    return sum(file.place_count for rules in by_kind.values() for file, _ in rules)


def stack_of(
    workspace: Workspace,
    directory: ResolvedPath,
    kinds: tuple[str, ...] = OF_RIPGREP,
    checkpoint: Checkpoint = no_check,
) -> IgnoreStack:
    """Return the stack of a directory, with those of all directories above it.

    An ignore file above `MAX_IGNORE_FILE_BYTES`, or with more than `MAX_PLACES`, does not
    count, nor one that brings those which hold for a directory above `MAX_PLACES_AT_ONCE`;
    `IgnoreStack.warnings` names it.
    """
    stack = IgnoreStack({}, _Reading(kinds, checkpoint, {}), in_repository=False)
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
