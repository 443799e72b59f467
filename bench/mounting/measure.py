"""The part of the report on mounting: treeglass, just-bash and memfs load the same trees."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.mounting.report import DIRECTORY, case_of, render
from bench.mounting.sessions import (
    CANDIDATES,
    TREEGLASS,
    lay_out_candidates,
    list_directory_handle,
    load,
)
from bench.mounting.trees import SOURCES, write_tree
from bench.page import pinned
from bench.runner import Job, Part, run_rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.facts import Round, Value
    from bench.runner import Bench


def _measure(bench: Bench) -> list[Round]:
    trees = [write_tree(bench.folder / str(size), size) for size in bench.options.sizes]
    site = lay_out_candidates(bench.folder / "site")
    groups = [
        [
            _job(
                case_of(source.label, tree.file_count),
                candidate.name,
                partial(load, bench, site, candidate, source, tree),
            )
            for candidate in CANDIDATES
        ]
        for source in SOURCES
        for tree in trees
    ]
    listing = partial(list_directory_handle, bench, site)
    groups.append([_job(DIRECTORY, TREEGLASS.name, listing)])
    rounds = run_rounds(groups, bench.run_count)
    bench.about.extend(pinned("just-bash", "memfs", "fflate", "nanotar"))
    return rounds


def _job(case: str, by: str, measure: Callable[[], dict[str, Value]]) -> Job:
    return Job(f"{by}, {case}", lambda: {case: {by: measure()}})


MOUNTING = Part("Mounting", 3, _measure, render)
