"""What ripgrep 15.2.0 prints for patterns that it refuses, word for word."""

import pytest

from treeglass.search.regex import RegexInvalid, compile_rust

_MARKED = (
    (r"\R", "   ^^", "unrecognized escape sequence"),
    ("(?#c)a", "     ^", "unrecognized flag"),
    ("(?x)a # c", "^", "unclosed group"),
    (r"(?a)\w", "     ^", "unrecognized flag"),
    ("[a", "   ^", "unclosed character class"),
    ("a{3,2}", "    ^^^^^", "invalid repetition count range, the start must be <= the end"),
    ("(?P<1>a)", "       ^", "invalid capture group character"),
    ("(?P<n>a)(?P=n)", "             ^", "unrecognized flag"),
    ("(?i", "^", "unclosed group"),
    ("(?P<a>x)(?P<a>y)", "       ^       ^", "duplicate capture group name"),
    ("(?ii)a", "     ^^", "duplicate flag"),
    ("[b-a]", "    ^^^", "invalid character class range, the start must be <= the end"),
    (r"[\d-a]", "    ^^", "invalid range boundary, must be a literal"),
    (r"[\b]", "    ^^", "invalid escape sequence found in character class"),
    ("a{2", "    ^^", "unclosed counted repetition"),
    (r"\x{110000}", "      ^^^^^^", "hexadecimal literal is not a Unicode scalar value"),
    (r"\xZZ", "     ^", "invalid hexadecimal digit"),
    ("(?)", "    ^", "repetition operator missing expression"),
    ("*", "   ^", "repetition operator missing expression"),
    ("a)", "     ^", "unopened group"),
    (
        r"\b{foo}",
        "      ^^^",
        (
            "unrecognized special word boundary assertion, "
            "valid choices are: start, end, start-half or end-half"
        ),
    ),
    ("x{99999999999}", "     ^^^^^^^^^^^", "decimal literal invalid"),
    ("[[:alpha", "    ^", "unclosed character class"),
    ("a{,2}", "     ^", "repetition quantifier expects a valid decimal"),
    ("(?i-)x", "      ^", "dangling flag negation operator"),
    ("(?--i)x", "     ^^", "flag negation operator repeated"),
    (r"\u{}", "     ^^", "hexadecimal literal empty"),
    (r"\p{^L}", "   ^^^^^^", "Unicode property not found"),
    ("(?P<>a)", "       ^", "empty capture group name"),
    ("(?P<a", "        ^", "invalid capture group character"),
    ("[a&&[b]", "   ^", "unclosed character class"),
    (r"\e", "   ^^", "unrecognized escape sequence"),
    (r"\Z", "   ^^", "unrecognized escape sequence"),
    ("interface{}", "             ^", "repetition quantifier expects a valid decimal"),
    ("fn main() {", "              ^", "repetition quantifier expects a valid decimal"),
    ("é(", "^", "unclosed group"),
    ("\\", "^", "unclosed group"),
)
"""Patterns, the carets below `(?:…)` with the pattern in it, and what is wrong."""

_PRINTED = {
    r"\0": (
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
    "ab\n[c": (
        "regex parse error:\n"
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "1: (?:ab\n"
        "2: [c)\n"
        "   ^\n"
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "error: unclosed character class"
    ),
    r"\n": (
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
    r"\x00": (
        'pattern contains "\\0" but it is impossible to match\n'
        "\n"
        "Consider enabling text mode with the --text flag (or -a for short). Otherwise,\n"
        "binary detection is enabled and matching a NUL byte is impossible."
    ),
}

_MARKED_IN_BYTES = (
    (r"é\pL", "    ^^^", "Unicode not allowed here"),
    ("[日]", "    ^", "Unicode not allowed here"),
    ("[é-ü]", "    ^", "Unicode not allowed here"),
)


def _marked(pattern: str, carets: str, reason: str) -> str:
    return f"regex parse error:\n    (?:{pattern})\n    {carets}\nerror: {reason}"


@pytest.mark.parametrize(
    ("pattern", "printed"), [*_PRINTED.items(), *((row[0], _marked(*row)) for row in _MARKED)]
)
def test_errors_are_worded_and_marked_as_ripgrep_does(pattern: str, printed: str) -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust(pattern)
    assert str(caught.value) == printed


@pytest.mark.parametrize(("pattern", "carets", "reason"), _MARKED_IN_BYTES)
def test_without_unicode_a_character_that_is_not_ascii_has_no_place_in_a_class(
    pattern: str, carets: str, reason: str
) -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_rust(pattern, ignore_case=True, unicode=False)
    assert str(caught.value) == _marked(pattern, carets, reason)


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
