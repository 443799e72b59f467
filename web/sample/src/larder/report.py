"""The list as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from larder.expiry import is_expired

if TYPE_CHECKING:
    from datetime import date

    from larder.items import Item
    from larder.units import Amount


def format_amount(amount: Amount) -> str:
    """Return `1.5 kg`, or `10` for pieces."""
    number = f"{amount.number:g}"
    return number if amount.unit == "piece" else f"{number} {amount.unit}"


def line(item: Item, today: date) -> str:
    """Return one line of a report."""
    mark = "!" if is_expired(item, today) else " "
    until = "" if item.until is None else f"  until {item.until:%d %B}"
    return f"{mark} {item.name:<12} {format_amount(item.amount):>8}{until}"


def report(items: list[Item], today: date) -> str:
    """Return the whole list, by name."""
    return "\n".join(line(item, today) for item in sorted(items, key=lambda item: item.name))
