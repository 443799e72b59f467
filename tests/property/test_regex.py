"""The automaton, and `re` on translated patterns, find the lines that `re` finds."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from treeglass.search.checkpoint import no_check
from treeglass.search.regex import compile_python, compile_rust
from treeglass.search.regex.automaton import LineAutomaton
from treeglass.search.regex.ceilings import Meter
from treeglass.search.regex.python_tree import parsed_by_re, python_tree
from treeglass.search.regex.rust_parser import parse_rust

_ATOMS = st.sampled_from(
    [
        *(*"abxAB_1é -.", r"\.", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\n", r"\t", "[a-c]"),
        *("[^a]", "[ab1]", r"[^\s]", "(?i:K)", "(?s:.)", "(?-i:a)", r"(?a:\w)", "\u0130", "\u0131"),
        *("^", "$", r"\b", r"\B", r"\A", r"\Z", "(?m:^)", "(?m:$)", r"(?a:\b)", "i", "\u017f"),
    ]
)
_REPEATS = st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"])


def _extended(patterns: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(patterns, min_size=1, max_size=3).map("".join),
        st.lists(patterns, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.builds(lambda inner, repeat: f"(?:{inner}){repeat}", patterns, _REPEATS),
    )


PATTERNS = st.recursive(_ATOMS, _extended, max_leaves=8)
TEXTS = st.text(
    st.sampled_from("aabbxAB_1é -.kK\n\n\t\u0130\u0131\u017f²\u0300\x1c\r"), max_size=30
)


def _lines_of_re(pattern: str, text: str, flags: int) -> list[str]:
    compiled = re.compile(pattern, flags)
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    return [line.removesuffix("\n") for line in lines if compiled.search(line)]


@given(PATTERNS, TEXTS, st.booleans())
@example(pattern=r"(?m:^)$", text="a\nb", ignore_case=False)
@example(pattern=r"\n", text="a\n", ignore_case=False)
def test_each_engine_finds_the_lines_that_re_finds(
    pattern: str, text: str, ignore_case: bool
) -> None:
    flags = re.IGNORECASE if ignore_case else 0
    expected = _lines_of_re(pattern, text, flags)
    chosen = compile_python(pattern, ignore_case=ignore_case).matching_lines(text)
    assert [text[start:end] for start, end in chosen] == expected
    tree, _ = python_tree(parsed_by_re(pattern, flags), Meter(no_check), is_ascii=False)
    end = len(text) - text.endswith("\n")
    found = LineAutomaton(tree, sees_line_feed=True).matching_lines(text, 0, end, lambda: None)
    assert [text[start:end] for start, end in found if text] == expected


_CASELESS_ATOMS = st.sampled_from(
    [*"akKsS_é漢É", "todo", "Kelvin", "miss", "(?-i:k)", "(?i-u:k)", "[kt]", r"\w", ".", "$"]
)
_CASELESS_TEXTS = st.lists(
    st.sampled_from(
        [*"aAkKsS_éÉ漢 \n\u212a\u017f\udcff", "todo", "TODO", "\u212aelvin", "MI\u017fs"]
    ),
    max_size=12,
).map("".join)


@given(st.recursive(_CASELESS_ATOMS, _extended, max_leaves=6), _CASELESS_TEXTS)
@example(pattern="kelvin", text="\u212aELVIN")
@example(pattern="miss", text="MI\u017f\u017f")
def test_a_file_that_matches_without_case_holds_what_the_pattern_requires(
    pattern: str, text: str
) -> None:
    compiled = compile_rust(pattern, ignore_case=True)
    tree = parse_rust(pattern, ignore_case=True)
    end = len(text) - text.endswith("\n")
    by_automaton = [*LineAutomaton(tree).matching_lines(text, 0, end, no_check)] if text else []

    assert [*compiled.matching_lines(text)] == by_automaton
    assert compiled.is_match(text) == bool(by_automaton)
    content = text.encode(errors="surrogateescape")
    assert not compiled.required.only_in_ascii
    required = compiled.required.literals
    held = [wanted in (content.lower() if in_small else content) for wanted, in_small in required]
    assert not by_automaton or not required or any(held)


_RUST_ATOMS = st.sampled_from(
    [*"abx_1 -", r"\.", r"\w", r"\W", r"\d", r"\s", ".", "[^a]", "^", "$"]
)


@given(
    st.recursive(_RUST_ATOMS, _extended, max_leaves=8),
    st.text(st.sampled_from("aabbx_1 -.\n"), max_size=60),
)
def test_what_both_dialects_say_alike_is_found_alike(pattern: str, text: str) -> None:
    found = compile_rust(pattern).matching_lines(text)
    lines = text.split("\n") if text else []
    if text.endswith("\n"):
        lines.pop()
    expected = [line for line in lines if re.search(pattern, line)]
    assert [text[start:end] for start, end in found] == expected
