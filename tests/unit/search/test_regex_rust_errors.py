"""What ripgrep 15.2.0 prints for patterns that it refuses, word for word."""

from __future__ import annotations

import pytest

from treeglass.search.regex import RegexInvalid, compile_rust

_PRINTED = {
    "\\R": ("regex parse error:\n    (?:\\R)\n       ^^\nerror: unrecognized escape sequence"),
    "\\0": (
        "regex parse error:\n"
        "    (?:\\0)\n"
        "       ^^\n"
        "error: backreferences are not supported\n"
        "\n"
        "Consider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\n"
        "and look-around."
    ),
    "(?<=a)b": (
        "regex parse error:\n"
        "    (?:(?<=a)b)\n"
        "       ^^^^\n"
        "error: look-around, including look-ahead and look-behind, is not supported\n"
        "\n"
        "Consider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\n"
        "and look-around."
    ),
    "(?#c)a": ("regex parse error:\n    (?:(?#c)a)\n         ^\nerror: unrecognized flag"),
    "(?x)a # c": ("regex parse error:\n    (?:(?x)a # c)\n    ^\nerror: unclosed group"),
    "(?a)\\w": ("regex parse error:\n    (?:(?a)\\w)\n         ^\nerror: unrecognized flag"),
    "[a": ("regex parse error:\n    (?:[a)\n       ^\nerror: unclosed character class"),
    "a{3,2}": (
        "regex parse error:\n"
        "    (?:a{3,2})\n"
        "        ^^^^^\n"
        "error: invalid repetition count range, the start must be <= the end"
    ),
    "(?P<1>a)": (
        "regex parse error:\n    (?:(?P<1>a))\n           ^\nerror: invalid capture group character"
    ),
    "(?P<n>a)(?P=n)": (
        "regex parse error:\n    (?:(?P<n>a)(?P=n))\n                 ^\nerror: unrecognized flag"
    ),
    "(?i": ("regex parse error:\n    (?:(?i)\n    ^\nerror: unclosed group"),
    "(?P<a>x)(?P<a>y)": (
        "regex parse error:\n"
        "    (?:(?P<a>x)(?P<a>y))\n"
        "           ^       ^\n"
        "error: duplicate capture group name"
    ),
    "(?ii)a": ("regex parse error:\n    (?:(?ii)a)\n         ^^\nerror: duplicate flag"),
    "[b-a]": (
        "regex parse error:\n"
        "    (?:[b-a])\n"
        "        ^^^\n"
        "error: invalid character class range, the start must be <= the end"
    ),
    "[\\d-a]": (
        "regex parse error:\n"
        "    (?:[\\d-a])\n"
        "        ^^\n"
        "error: invalid range boundary, must be a literal"
    ),
    "[\\b]": (
        "regex parse error:\n"
        "    (?:[\\b])\n"
        "        ^^\n"
        "error: invalid escape sequence found in character class"
    ),
    "a{2": ("regex parse error:\n    (?:a{2)\n        ^^\nerror: unclosed counted repetition"),
    "\\x{110000}": (
        "regex parse error:\n"
        "    (?:\\x{110000})\n"
        "          ^^^^^^\n"
        "error: hexadecimal literal is not a Unicode scalar value"
    ),
    "\\xZZ": ("regex parse error:\n    (?:\\xZZ)\n         ^\nerror: invalid hexadecimal digit"),
    "(?)": (
        "regex parse error:\n    (?:(?))\n        ^\nerror: repetition operator missing expression"
    ),
    "*": ("regex parse error:\n    (?:*)\n       ^\nerror: repetition operator missing expression"),
    "a)": ("regex parse error:\n    (?:a))\n         ^\nerror: unopened group"),
    "\\b{foo}": (
        "regex parse error:\n"
        "    (?:\\b{foo})\n"
        "          ^^^\n"
        "error: unrecognized special word boundary assertion, "
        "valid choices are: start, end, start-half or end-half"
    ),
    "x{99999999999}": (
        "regex parse error:\n"
        "    (?:x{99999999999})\n"
        "         ^^^^^^^^^^^\n"
        "error: decimal literal invalid"
    ),
    "[[:alpha": (
        "regex parse error:\n    (?:[[:alpha)\n        ^\nerror: unclosed character class"
    ),
    "a{,2}": (
        "regex parse error:\n"
        "    (?:a{,2})\n"
        "         ^\n"
        "error: repetition quantifier expects a valid decimal"
    ),
    "(?i-)x": (
        "regex parse error:\n    (?:(?i-)x)\n          ^\nerror: dangling flag negation operator"
    ),
    "(?--i)x": (
        "regex parse error:\n    (?:(?--i)x)\n         ^^\nerror: flag negation operator repeated"
    ),
    "\\u{}": ("regex parse error:\n    (?:\\u{})\n         ^^\nerror: hexadecimal literal empty"),
    "\\p{^L}": (
        "regex parse error:\n    (?:\\p{^L})\n       ^^^^^^\nerror: Unicode property not found"
    ),
    "(?P<>a)": (
        "regex parse error:\n    (?:(?P<>a))\n           ^\nerror: empty capture group name"
    ),
    "(?P<a": (
        "regex parse error:\n    (?:(?P<a)\n            ^\nerror: invalid capture group character"
    ),
    "[a&&[b]": ("regex parse error:\n    (?:[a&&[b])\n       ^\nerror: unclosed character class"),
    "\\e": ("regex parse error:\n    (?:\\e)\n       ^^\nerror: unrecognized escape sequence"),
    "\\Z": ("regex parse error:\n    (?:\\Z)\n       ^^\nerror: unrecognized escape sequence"),
    "interface{}": (
        "regex parse error:\n"
        "    (?:interface{})\n"
        "                 ^\n"
        "error: repetition quantifier expects a valid decimal"
    ),
    "fn main() {": (
        "regex parse error:\n"
        "    (?:fn main() {)\n"
        "                  ^\n"
        "error: repetition quantifier expects a valid decimal"
    ),
    "ab\n[c": (
        "regex parse error:\n"
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "1: (?:ab\n"
        "2: [c)\n"
        "   ^\n"
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "error: unclosed character class"
    ),
    "é(": ("regex parse error:\n    (?:é()\n    ^\nerror: unclosed group"),
    "\\n": (
        'the literal "\\n" is not allowed in a regex\n'
        "\n"
        "Consider enabling multiline mode with the --multiline flag (or -U for short).\n"
        "When multiline mode is enabled, new line characters can be matched."
    ),
    "a\nb": (
        'the literal "\\n" is not allowed in a regex\n'
        "\n"
        "Consider enabling multiline mode with the --multiline flag (or -U for short).\n"
        "When multiline mode is enabled, new line characters can be matched."
    ),
    "\\x00": (
        'pattern contains "\\0" but it is impossible to match\n'
        "\n"
        "Consider enabling text mode with the --text flag (or -a for short). Otherwise,\n"
        "binary detection is enabled and matching a NUL byte is impossible."
    ),
    "\\": ("regex parse error:\n    (?:\\)\n    ^\nerror: unclosed group"),
}

_BYTES_PRINTED = {
    "é\\pL": ("regex parse error:\n    (?:é\\pL)\n        ^^^\nerror: Unicode not allowed here"),
    "[日]": ("regex parse error:\n    (?:[日])\n        ^\nerror: Unicode not allowed here"),
    "[é-ü]": ("regex parse error:\n    (?:[é-ü])\n        ^\nerror: Unicode not allowed here"),
}


@pytest.mark.parametrize("pattern", _PRINTED)
def test_errors_are_worded_and_marked_as_ripgrep_does(pattern: str) -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust(pattern)
    assert str(caught.value) == _PRINTED[pattern]


@pytest.mark.parametrize("pattern", _BYTES_PRINTED)
def test_without_unicode_a_character_that_is_not_ascii_has_no_place_in_a_class(
    pattern: str,
) -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust(pattern, ignore_case=True, unicode=False)
    assert str(caught.value) == _BYTES_PRINTED[pattern]


def test_a_script_that_is_not_carried_is_refused_with_the_list_of_those_that_are() -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust(r"\p{Tamil}")
    assert str(caught.value) == (
        "regex parse error:\n"
        "    (?:\\p{Tamil})\n"
        "       ^^^^^^^^^\n"
        "error: this Unicode class is not carried; general categories are, and the scripts "
        "Arabic, Cyrillic, Devanagari, Greek, Han, Hangul, Hebrew, Hiragana, Katakana, Latin "
        "and Thai"
    )


def test_unicode_word_edges_beside_single_bytes_are_refused() -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust(r"(?-u:\xff)\b")
    assert str(caught.value) == (
        "Unicode word edges cannot be searched for together with single bytes; write (?-u:\\b)"
    )


def test_a_regex_that_would_take_too_many_positions_is_refused() -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust("(ab){100000}")
    assert str(caught.value) == (
        "the regex is too large: with its repetitions written out it has more than 10,000 "
        "positions; use smaller repetition counts"
    )


@pytest.mark.parametrize("pattern", ["(" * 251 + "a" + ")" * 251, "a" + "*" * 251], ids=len)
def test_nesting_has_a_limit(pattern: str) -> None:
    with pytest.raises(RegexInvalid, match=r"exceeded the maximum number .* \(250\)$"):
        compile_rust(pattern)


def test_deep_nesting_below_the_limit_is_searched_for() -> None:
    text = "b\n" + "a" * 200 + "\n"
    assert list(compile_rust("(" * 200 + "a" + ")" * 200).matching_lines(text)) == [(2, 202)]
    assert list(compile_rust("(?:a" * 80 + ")+" * 80).matching_lines(text)) == [(2, 202)]
