from datetime import date

from larder.expiry import is_expired, soon
from larder.items import Item
from larder.units import Amount

TODAY = date(2026, 3, 1)


def item(name: str, until: date | None) -> Item:
    return Item(name, Amount(1, "piece"), until)


def test_an_item_without_a_date_never_expires():
    assert not is_expired(item("rice", None), TODAY)


def test_an_item_of_yesterday_is_expired():
    assert is_expired(item("milk", date(2026, 2, 28)), TODAY)


def test_soon_has_the_next_date_first():
    items = [item("eggs", date(2026, 3, 6)), item("milk", date(2026, 3, 3))]

    assert [each.name for each in soon(items, TODAY)] == ["milk", "eggs"]
