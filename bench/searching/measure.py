"""The part of the report on searching: beside just-bash in one page."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.peers.sessions import (
    JUST_BASH,
    TREEGLASS,
    place_site,
    start_candidates,
    take_turns,
)
from bench.report import cell, render_part, spread, table
from bench.runner import Job, Part, run_rounds, say
from bench.searching.tasks import HOSTILE_TREE, SEARCHES, SMALL_TREE, sources_tree
from tests.support.hosts.browser_memory import look_at_browsers

if TYPE_CHECKING:
    from pathlib import Path

    from bench.facts import Facts, Round
    from bench.peers.tasks import PeerTree
    from bench.runner import Bench
    from bench.searching.tasks import Search

_ROUNDS = 2
_MEMORY = "peak memory"

_METHOD = (
    f"{TREEGLASS} and {JUST_BASH} are in one page over like trees, and take turns; each time is "
    "from the page and back to it.\n"
    "`first` is the first call of a search, which may fetch and import code; the other times are "
    "medians of the calls after it.\n"
    f"Commands are those of {JUST_BASH}, and the ratio is to the faster one.\n"
    "The answers of a search were found to name the same files, unless the table tells it."
)


def _measure(bench: Bench) -> list[Round]:
    sources = sources_tree()
    site = place_site(bench)
    jobs = [
        Job("searches in the page", partial(_in_page, bench, site, sources)),
        Job("memory", partial(_weigh, bench, site, sources)),
    ]
    rounds = run_rounds([jobs], bench.run_count)
    size_mb = sum(len(text.encode()) for text in sources.entries.values()) / 1e6
    files = f"sources of {len(sources.entries):,} files of Python's library, {size_mb:.1f} MB"
    bench.about.append(files)
    return rounds


def _in_page(bench: Bench, site: Path, sources: PeerTree) -> Round:
    with bench.open_page(site) as page:
        start_candidates(page, [TREEGLASS, JUST_BASH], (sources, SMALL_TREE, HOSTILE_TREE))
        return {search.label: _turns_of(page, search) for search in SEARCHES}


def _weigh(bench: Bench, site: Path, sources: PeerTree) -> Round:
    with bench.open_page(site) as page:
        start_candidates(page, [TREEGLASS], [sources])
        _turns_of(page, SEARCHES[0])
        peak = look_at_browsers().renderer_peak_bytes
    return {} if peak is None else {_MEMORY: {TREEGLASS: {"peak_bytes": peak}}}


def _turns_of(page: Any, search: Search) -> dict[str, dict[str, Any]]:
    said = take_turns(page, search.tool, search.arguments, search.commands, _ROUNDS)
    say(f"  {search.label}: {said['takenMs']}")
    found = {
        name: {"taken_ms": said["takenMs"][name], "first_ms": said["firstMs"][name]}
        for name in said["takenMs"]
    }
    found[TREEGLASS]["files"] = _files(search, said["answers"])
    return found


def _files(search: Search, answers: dict[str, Any]) -> str:
    """Return how many files were found, and where candidates differ."""
    if not search.mark:
        content: str = answers[TREEGLASS]["content"]
        return content
    found = {
        name: set(re.findall(search.mark, answer["content"])) for name, answer in answers.items()
    }
    ours = found.pop(TREEGLASS)
    others = [f"{name} {len(files):,}" for name, files in found.items() if files != ours]
    return "; ".join([f"{len(ours):,}", *others])


def _render(facts: Facts) -> str:
    memory = cell(facts, _MEMORY, TREEGLASS, "peak_bytes") or "unknown"
    return render_part(
        facts,
        _METHOD,
        [*_page_table(facts), ""],
        [f"Peak memory of {TREEGLASS}, with the sources searched once: {memory}.", ""],
    )


def _page_table(facts: Facts) -> list[str]:
    rows = []
    for search in SEARCHES:
        ours = (search.label, TREEGLASS, "taken_ms")
        others = {name: (search.label, name, "taken_ms") for name in search.commands}
        # The ratio to the faster one is the larger ratio.
        ratios = zip(*(facts.ratios(ours, theirs) for theirs in others.values()), strict=True)
        rows.append(
            [
                search.label,
                spread(list(map(max, ratios)), "x"),
                cell(facts, *ours),
                cell(facts, search.label, TREEGLASS, "first_ms"),
                "; ".join(f"`{name}` {cell(facts, *theirs)}" for name, theirs in others.items()),
                facts.texts(search.label, TREEGLASS, "files")[-1],
            ]
        )
    return table(["Search", "Ratio", TREEGLASS, "first", JUST_BASH, "Files"], rows)


SEARCHING = Part("Searching", 3, _measure, _render)
