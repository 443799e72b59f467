import pytest

from treeglass.escaping import (
    count_hostile,
    escape_controls,
    escape_name,
    escape_path,
    unescape_name,
)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("a.txt", "a.txt", id="plain"),
        pytest.param("日本語 ünï.md", "日本語 ünï.md", id="other scripts"),
        pytest.param("❤️.md", "❤️.md", id="a presentation selector that shows"),
        pytest.param(r"a\b\n\x41", r"a\b\n\x41", id="backslashes"),
        pytest.param("a\nb", r"a\u{A}b", id="line feed"),
        pytest.param("\x1b[31mred", r"\u{1B}[31mred", id="escape sequence"),
        pytest.param("\x7f\x9b", r"\u{7F}\u{9B}", id="DEL and C1"),
        pytest.param("txt.\u202eexe", r"txt.\u{202E}exe", id="right-to-left override"),
        pytest.param("a\u200bb", r"a\u{200B}b", id="zero width"),
        pytest.param("a\u2028b", r"a\u{2028}b", id="line separator"),
        pytest.param("a\U000e0041", r"a\u{E0041}", id="tag character"),
        pytest.param("caf\udce9", r"caf\x{E9}", id="a byte that is not UTF-8"),
        pytest.param("a\ud800", r"a\u{D800}", id="lone surrogate"),
        pytest.param(r"a\u{A}b", r"a\u{5C}u{A}b", id="a real name that reads like a spelling"),
        pytest.param(r"a\x{E9}", r"a\u{5C}x{E9}", id="the same for a byte"),
        pytest.param(r"a\u{}", r"a\u{}", id="almost a spelling"),
    ],
)
def test_only_names_that_can_deceive_are_spelled_out_and_reversibly(name: str, shown: str) -> None:
    assert escape_name(name) == shown
    assert unescape_name(shown) == name


def test_a_spelling_beyond_unicode_or_of_an_ascii_byte_stays_as_it_is() -> None:
    assert unescape_name(r"\u{110000} \x{41}") == r"\u{110000} \x{41}"


def test_a_path_is_escaped_name_by_name() -> None:
    assert escape_path("src/a\nb/c") == r"src/a\u{A}b/c"


def test_text_of_the_agent_keeps_the_spellings_that_it_holds() -> None:
    assert escape_controls("/repo/a\\u{A}b\n") == r"/repo/a\u{A}b\u{A}"


def test_ordinary_white_space_of_a_file_is_not_counted_as_hostile() -> None:
    assert count_hostile("a\tb\r\n\u202e\x00") == 2
