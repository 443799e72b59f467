"""Globs match what ripgrep 15.2.0 was seen to match with `--files --no-ignore --glob`."""

import pytest

from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid
from treeglass.search.glob_syntax import MAX_ALTERNATIVES, RIPGREP, parse_glob
from treeglass.search.ignore_file import parse_line

_FILES = (
    *("-", "^a", "a", "a.txt", "ab/az", "ab/b/c.md", "b/]", "b/a", "b/ab.txt"),
    *("c/[g]", "c/a,b", "c/x}", "c/{x}", "é/é.txt"),
)
_MATCHED = {
    "a": ["a", "b/a"],
    "/a": ["a"],
    "*": [*_FILES],
    "/*": ["-", "^a", "a", "a.txt"],
    "*.txt": ["a.txt", "b/ab.txt", "é/é.txt"],
    "a*": ["a", "a.txt", "ab/az", "b/a", "b/ab.txt", "c/a,b"],
    "*a": ["^a", "a", "b/a"],
    "?": ["-", "a", "b/]", "b/a"],
    "??": ["^a", "ab/az", "c/x}"],
    "[ab]": ["a", "b/a"],
    "[!a]": ["-", "b/]"],
    "[^a]": ["-", "b/]"],
    "[a-b]": ["a", "b/a"],
    "[]a]": ["a", "b/]", "b/a"],
    "[!]a]": ["-"],
    "[a-]": ["-", "a", "b/a"],
    "[-a]": ["-", "a", "b/a"],
    "[/]": [],
    "ab[/]az": ["ab/az"],
    "ab[!x]az": ["ab/az"],
    "ab?az": [],
    "b/*": ["b/]", "b/a", "b/ab.txt"],
    "/b/*": ["b/]", "b/a", "b/ab.txt"],
    "*/a": ["b/a"],
    "**": [*_FILES],
    "**/a": ["a", "b/a"],
    "**/ab.txt": ["b/ab.txt"],
    "ab/**": ["ab/az", "ab/b/c.md"],
    "ab/**/c.md": ["ab/b/c.md"],
    "**/b/**": ["ab/b/c.md", "b/]", "b/a", "b/ab.txt"],
    "**/*.txt": ["a.txt", "b/ab.txt", "é/é.txt"],
    "a**": ["a", "a.txt", "ab/az", "b/a", "b/ab.txt", "c/a,b"],
    "**b": ["c/a,b"],
    "ab/**z": ["ab/az"],
    "***": [*_FILES],
    "ab***": ["b/ab.txt"],
    "b**/a": ["b/a"],
    "/**": [*_FILES],
    "**/": [],
    "a/": [],
    "{a,az}": ["a", "ab/az", "b/a"],
    "{a,b}/{a,az}": ["b/a"],
    "{b/a,c/x\\}}": ["b/a", "c/x}"],
    "{,a}": ["a", "b/a"],
    "a{,z}": ["ab/az"],
    "{a,{z,az}}": ["a", "ab/az", "b/a"],
    "{**/az,c/*}": ["ab/az", "c/[g]", "c/a,b", "c/x}", "c/{x}"],
    "x{**,\\}}": ["c/x}"],
    "c/[g]": [],
    "c/\\[g\\]": ["c/[g]"],
    "\\a": ["a", "b/a"],
    "c/\\{x\\}": ["c/{x}"],
    "c/{x}": [],
    "a,b": ["c/a,b"],
    "{a\\,b,-}": ["-", "c/a,b"],
    "é": [],
    "é/*": ["é/é.txt"],
    "?/?.txt": [],
    "??/??.txt": ["é/é.txt"],
    "[é][é]": [],
    "^a": ["^a"],
    "\\^a": ["^a"],
    "-": ["-"],
    "b/]": ["b/]"],
    "c/*,*": ["c/a,b"],
    "*z*": ["ab/az"],
    "*a*b*": ["b/ab.txt", "c/a,b"],
}
_REFUSED = {
    "{": "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
    "}": "unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)",
    "{a": "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
    "[": "unclosed character class; missing ']'",
    "[a": "unclosed character class; missing ']'",
    "[z-a]": "invalid range; 'z' > 'a'",
    "a\\": "dangling '\\'",
    "{a,{b}": "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
}


@pytest.mark.parametrize("glob", _MATCHED)
def test_a_glob_matches_the_files_that_ripgrep_finds(glob: str) -> None:
    rule = parse_line(glob.encode(), RIPGREP)

    assert rule is not None
    automaton = GlobAutomaton([rule.alternatives])
    matched = [
        path
        for path in _FILES
        if not rule.directories_only
        and automaton.highest(automaton.feed(automaton.start, path.encode())) is not None
    ]
    assert matched == _MATCHED[glob]


@pytest.mark.parametrize("glob", _REFUSED)
def test_a_wrong_glob_is_refused_in_the_words_of_ripgrep(glob: str) -> None:
    with pytest.raises(GlobInvalid) as refused:
        parse_glob(glob.encode(), RIPGREP)

    assert str(refused.value) == _REFUSED[glob]


def test_too_many_alternatives_are_refused() -> None:
    with pytest.raises(GlobInvalid) as refused:
        parse_glob(b"{a,b}" * 10, RIPGREP)

    assert str(refused.value) == f"more than {MAX_ALTERNATIVES} alternatives"


def test_a_hostile_glob_reads_a_long_name_once() -> None:
    automaton = GlobAutomaton([parse_glob(b"*a" * 60 + b"*b", RIPGREP)])

    assert automaton.feed(automaton.start, b"a" * 100_000) != 0


def test_the_last_pattern_that_matches_has_the_highest_number() -> None:
    automaton = GlobAutomaton([parse_glob(glob, RIPGREP) for glob in (b"*.py", b"a.*", b"b*")])

    state = automaton.feed(automaton.start, b"a.py")
    assert automaton.highest(state) == 1
    assert automaton.highest(state, automaton.ends_of([0, 2])) == 0
