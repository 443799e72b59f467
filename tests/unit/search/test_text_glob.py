import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeglass.search import glob_automaton
from treeglass.search.text_glob import TextGlob

PATHS = ("a", "a.py", "src/a.py", "src/b/c.py", "s/", "é😀", "[a", "a-b", "a\nb")


def matched(pattern: str) -> list[str]:
    glob = TextGlob(pattern)
    return [path for path in PATHS if glob.is_match(glob.feed(glob.start, path))]


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("", []),
        ("*", ["a", "a.py", "é😀", "[a", "a-b", "a\nb"]),
        ("**", list(PATHS)),
        ("**/*.py", ["a.py", "src/a.py", "src/b/c.py"]),
        ("src/**/*.py", ["src/a.py", "src/b/c.py"]),
        ("src/**.py", ["src/a.py", "src/b/c.py"]),
        ("src/*.py", ["src/a.py"]),
        ("??", ["é😀", "[a"]),
        ("[a", ["[a"]),
        ("a[!.]b", ["a-b", "a\nb"]),
        ("s[!a]", ["s/"]),
        ("A", []),
    ],
)
def test_a_glob_matches_whole_paths(pattern: str, paths: list[str]) -> None:
    assert matched(pattern) == paths


def as_regex(pattern: str) -> str:
    """Return the same as an expression, which may backtrack."""
    expression, at = "", 0
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    while at < len(pattern):
        part = next((part for part in parts if pattern.startswith(part, at)), pattern[at])
        closed = re.compile(r"\[!?\]?[^\]]*\]").match(pattern, at)
        if closed is not None:
            part = closed[0]
            expression += f"(?:{fnmatch.translate(part)[:-2]})"
        else:
            expression += parts.get(part) or re.escape(part)
        at += len(part)
    return f"(?s:{expression})\\Z"


@given(pattern=st.text("a*/?[]!-b.", max_size=9), path=st.text("ab/.-]", max_size=8))
def test_a_glob_matches_as_its_expression(pattern: str, path: str) -> None:
    glob = TextGlob(pattern)

    found = glob.is_match(glob.feed(glob.start, path))

    assert found == (re.compile(as_regex(pattern)).match(path) is not None)


def test_a_directorys_state_goes_on_with_its_names() -> None:
    glob = TextGlob("src/**/c*.py")
    state = glob.feed(glob.feed(glob.start, "src/"), "b/")

    assert [glob.is_match(glob.feed(state, name)) for name in ("c.py", "d.py")] == [True, False]
    assert glob.feed(glob.start, "tests/") == 0


def test_forgetting_transitions_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glob_automaton, "_MAX_KEPT_VALUES", 1)
    monkeypatch.setattr(glob_automaton, "_MAX_KEPT_BYTES", 1)
    monkeypatch.setattr(glob_automaton, "_MAX_KEPT_BYTES_OF_A_PLACE", 0)

    assert matched("**/*.py") == ["a.py", "src/a.py", "src/b/c.py"]
