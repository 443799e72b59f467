"""Amounts, and the units that they can be added in."""

from __future__ import annotations

from dataclasses import dataclass

UNITS = {
    "g": ("g", 1),
    "kg": ("g", 1000),
    "ml": ("ml", 1),
    "l": ("ml", 1000),
    "piece": ("piece", 1),
}


class UnknownUnit(ValueError):
    """A unit that is in no table."""


@dataclass(frozen=True)
class Amount:
    """A number and its unit."""

    number: float
    unit: str

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise UnknownUnit(f"the unit {self.unit!r} is unknown; use one of {sorted(UNITS)}")

    def __add__(self, other: Amount) -> Amount:
        base, factor = UNITS[self.unit]
        other_base, other_factor = UNITS[other.unit]
        if base != other_base:
            raise ValueError(f"{self.unit} and {other.unit} cannot be added")
        return largest(self.number * factor + other.number * other_factor, base)


def largest(number: float, base: str) -> Amount:
    """Return an amount in the largest unit that gives at least 1."""
    fitting = [
        (factor, unit)
        for unit, (unit_base, factor) in UNITS.items()
        if unit_base == base and number >= factor
    ]
    factor, unit = max(fitting, default=(1, base))
    return Amount(number / factor, unit)
