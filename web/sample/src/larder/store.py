"""The list in a file."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from larder.items import Item
from larder.units import Amount


class Store:
    """Loads and saves the list; a missing file is an empty list."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> list[Item]:
        if not self._path.exists():
            return []
        return [_to_item(record) for record in json.loads(self._path.read_text())]

    def save(self, items: list[Item]) -> None:
        # TODO: write beside the file and rename, so that a crash loses nothing.
        self._path.write_text(json.dumps([_to_record(item) for item in items], indent=2))

    def add(self, item: Item) -> list[Item]:
        """Add an item, merged with one of the same name, and save the list."""
        items = self.load()
        for index, known in enumerate(items):
            if known.name == item.name:
                items[index] = known.merged_with(item)
                break
        else:
            items.append(item)
        self.save(items)
        return items


def _to_item(record: dict) -> Item:
    until = record.get("until")
    return Item(
        record["name"],
        Amount(record["amount"], record["unit"]),
        None if until is None else date.fromisoformat(until),
    )


def _to_record(item: Item) -> dict:
    return {
        "name": item.name,
        "amount": item.amount.number,
        "unit": item.amount.unit,
        "until": None if item.until is None else item.until.isoformat(),
    }
