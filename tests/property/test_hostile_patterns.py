"""Hostile patterns, globs and ignore files look at the clock often and hold bounded memory."""

import random
import tracemalloc
from collections.abc import Callable

import pytest

from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid
from treeglass.search.glob_syntax import GIT, RIPGREP, GlobDialect, parse_glob
from treeglass.search.ignore_file import IgnoreFile
from treeglass.search.regex import RegexInvalid, compile_python, compile_rust

_ATOMS = (
    *("a", "[", "]", "(", ")", "{", "}", "*", "**/", "?", "|", "\\", "^", "$", ".", ",", "!", "/"),
    *("[aX]", "[!-X]", "[Ā-\uffff]", "\\pL", "[\\w\\W]", "(?i)", "a?", "(?:a?)", "{a,b}", "{4900}"),
    *(
        "[^é]",
        "\\b",
        "(?=x)",
        "x+",
        "(x+x+)+",
        "{9}",
        "{0,400}",
        "[[:alpha:]]",
        "(?-u:\\xff)",
        "漢",
    ),
)
_TEXT = "the quick brown fox xxxxxxxxxxxxxxxx é漢\n" * 20
_DIALECTS = (GIT, RIPGREP, GlobDialect(crosses_slashes=True))


class _OverError(Exception):
    pass


def _hostile(chance: random.Random) -> str:
    """Return up to 256 KB of a few atoms, repeated."""
    few = chance.sample(_ATOMS, chance.randint(1, 4))
    length = chance.choice((20, 300, 3_000, 9_900, 40_000, 256_000))
    letters = "".join(chr(chance.randint(0x100, 0x9FFF)) for _ in range(chance.choice((0, 9, 999))))
    unit = "".join(chance.choices(few, k=chance.randint(1, 6))) + chance.choice(("", letters))
    return (chance.choice(("", "[", "(", "{")) + unit * (length // len(unit) + 1))[:length]


def _search(source: str, number: int, check: Callable[[], None]) -> None:
    match number % 4:
        case 0:
            list(compile_rust(source, checkpoint=check).matching_lines(_TEXT, check))
        case 1:
            list(compile_python(source, ignore_case=True, checkpoint=check).spans(_TEXT, check))
        case 2:
            glob = parse_glob(source.encode(), _DIALECTS[number % 3])
            automaton = GlobAutomaton([glob], check)
            automaton.highest(automaton.feed(automaton.start, b"src/a/xyz.py"))
        case _:
            lines = source.encode().replace(b"}", b"}\n").replace(b"9", b"\n")
            rules = IgnoreFile(lines * (1_000_000 // len(lines) + 1), RIPGREP, check)
            rules.ignores(rules.feed(rules.start, b"src/a/xyz.py"), is_directory=False)


def _run(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # a test repeats
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        # The end of the call, at some look at the clock.
        if looks > 200:
            raise _OverError

    try:
        _search(_hostile(chance), seed, check)
    except (RegexInvalid, GlobInvalid, _OverError):
        return


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_a_hostile_pattern_ends_in_an_answer_an_error_or_the_end_of_its_time(first: int) -> None:
    for seed in range(first, first + 50):
        _run(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(300, 5_000, 100))
def test_many_hostile_patterns_end_too(first: int) -> None:
    for seed in range(first, first + 100):
        _run(seed)


@pytest.mark.parametrize(
    "content",
    [b"x1\n" * 30_000, b"a\n" * 500_000, b"{a,b}" * 9 + b"\n", (b"{a,b}" * 9 + b"\n") * 20_000],
    ids=["30,000 lines", "500,000 lines", "512 alternatives", "10,240,000 alternatives"],
)
def test_an_ignore_file_takes_memory_in_proportion_to_its_ceiling(content: bytes) -> None:
    tracemalloc.start()
    try:
        IgnoreFile(content, RIPGREP)
    except GlobInvalid:
        pass
    finally:
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak_bytes < 100_000_000
