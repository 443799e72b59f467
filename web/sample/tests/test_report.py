from datetime import date

from larder.items import Item
from larder.report import format_amount, line
from larder.units import Amount


def test_pieces_have_no_unit():
    assert format_amount(Amount(10, "piece")) == "10"


def test_a_line_has_name_amount_and_date():
    item = Item("milk", Amount(2, "l"), date(2026, 3, 5))

    assert line(item, date(2026, 3, 1)) == "  milk              2 l  until 05 March"
