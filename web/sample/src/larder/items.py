"""One thing in the kitchen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from larder.units import Amount


@dataclass(frozen=True)
class Item:
    """A named amount, with the last day on which it is good."""

    name: str
    amount: Amount
    until: date | None = None

    def merged_with(self, other: Item) -> Item:
        """Return one item for two of the same name; the earlier date counts."""
        if other.name != self.name:
            raise ValueError(f"{self.name} and {other.name} are different things")
        dates = [each for each in (self.until, other.until) if each is not None]
        return Item(self.name, self.amount + other.amount, min(dates, default=None))
