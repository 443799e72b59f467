"""The Unicode tables are those of Rust's regex crate."""

import pytest

from build_steps.unicode.__main__ import WRITTEN, ask_rust, unicode_data
from treeglass.search.regex.unicode_tables import SPACE, digit, general_category, script, word


@pytest.mark.slow
def test_the_tables_are_what_rust_says() -> None:
    known = ask_rust()
    assert WRITTEN.read_text("utf-8") == unicode_data(known)
    assert word() == tuple(map(tuple, known["word"]))
    assert tuple(map(tuple, known["space"])) == SPACE
    for name, ranges in known["categories"]:
        assert general_category(name.lower()) == tuple(map(tuple, ranges))
    for name, ranges in known["scripts"]:
        assert script(name.lower()) == tuple(map(tuple, ranges))


def test_letters_of_unicode_16_are_known_whatever_python_knows() -> None:
    garay_capital, tulu_letter, kirat_digit = 0x10D50, 0x11380, 0x16D70
    assert any(first <= garay_capital <= last for first, last in general_category("lu"))
    assert any(first <= tulu_letter <= last for first, last in word())
    assert any(first <= kirat_digit <= last for first, last in digit())
