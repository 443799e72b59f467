"""Render the loaded trees as a section of Markdown: times, blocks and memory, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bench.figures import MIB, figure, machine, spread, spread_mib, spread_ratios, table, told_runs
from bench.mounting.candidates import CANDIDATES, PEERS, TREEGLASS, pinned
from bench.mounting.sessions import (
    DIRECTORY_COUNT,
    FILES_PER_DIRECTORY,
    MAX_LOAD_S,
    Listed,
    Loaded,
    NotLoaded,
)
from bench.mounting.trees import SOURCES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Cells: TypeAlias = "dict[tuple[str, int, str], Loaded | NotLoaded]"
"""The measurements by source label, number of files, and candidate."""

_METHOD = (
    "Every figure is of a new browser process with a new profile, "
    "in an order that changes from run to run; the candidates of one row follow one another.\n"
    "Files are about 1 KB each, in up to 200 directories; after the clock each tree was counted "
    "and three of its files were read, and only a tree found whole has a time.\n"
    "treeglass takes each source as it is: the time is of `client.mount()`, to its report.\n"
    "just-bash takes `new Bash({ files })` and memfs takes `Volume.fromJSON()`, "
    "on the page's main thread as their manuals have it.\n"
    "Their time begins with what gives them contents: "
    "`unzipSync` of fflate for zip, `parseTar` of nanotar for tar, "
    "`arrayBuffer()` of 64 files at a time for files, nothing for entries.\n"
    "Files are those of a folder chosen in a file input with `webkitdirectory`; "
    "read on demand, just-bash is given its functions that read a file when it is first wanted, "
    "as treeglass always does.\n"
    f"What is not loaded after {MAX_LOAD_S} s counts as not loaded."
)
_MEMORY = (
    "PSS, and what it grew by since before the tree was chosen; treeglass holds an interpreter.\n"
    "The page's garbage is collected before each look; "
    "that of treeglass's worker is collected when it likes, so it may even shrink."
)


class MountRun(NamedTuple):
    """One round: every candidate with every source and tree once."""

    cells: Cells
    directory: Listed


def render(
    runs: Sequence[MountRun], *, browser: str, sizes: Sequence[int], loads: Sequence[float]
) -> str:
    """Return the section's body.

    Args:
        runs: At least one.
        browser: Its name and version.
        sizes: How many files each tree has.
        loads: The machine's load averages before the first run and after the last.
    """
    versions = pinned(("just-bash", "memfs", "fflate", "nanotar"))
    rows = [(source.label, size) for source in SOURCES for size in sizes]
    return "\n".join(
        [
            f"{browser}, {versions}; {machine(loads)}",
            told_runs(len(runs)),
            _METHOD,
            "",
            "### Time to load",
            "",
            *_time_table(runs, rows),
            "",
            "### Longest block of the page's main thread meanwhile",
            "",
            "By the longest time between two messages that the page sends to itself.",
            _agreement(runs),
            "",
            *_plain_table(
                runs, rows, lambda loads: spread([x.longest_block_ms for x in loads], "ms")
            ),
            "",
            "### Memory of the whole browser afterwards",
            "",
            _MEMORY,
            "",
            *_plain_table(runs, rows, _share),
            "",
            "### Peak memory of the renderer",
            "",
            *_plain_table(
                runs, rows, lambda loads: spread_mib(x.after.renderer_peak_bytes for x in loads)
            ),
            "",
            "### A directory handle, listed when it is looked at",
            "",
            *_directory_table(runs),
        ]
    )


def _time_table(runs: Sequence[MountRun], rows: Sequence[tuple[str, int]]) -> list[str]:
    head = ["Source", "Files", *(candidate.name for candidate in CANDIDATES)]
    head += [f"treeglass / {peer.name}" for peer in PEERS]
    lines = []
    for label, size in rows:
        cells = [
            _cell(runs, (label, size, candidate.name), lambda x: spread(_times(x), "ms"))
            for candidate in CANDIDATES
        ]
        ours = _loaded(runs, (label, size, TREEGLASS.name))
        for peer in PEERS:
            theirs = _loaded(runs, (label, size, peer.name))
            is_whole = len(theirs) == len(ours)
            cells.append(spread_ratios(_times(ours), _times(theirs)) if is_whole else "")
        lines.append([label, f"{size:,}", *cells])
    return table(head, lines)


def _plain_table(
    runs: Sequence[MountRun],
    rows: Sequence[tuple[str, int]],
    show: Callable[[list[Loaded]], str],
) -> list[str]:
    head = ["Source", "Files", *(candidate.name for candidate in CANDIDATES)]
    lines = []
    for label, size in rows:
        cells = [_cell(runs, (label, size, candidate.name), show) for candidate in CANDIDATES]
        lines.append([label, f"{size:,}", *cells])
    return table(head, lines)


def _cell(
    runs: Sequence[MountRun], key: tuple[str, int, str], show: Callable[[list[Loaded]], str]
) -> str:
    """Return the measurements, or the reason why there is no figure."""
    reasons = [done.reason for run in runs if isinstance(done := run.cells[key], NotLoaded)]
    if not reasons:
        return show(_loaded(runs, key))
    # A bar would end the cell.
    reason = reasons[0].replace("|", "\\|")
    often = "" if len(reasons) == len(runs) else f" in {len(reasons)} of {len(runs)} runs"
    return f"not loaded{often}: {reason}"


def _loaded(runs: Sequence[MountRun], key: tuple[str, int, str]) -> list[Loaded]:
    return [done for run in runs if isinstance(done := run.cells[key], Loaded)]


def _times(loads: Sequence[Loaded]) -> list[float]:
    return [load.taken_ms for load in loads]


def _share(loads: list[Loaded]) -> str:
    shown = spread_mib(load.after.browser_share_bytes for load in loads)
    grown = [
        (load.after.browser_share_bytes - load.before.browser_share_bytes) / MIB
        for load in loads
        if load.after.browser_share_bytes is not None
        and load.before.browser_share_bytes is not None
    ]
    return f"{shown}; grown by {spread(grown, 'MiB')}" if grown else shown


def _agreement(runs: Sequence[MountRun]) -> str:
    """Say how far the browser's own list of long tasks differs from the heartbeat."""
    apart = [
        done.longest_block_ms - done.longest_task_ms
        for run in runs
        for done in run.cells.values()
        if isinstance(done, Loaded) and done.longest_task_ms
    ]
    if not apart:
        return "The browser told of no task of 50 ms or more."
    return (
        f"Where the browser told of a task of 50 ms or more ({len(apart)} times), the longest was "
        f"{figure(min(apart))} ms to {figure(max(apart))} ms shorter than that."
    )


def _directory_table(runs: Sequence[MountRun]) -> list[str]:
    listed = [run.directory for run in runs]
    row = [
        "origin private file system",
        f"{DIRECTORY_COUNT * FILES_PER_DIRECTORY:,}, empty",
        spread([each.mount_ms for each in listed], "ms"),
        spread([each.first_ms for each in listed], "ms"),
        spread([each.whole_ms for each in listed], "ms"),
    ]
    first = f"first `list_dir`, of the root and its {DIRECTORY_COUNT} directories"
    return table(["Source", "Files", "Mount", first, "then `list_dir` of everything"], [row])
