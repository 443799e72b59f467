"""Render the loaded trees as a section of Markdown: times, blocks and memory, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.mounting.sessions import (
    CANDIDATES,
    DIRECTORY_COUNT,
    FILES_PER_DIRECTORY,
    MAX_LOAD_S,
    PEERS,
    TREEGLASS,
)
from bench.mounting.trees import SOURCES
from bench.report import cell, figure, ratio, render_part, section, spread, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.facts import Facts

DIRECTORY = "a directory handle"
"""The case of the origin private file system; every other case is a source of so many files."""

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
_BLOCKS = "By the longest time between two messages that the page sends to itself."
_MEMORY = (
    "PSS, and what it grew by since before the tree was chosen; treeglass holds an interpreter.\n"
    "The page's garbage is collected before each look; "
    "that of treeglass's worker is collected when it likes, so it may even shrink."
)


def case_of(label: str, file_count: int) -> str:
    """Return the name of a source with so many files."""
    return f"{label}; {file_count:,} files"


def render(facts: Facts) -> str:
    """Return the section's body."""
    return render_part(
        facts,
        _METHOD,
        section("Time to load", "", _table(facts, "taken_ms", has_ratios=True)),
        section(
            "Longest block of the page's main thread meanwhile",
            f"{_BLOCKS}\n{_agreement(facts)}",
            _table(facts, "block_ms"),
        ),
        section(
            "Memory of the whole browser afterwards", _MEMORY, _table(facts, "share_bytes", _share)
        ),
        section("Peak memory of the renderer", "", _table(facts, "peak_bytes")),
        section("A directory handle, listed when it is looked at", "", _directory_table(facts)),
    )


def _table(
    facts: Facts,
    what: str,
    show: Callable[[Facts, str, str, str], str] = cell,
    *,
    has_ratios: bool = False,
) -> list[str]:
    """Return a row for each measured source and size, in the order of the sources."""
    sizes = list(dict.fromkeys(case.partition("; ")[2] for case in facts.cases() if "; " in case))
    peers = PEERS if has_ratios else ()
    rows = []
    for source in SOURCES:
        for size in sizes:
            case = f"{source.label}; {size}"
            ours = (case, TREEGLASS.name, what)
            cells = [show(facts, case, candidate.name, what) for candidate in CANDIDATES]
            ratios = [ratio(facts, ours, (case, peer.name, what)) for peer in peers]
            rows.append([source.label, size.removesuffix(" files"), *cells, *ratios])
    names = [candidate.name for candidate in CANDIDATES]
    return table(["Source", "Files", *names, *(f"treeglass / {peer.name}" for peer in peers)], rows)


def _share(facts: Facts, case: str, by: str, what: str) -> str:
    after = facts.values(case, by, what)
    before = facts.values(case, by, "share_before_bytes")
    grown = [late - early for late, early in zip(after, before, strict=False)]
    shown = cell(facts, case, by, what)
    return f"{shown}; grown by {spread(grown, what)}" if grown else shown


def _agreement(facts: Facts) -> str:
    """Say how far the browser's own list of long tasks differs from the heartbeat."""
    found = [
        candidate for each in facts.rounds for case in each.values() for candidate in case.values()
    ]
    apart = [
        float(each["block_ms"]) - float(each["task_ms"])  # type: ignore[arg-type]  # never a list
        for each in found
        if each.get("task_ms")
    ]
    if not apart:
        return "The browser told of no task of 50 ms or more."
    return (
        f"Where the browser told of a task of 50 ms or more ({len(apart)} times), the longest was "
        f"{figure(min(apart))} ms to {figure(max(apart))} ms shorter than that."
    )


def _directory_table(facts: Facts) -> list[str]:
    names = ("mount_ms", "first_ms", "whole_ms")
    row = [
        "origin private file system",
        f"{DIRECTORY_COUNT * FILES_PER_DIRECTORY:,}, empty",
        *(cell(facts, DIRECTORY, TREEGLASS.name, name) for name in names),
    ]
    first = f"first `list_dir`, of the root and its {DIRECTORY_COUNT} directories"
    return table(["Source", "Files", "Mount", first, "then `list_dir` of everything"], [row])
