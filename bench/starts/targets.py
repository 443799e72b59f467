"""The targets of starts, beside the figures reached."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from bench.figures import spread_ratios
from bench.starts.rounds import Place, Round, sent_place, times_of, visits_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FIRST = Place("chromium", "loopback", "first")
_SECOND = Place("chromium", "loopback", "second")

_OF_BARE = (
    ("Chromium, loopback, first visit", 0.18, _FIRST),
    ("Chromium, 100 Mbit/s, first visit", 0.20, Place("chromium", "100mbit", "first")),
    ("Chromium, 20 Mbit/s, first visit", 0.60, Place("chromium", "20mbit", "first")),
    ("Chromium, loopback, second visit", 0.20, _SECOND),
    ("Chromium, 100 Mbit/s, second visit", 0.20, Place("chromium", "100mbit", "second")),
    ("Firefox, loopback, first visit", 0.25, Place("firefox", "loopback", "first")),
)
_MOST_BYTES_OF_BARE = 0.70
_MOST_TIME_OF_SHELL = 3.0


def target_rows(rounds: Sequence[Round]) -> list[list[str]]:
    """Return rows of the comparison, the target, the figure reached, and whether it is in range."""
    return [
        [
            what,
            f"at most {at_most:.2f}",
            spread_ratios(ours, theirs),
            _verdict(at_most, ours, theirs),
        ]
        for what, at_most, ours, theirs in _compared(rounds)
        if ours and len(ours) == len(theirs)
    ]


def _compared(
    rounds: Sequence[Round],
) -> Iterator[tuple[str, float, list[float], list[float]]]:
    for what, at_most, compared in _OF_BARE:
        times = times_of(rounds, compared, "image"), times_of(rounds, compared, "bare")
        yield f"{what}, of bare's", at_most, *times
    second = times_of(rounds, _SECOND, "image"), times_of(rounds, _FIRST, "bare")
    yield "Chromium, loopback, second visit, of bare's first", 0.20, *second
    place = sent_place(rounds)
    if place is not None:
        sent = [
            [float(visit.sent_bytes) for visit in visits_of(rounds, place, candidate)]
            for candidate in ("image", "bare")
        ]
        yield "bytes for the first answer, of bare's", _MOST_BYTES_OF_BARE, sent[0], sent[1]
    whole = [
        [visit.import_ms + visit.taken_ms for visit in visits_of(rounds, _FIRST, candidate)]
        for candidate in ("image", "just-bash")
    ]
    what = "Chromium, loopback, first visit, of just-bash's, both with the import of their module"
    yield what, _MOST_TIME_OF_SHELL, whole[0], whole[1]


def _verdict(at_most: float, ours: Sequence[float], theirs: Sequence[float]) -> str:
    middle = statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))
    return "reached" if middle <= at_most else "not reached"
