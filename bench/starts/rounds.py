"""The starts of all rounds, by place and candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bench.starts.links import LINK_NAMES, LINKS
from bench.starts.visits import CANDIDATES, Visit

if TYPE_CHECKING:
    from collections.abc import Sequence


class Place(NamedTuple):
    """The browser, link and visit that compared candidates share."""

    browser: str
    """"chromium" or "firefox"."""
    link: str
    """The name of a link."""
    visit: str
    """"first" or "second"."""


Round: TypeAlias = "dict[tuple[Place, str], Visit]"
"""The measurements of one round, by place and candidate."""


def places_of(rounds: Sequence[Round]) -> list[Place]:
    """Return the measured places, sorted by browser, link and visit."""
    return sorted({place for each in rounds for place, _ in each}, key=_in_reading_order)


def candidates_of(rounds: Sequence[Round]) -> list[str]:
    """Return the measured candidates, in the order of `CANDIDATES`."""
    found = {candidate for each in rounds for _, candidate in each}
    return [candidate for candidate in CANDIDATES if candidate in found]


def sent_place(rounds: Sequence[Round]) -> Place | None:
    """Return the place where bytes are counted: a first visit in Chromium, compressed if any is."""
    compressed = {link.name for link in LINKS if link.is_compressed}
    places = [p for p in places_of(rounds) if (p.browser, p.visit) == ("chromium", "first")]
    return min(places, key=lambda p: p.link not in compressed, default=None)


def visits_of(rounds: Sequence[Round], place: Place, candidate: str) -> list[Visit]:
    """Return one visit for each round; empty if it was not measured."""
    return [each[place, candidate] for each in rounds if (place, candidate) in each]


def times_of(rounds: Sequence[Round], place: Place, candidate: str) -> list[float]:
    """Return the milliseconds to the first answer, one for each round."""
    return [visit.taken_ms for visit in visits_of(rounds, place, candidate)]


def whole_times_of(rounds: Sequence[Round], place: Place, candidate: str) -> list[float]:
    """Return the same, with the import of its module for just-bash, which is all of the shell."""
    if candidate != "just-bash":
        return times_of(rounds, place, candidate)
    return [visit.import_ms + visit.taken_ms for visit in visits_of(rounds, place, candidate)]


def _in_reading_order(place: Place) -> tuple[str, int, str]:
    return (place.browser, LINK_NAMES.index(place.link), place.visit)
