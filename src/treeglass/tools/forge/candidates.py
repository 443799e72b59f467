"""The files that a call of `Search` searches, and those that it may not read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import CallTimedOut, InvalidArguments, WorkspaceError
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid, GlobTooLarge, Steps
from treeglass.search.glob_syntax import GlobDialect, parse_glob
from treeglass.tools.forge.tree_walk import TreeWalk, WalkFault, WalkRules
from treeglass.utf8 import WHITE_SPACE, lossy_text, raw_bytes

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.tool import ToolContext
    from treeglass.tools.forge.arguments import SearchArgs
    from treeglass.tools.forge.left_out import Bounds, LeftOut
    from treeglass.tools.forge.paths.path_sandbox import PathSandbox
    from treeglass.workspace import ResolvedPath

_ACROSS_SLASHES = GlobDialect(crosses_slashes=True)


class Globs:
    """A list of globs, any of which may match, or `InvalidArguments`."""

    def __init__(self, globs: list[str], checkpoint: Checkpoint) -> None:
        alternatives = (steps for glob in globs for steps in _parsed(glob, checkpoint))
        try:
            self._automaton = GlobAutomaton([alternatives], checkpoint)
        except GlobTooLarge as error:
            message = f"the globs are above a ceiling: {error}; search with fewer or shorter ones"
            raise InvalidArguments(message) from None

    def match(self, inside: str) -> bool:
        """Tell whether one matches a whole path below the search root."""
        state = self._automaton.feed(self._automaton.start, raw_bytes(inside))
        return self._automaton.highest(state) is not None


def _parsed(entry: str, checkpoint: Checkpoint) -> list[Steps]:
    checkpoint()
    glob = entry.strip(WHITE_SPACE)
    if not glob:
        raise InvalidArguments("glob entries must be non-empty")
    try:
        return parse_glob(raw_bytes(glob), _ACROSS_SLASHES)
    except GlobTooLarge:
        raise
    except GlobInvalid as error:
        reason = f"error parsing glob '{glob}': {error}"
        raise InvalidArguments(f"Invalid glob '{glob}': {reason}") from None


class Candidate(NamedTuple):
    """A file to search."""

    path: ResolvedPath
    inside: str
    """Its path below the search root, as the answer shows it."""
    order: bytes
    """Its place in the answer."""


class Candidates(NamedTuple):
    """The files that a call searches."""

    files: list[Candidate]
    scanned: int
    """Files that passed the globs, also those that are not searched."""
    errors: list[dict[str, str]]
    is_timed_out: bool = False
    """True if the time was up before all were found."""
    warnings: tuple[str, ...] = ()
    """Of the ignore files that are not applied."""


class CandidateFinder:
    """Collects the files of one call; what the bounds leave out is counted."""

    def __init__(
        self,
        args: SearchArgs,
        context: ToolContext,
        sandbox: PathSandbox,
        bounds: Bounds,
        left_out: LeftOut,
    ) -> None:
        self._left_out = left_out
        self._args = args
        self._context = context
        self._sandbox = sandbox
        self._bounds = bounds
        chosen = args.glob if args.include_glob is None else args.include_glob
        self._included = Globs(chosen, context.checkpoint) if chosen else None
        self._excluded = Globs(args.exclude_glob or [], context.checkpoint)

    def of_file(self, path: ResolvedPath) -> Candidates:
        """Return the file that the caller named, if the globs take its name."""
        name = path.virtual.rpartition("/")[2]
        return self._collect(iter([(path, name)]), path.virtual.rpartition("/")[0], [])

    def below(self, root: ResolvedPath) -> Candidates:
        """Return the files below a directory."""
        args = self._args
        rules = WalkRules(args.hidden, args.no_ignore, args.follow, args.recursive)
        errors: list[dict[str, str]] = []

        walk = TreeWalk(root, rules, self._context)

        def files() -> Iterator[tuple[ResolvedPath, str]]:
            for visited in walk.visit():
                if isinstance(visited, WalkFault):
                    path = "<unknown>" if visited.inside is None else lossy_text(visited.inside)
                    errors.append({"path": path, "error": visited.error})
                elif visited.kind == "file":
                    yield visited.path, visited.inside

        found = self._collect(files(), root.virtual.rstrip("/"), errors)
        return found._replace(warnings=walk.warnings)

    def _collect(
        self, files: Iterator[tuple[ResolvedPath, str]], base: str, errors: list[dict[str, str]]
    ) -> Candidates:
        found: list[Candidate] = []
        scanned = 0
        order_root = self._order_root(base)
        taken = (each for each in files if self._takes(each[1]))
        try:
            for path, inside in islice(taken, self._bounds.max_files):
                scanned += 1
                fault = self._sandbox.fault_of(f"{base}/{inside}", path)
                if fault is not None:
                    error = f"Sandbox violation: {lossy_text(fault)}"
                    errors.append({"path": lossy_text(inside), "error": error})
                elif self._is_small(path):
                    found.append(Candidate(path, inside, _order(path.virtual, order_root)))
        except CallTimedOut:
            return Candidates(found, scanned, errors, is_timed_out=True)
        self._left_out.stop_at(taken)
        # A copy: what is met while the other files are counted is no part of the answer.
        return Candidates(found, scanned, [*errors])

    def _takes(self, inside: str) -> bool:
        if self._included is not None and not self._included.match(inside):
            return False
        return not self._excluded.match(inside)

    def _is_small(self, path: ResolvedPath) -> bool:
        try:
            size_bytes = self._context.workspace.status(path).size_bytes
        except WorkspaceError:
            # The search meets the fault again, and tells it.
            return True
        is_small = size_bytes <= self._bounds.max_file_size_bytes
        self._left_out.large_files += not is_small
        return is_small

    def _order_root(self, base: str) -> str:
        path = self._args.path or ""
        root = base if path.startswith("/") else self._context.working_dir
        return root.rstrip("/") + "/"


def _order(virtual: str, root: str) -> bytes:
    """Return the place of a real path among the others: its NFC spelling as bytes."""
    return raw_bytes(unicodedata.normalize("NFC", virtual.removeprefix(root)))
