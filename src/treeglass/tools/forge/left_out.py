"""The matches that the caps of `Search` left out, which the design's text does not tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import CallTimedOut, WorkspaceError

if TYPE_CHECKING:
    from treeglass.config_tables import SearchTable
    from treeglass.tools.forge.arguments import SearchArgs

MAX_COUNTED_LINES = 10_000
"""Most lines beyond the caps that one call counts; counting takes time, too."""

_MAX_COUNTED_FILES = 100_000


class Bounds(NamedTuple):
    """The caps of a call, in the order in which they are checked."""

    max_matches_per_file: int
    max_files: int
    max_file_size_bytes: int


class LeftOut:
    """Counts of one call."""

    def __init__(self, args: SearchArgs, table: SearchTable, bounds: Bounds) -> None:
        self._args = args
        self._table = table
        self._bounds = bounds
        self.large_files = 0
        """Files over `max_file_size_bytes`."""
        self.lines = 0
        """Lines that match, beyond `max_matches_per_file`; counted up to `MAX_COUNTED_LINES`."""
        self.files_with_more = 0
        """The files that hold them."""
        self._more_files: Iterator[object] = iter(())
        self._files = 0
        self._is_counted = True

    @property
    def countable_lines(self) -> int:
        """The number of lines to count in the next file beyond the cap, at least one."""
        return max(1, MAX_COUNTED_LINES - self.lines)

    def add_lines(self, count: int) -> None:
        """Note the lines of one file beyond the cap."""
        self.lines += count
        self.files_with_more += count > 0

    def stop_at(self, more_files: Iterator[object]) -> None:
        """Note that the walk was left where `max_files` were found, with the files that follow."""
        self._more_files = more_files

    def count_files(self, checkpoint: Callable[[], None]) -> None:
        """Count the files beyond `max_files`; call it after the search, which comes first."""
        try:
            for _ in islice(self._more_files, _MAX_COUNTED_FILES):
                self._files += 1
                checkpoint()
            self._is_counted = self._files < _MAX_COUNTED_FILES
        except (CallTimedOut, WorkspaceError):
            self._is_counted = False

    def __bool__(self) -> bool:
        return self._has_more_files or self.large_files > 0 or self.lines > 0

    @property
    def _has_more_files(self) -> bool:
        return self._files > 0 or not self._is_counted

    def raised(self) -> dict[str, int]:
        """Return the arguments that ask for more than this call did, as far as they may."""
        is_hit = {
            "max_matches_per_file": self.lines > 0,
            "max_files": self._has_more_files,
            "max_file_size_bytes": self.large_files > 0,
        }
        return {
            name: getattr(self._table, name)
            for name, was_hit in is_hit.items()
            if was_hit and self._may_grow(name)
        }

    def _may_grow(self, name: str) -> bool:
        return bool(getattr(self._bounds, name) < getattr(self._table, name))

    def _how(self, name: str, otherwise: str) -> str:
        if not self._may_grow(name):
            return otherwise
        return f"ask for {name} up to {getattr(self._table, name):,}, or {otherwise}"

    def warnings(self) -> tuple[str, ...]:
        """Return a sentence for each cap that left something out."""
        said = []
        bounds = self._bounds
        if self._has_more_files:
            at_least = "" if self._is_counted else "at least "
            count = _counted(self._files, "file", "was", "were")
            left = f"so {at_least}{count} not searched" if self._files else "and there may be more"
            how = self._how("max_files", "narrow path or include_glob")
            said.append(f"max_files is {bounds.max_files:,}, {left}; {how}.")
        if self.large_files:
            count = _counted(self.large_files, "file", "was", "were")
            how = self._how("max_file_size_bytes", "read the file that you need")
            said.append(
                f"max_file_size_bytes is {bounds.max_file_size_bytes:,}, so "
                f"{count} not searched; {how}."
            )
        if self.lines:
            at_least = "" if self.lines < MAX_COUNTED_LINES else "at least "
            count = _counted(self.lines, "line", "that matches was", "that match were")
            files = "1 file" if self.files_with_more == 1 else f"{self.files_with_more:,} files"
            how = self._how("max_matches_per_file", "narrow the pattern, or read the file")
            said.append(
                f"max_matches_per_file is {bounds.max_matches_per_file:,}, so "
                f"{at_least}{count} left out in {files}; {how}."
            )
        return tuple(said)


def _counted(count: int, noun: str, one: str, many: str) -> str:
    return f"1 {noun} {one}" if count == 1 else f"{count:,} {noun}s {many}"


def raised_arguments(
    args: SearchArgs, raised: dict[str, int], max_results: int | None
) -> dict[str, Any] | None:
    """Return the call with larger caps; None if none may be larger."""
    larger = raised if max_results is None else {**raised, "max_results": max_results}
    return {**args.written(), **larger} if larger else None
