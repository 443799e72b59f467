import pytest
from larder.units import Amount, UnknownUnit


def test_grams_and_kilograms_are_added():
    assert Amount(500, "g") + Amount(1, "kg") == Amount(1.5, "kg")


def test_grams_and_litres_are_not_added():
    with pytest.raises(ValueError, match="cannot be added"):
        Amount(1, "g") + Amount(1, "l")


def test_an_unknown_unit_is_named():
    with pytest.raises(UnknownUnit, match="spoon"):
        Amount(1, "spoon")
