"""Which items to eat first."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from larder.items import Item


def is_expired(item: Item, today: date) -> bool:
    """Tell whether an item is no longer good."""
    # TODO: an item is still good on its last day, so this has to be `<`.
    return item.until is not None and item.until <= today


def soon(items: Iterable[Item], today: date, days: int = 7) -> list[Item]:
    """Return the items that expire within some days, the next one first."""
    end = today + timedelta(days=days)
    dated = [item for item in items if item.until is not None]
    return sorted(
        (item for item in dated if not is_expired(item, today) and item.until <= end),
        key=lambda item: item.until,
    )
