"""The plot of starts: a group of bars for each link and visit, a bar for each candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.plots import plot_bars
from bench.starts.links import LINK_LABELS
from bench.starts.rounds import Place, Round, candidates_of, places_of, whole_times_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def plot_starts(rounds: Sequence[Round], path: Path) -> None:
    """Draw the times to the first answer."""
    groups = {}
    for place in places_of(rounds):
        times = {name: whole_times_of(rounds, place, name) for name in candidates_of(rounds)}
        groups[_label(place)] = {name: each for name, each in times.items() if each}
    plot_bars(path, groups, title="Time to the first answer (less is better)", unit="ms")


def _label(place: Place) -> str:
    return f"{place.browser.capitalize()}\n{LINK_LABELS[place.link]}\n{place.visit} visit"
