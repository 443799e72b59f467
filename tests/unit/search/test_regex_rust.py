"""Which lines and places ripgrep 15.2.0 finds."""

import pytest

from treeglass.search.regex import compile_rust
from treeglass.search.regex.automaton import MAX_KEPT_STATES, LineAutomaton
from treeglass.search.regex.rust_parser import parse_rust
from treeglass.search.regex.safety import MAX_LINE_CHARACTERS, safety
from treeglass.search.regex.tree import CharSet, concat

_TEXT = (
    "foo.bar()\n"
    "  class FooError(x):\n"
    "\n"
    "Straße 12 \u017fet \u212a\n"
    "x = [1, 2] \\ # a-b\n"
    "日本語 ΨΩδζς 😀\n"
    "windows\r\n"
    "caf\u0065\u0301 last"
)
_LINES = _TEXT.split("\n")

_FOUND = {
    "foo": [0],
    "(?i)foo": [0, 1],
    r"class\s+\w+Error": [1],
    r"o{2}\.": [0],
    "^$": [2],
    "^": [0, 1, 2, 3, 4, 5, 6, 7],
    r"^\s": [1],
    "s$": [],
    r"s\r$": [6],
    r"(?R)s$": [6],
    r"(?i)SET": [3],
    r"(?i-u)SET": [],
    r"(?i)k\b": [3],
    r"\d\d": [3],
    r"[[:digit:]&&[^1]]": [3, 4],
    r"[\w--\p{Latin}&&\p{L}]": [5],
    r"\p{Han}+\s\p{Greek}+": [5],
    r"(?i)\u{3a3}$|\u{3a3} ": [5],
    r"😀|\u{1f601}": [5],
    r"[^\x00-\x{FFFF}]": [5],
    r"\bcaf\w+\b": [7],
    r"(?-u:\bcafe\b)": [7],
    r"(?x) f o o # a comment" + "\n": [0],
    r"\<bar\>": [0],
    r"\b{start}last\b{end}": [7],
    r"a**-b{1}{1}": [4],
    r"(?U)x.*=(?-U:.*)#": [4],
    r"[]]|[a&&b]": [4],
    r"\#\ ": [4],
    r"\Ax": [4],
    r"t\z": [7],
    r"(?P<name>class)|(?<other>=)": [1, 4],
    "": [0, 1, 2, 3, 4, 5, 6, 7],
    r"[^\s\S]": [],
}


@pytest.mark.parametrize("pattern", _FOUND)
@pytest.mark.parametrize("engine", ["chosen", "automaton"])
def test_lines_are_those_that_ripgrep_finds(pattern: str, engine: str) -> None:
    if engine == "chosen":
        spans = list(compile_rust(pattern).matching_lines(_TEXT))
    else:
        automaton = LineAutomaton(parse_rust(pattern))
        spans = list(automaton.matching_lines(_TEXT, 0, len(_TEXT), lambda: None))
    found = [_TEXT.count("\n", 0, start) for start, _ in spans]
    assert ([_TEXT[start:end] for start, end in spans], found) == (
        [_LINES[number] for number in _FOUND[pattern]],
        _FOUND[pattern],
    )


@pytest.mark.parametrize(
    ("pattern", "line", "spans"),
    [
        ("a|ab|abc", "xabcabx", [(1, 2), (4, 5)]),
        ("abc|ab|a", "xabcabx", [(1, 4), (4, 6)]),
        ("a*", "baac", [(0, 0), (1, 3), (4, 4)]),
        ("a*?", "aa", [(0, 0), (1, 1), (2, 2)]),
        ("(a*)*?b|", "xaabcabx", [(0, 0), (1, 4), (5, 7), (8, 8)]),
        (r"(?:\b|a)+", "ab", [(0, 0), (2, 2)]),
        ("(x+x+)+y", "xyxxyxxxy", [(2, 5), (5, 9)]),
        (r"\w+$", "ab cd", [(3, 5)]),
    ],
)
def test_spans_are_leftmost_and_prefer_the_first_alternative(
    pattern: str, line: str, spans: list[tuple[int, int]]
) -> None:
    assert list(compile_rust(pattern).spans(line)) == spans


def test_bytes_that_are_not_utf8_are_matched_by_nothing_but_bytes() -> None:
    text = b"\xff\nx\xc3\n\xc3\xa9\n".decode(errors="surrogateescape")

    def found(pattern: str) -> list[int]:
        lines = compile_rust(pattern).matching_lines(text)
        return [text.count("\n", 0, start) for start, _ in lines]

    assert {pattern: found(pattern) for pattern in (".", r"\W", r"\B", r"(?-u:\xff)", r"x(?-u:.)")}
    assert found(".") == [1, 2]
    assert found(r"\W") == []
    assert found(r"(?-u:\xff)") == [0]
    assert found(r"(?-u:[\x80-\xff])") == [0, 1, 2]
    assert list(compile_rust(r"x(?-u:.)").spans("éx\udcc3")) == [(1, 3)]


def test_without_unicode_bytes_are_searched_and_case_is_ascii() -> None:
    text = "É é\nfoo \u017f\nFOO s\n".encode()

    def found(pattern: str) -> list[bytes]:
        compiled = compile_rust(pattern, ignore_case=True, unicode=False)
        return [text[start:end] for start, end in compiled.matching_lines(text)]

    assert found("foo") == ["foo \u017f".encode(), b"FOO s"]
    assert found("s") == [b"FOO s"]
    assert found("^é") == []
    assert found(r"\w") == ["foo \u017f".encode(), b"FOO s"]
    assert found(r"(?u:^\w) ") == ["É é".encode()]
    assert found(r"[k\xc3]\x89") == ["É é".encode()]
    assert found(r"[k\xc3]\x89(x+x+)* \xc3") == ["É é".encode()]
    line = "É é".encode()
    compiled = compile_rust(".", ignore_case=True, unicode=False)
    assert list(compiled.spans(line)) == [(at, at + 1) for at in range(5)]


def test_what_explodes_in_backtracking_is_read_once() -> None:
    text = "x" * 1_000_000
    assert not compile_rust("(x+x+)+y").is_match(text)
    assert compile_rust("(x+x+)+y").is_match(text + "y")
    assert list(compile_rust("(x+x+)+y").spans(text[:100_000] + "y")) == [(0, 100_001)]


def test_the_automaton_forgets_its_states_before_they_are_too_many() -> None:
    automaton = LineAutomaton(parse_rust("[ab]*a[ab]{14}c"))
    number, letters = 12_345, []
    for _ in range(20_000):
        number = number * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        letters.append("ab"[number >> 16 & 1])
    text = "".join(letters)
    assert list(automaton.matching_lines(text, 0, len(text), lambda: None)) == []
    assert 0 < len(automaton._states) <= MAX_KEPT_STATES
    text += "a" * 15 + "c"
    assert list(automaton.matching_lines(text, 0, len(text), lambda: None)) == [(0, len(text))]


@pytest.mark.parametrize("pattern", ["[xy]{2}[yz]", "(x+x+)+[yz]", r"[xa]\w*[,;]"])
@pytest.mark.parametrize("length", [4, 100, 5 * MAX_LINE_CHARACTERS])
def test_the_clock_is_looked_at_each_64_kib(pattern: str, length: int) -> None:
    text = ("x" * length + "\n") * (1_000_000 // length)
    checks = 0

    def check() -> None:
        nonlocal checks
        checks += 1

    assert list(compile_rust(pattern).matching_lines(text, check)) == []
    assert checks >= len(text) // 65_536


def test_what_the_clock_raises_ends_the_search() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        list(compile_rust("a").matching_lines("b", stop))


def test_long_lines_give_the_same_answer_as_short_ones() -> None:
    pattern = compile_rust(r"a\w+b\w*c")
    short, long = "xaxbxc", "x" * 3 * MAX_LINE_CHARACTERS + "axbxc"
    text = "\n".join([short, "", long, "ab", long[:-1], short])
    found = [text[start:end] for start, end in pattern.matching_lines(text)]
    assert found == [short, long, short]


def test_many_classes_of_many_characters_are_not_left_to_re_which_compiles_them_long() -> None:
    letters = CharSet(((0x100, 0xFFFF),))
    all_but_one = CharSet(((0, 0x41), (0x43, 0x10FFFF)))

    assert safety(concat([letters] * 50)).is_safe
    assert not safety(concat([letters] * 100)).is_safe
    assert safety(concat([all_but_one] * 100)).is_safe
