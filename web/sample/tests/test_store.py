from larder import Item, Store
from larder.units import Amount


def test_a_missing_file_is_an_empty_list(tmp_path):
    assert Store(tmp_path / "none.json").load() == []


def test_two_items_of_one_name_become_one(tmp_path):
    store = Store(tmp_path / "larder.json")
    store.add(Item("flour", Amount(500, "g")))

    assert store.add(Item("flour", Amount(1, "kg"))) == [Item("flour", Amount(1.5, "kg"))]
