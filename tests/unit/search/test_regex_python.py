"""Patterns of Python's dialect find what `re` finds line by line, or are refused."""

import re

import pytest

from treeglass.search.regex import RegexInvalid, compile_python

_TEXT = "Alpha beta\n\nfoo  foo\nx = \u0130\u0131 \u212a \u017f\n\tend;\nA-Z_9 né\u0301\nlast"

_UNBOUNDED = "{} cannot be bounded together with look-around or a backreference"

_PATTERNS = [
    *("alpha", "^a", "a$", r"\s$", r"\n", r"a\n", "^$", r"\Z", r"e\Z", r"t\Z", r"\Aa", "(?m)^$"),
    *(r"\bbeta\b", r"\B", "i", "s", "k", r"\w+\s=", r"[^a-z]+$", r"\S+\s*$", "(?a)é", r"(?a:\W)"),
    *("(a|b|ab)*c?$", r"(\w+\s*)+;", r"(o+o+)+x", ".*a.*a.*a", "(?-i:A)", "(?s).$", "[[a]lpha"),
    *(r"(\w+)\s+\1", "(?=.*x)(?=.*=)", r"(?<!\w)foo", "(?<=\t)end(?=;)", "a++l", "(?>fo+)", ""),
]


@pytest.mark.parametrize("pattern", _PATTERNS)
@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_lines_are_those_that_re_finds(pattern: str, ignore_case: bool) -> None:
    expected = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    lines = _TEXT.splitlines(keepends=True)
    found = [
        _TEXT[start:end]
        for start, end in compile_python(pattern, ignore_case=ignore_case).matching_lines(_TEXT)
    ]
    assert found == [line.rstrip("\n") for line in lines if expected.search(line)]


@pytest.mark.parametrize("pattern", ["[a", "a(", r"\p{L}", "a**", "(?P<1>a)", "(?<=a*)b", "*"])
def test_errors_are_those_of_re(pattern: str) -> None:
    with pytest.raises(re.error) as expected:
        re.compile(pattern)
    with pytest.raises(RegexInvalid) as caught:
        compile_python(pattern, ignore_case=True)
    assert str(caught.value) == str(expected.value)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (
            r"(a+)+(?=b)",
            _UNBOUNDED.format("a repetition inside a repetition"),
        ),
        (
            r"(.)\1(?:a|ab)*c",
            "so many ways to match cannot be bounded together with look-around or a backreference",
        ),
        (
            r"(?!x)a*a*a*a*b",
            "so many ways to match cannot be bounded together with look-around or a backreference",
        ),
        (
            r"(?>a*)*b|(a+)+c",
            "a repetition inside a repetition cannot be bounded together with an atomic group",
        ),
    ],
)
def test_what_cannot_be_bounded_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(RegexInvalid) as caught:
        compile_python(pattern, ignore_case=False)
    assert str(caught.value) == reason


def test_what_explodes_in_backtracking_is_read_once() -> None:
    compiled = compile_python("(x+x+)+y", ignore_case=True)
    assert not compiled.is_match("x" * 1_000_000)
    assert compiled.is_match("x" * 1_000_000 + "Y")


def test_a_line_beyond_the_limit_never_matches_look_around() -> None:
    compiled = compile_python("(?<=a)b", ignore_case=False)
    limit = compiled.max_line_characters
    assert limit == 10_000
    text = "ab" + "x" * (limit - 2) + "\n" + "ab" + "x" * limit + "\nab"
    assert list(compiled.matching_lines(text)) == [(0, limit), (2 * limit + 4, 2 * limit + 6)]
    assert compile_python("ab", ignore_case=False).max_line_characters is None


def test_the_automaton_and_re_agree_when_case_is_ignored() -> None:
    text = "\u0130\n\u0131\nI\ni\n\u212a\n\u017f\n\xb5\n\u039c\n\u03c2\n"
    for pattern in ("i", "k", "s", "\u03bc", "\u03c3", "[h-j]", "[^i]"):
        by_re = compile_python(pattern, ignore_case=True)
        by_automaton = compile_python(f"({pattern}|(x+x+)+y)", ignore_case=True)
        assert list(by_re.matching_lines(text)) == list(by_automaton.matching_lines(text))
