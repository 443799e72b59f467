"""The part of the report on mounting: treeglass, just-bash and memfs load the same trees."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.mounting.candidates import CANDIDATES
from bench.mounting.report import DIRECTORY, case_of, render
from bench.mounting.sessions import MountStand, NotLoaded
from bench.mounting.trees import SOURCES, write_tree
from bench.page import pinned
from bench.runner import Job, Part, run_rounds, say

if TYPE_CHECKING:
    from bench.facts import Round
    from bench.mounting.candidates import Candidate
    from bench.mounting.trees import MountTree, Source
    from bench.runner import Bench


def _measure(bench: Bench) -> tuple[list[Round], list[str]]:
    trees = []
    for size in bench.options.sizes:
        say(f"writing the tree of {size:,} files")
        (bench.folder / str(size)).mkdir()
        trees.append(write_tree(bench.folder / str(size), size))
    (bench.folder / "site").mkdir()
    stand = MountStand(bench.folder / "site")
    groups = [
        [
            Job(
                f"{candidate.name}, {case_of(source.label, tree.file_count)}",
                partial(_load, bench, stand, candidate, source, tree),
            )
            for candidate in CANDIDATES
        ]
        for source in SOURCES
        for tree in trees
    ]
    groups.append([Job("a directory handle", partial(_list_directory, bench, stand))])
    rounds = run_rounds(groups, bench.run_count)
    return rounds, [stand.browser, *pinned("just-bash", "memfs", "fflate", "nanotar")]


def _load(
    bench: Bench, stand: MountStand, candidate: Candidate, source: Source, tree: MountTree
) -> Round:
    done = stand.load(bench.playwright, candidate, source, tree)
    case = case_of(source.label, tree.file_count)
    if isinstance(done, NotLoaded):
        say(f"not loaded: {done.reason}")
        names = ("taken_ms", "block_ms", "share_bytes", "peak_bytes")
        return {case: {candidate.name: dict.fromkeys(names, f"not loaded: {done.reason}")}}
    known = {
        "taken_ms": done.taken_ms,
        "block_ms": done.longest_block_ms,
        "task_ms": done.longest_task_ms,
        "share_before_bytes": done.before.browser_share_bytes,
        "share_bytes": done.after.browser_share_bytes,
        "peak_bytes": done.after.renderer_peak_bytes,
    }
    figures = {name: value for name, value in known.items() if value is not None}
    return {case: {candidate.name: dict(figures)}}


def _list_directory(bench: Bench, stand: MountStand) -> Round:
    listed = stand.list_directory_handle(bench.playwright)
    return {DIRECTORY: {CANDIDATES[0].name: dict(listed._asdict())}}


MOUNTING = Part("Mounting", 3, _measure, render)
