import pytest

from treeglass.tools.envelope.ignore import compile_ignore


@pytest.mark.parametrize(
    ("pattern", "hidden"),
    [
        pytest.param("*.py", ["a.py", "src/a.py"], id="a name, at any depth"),
        pytest.param("*.PY", [], id="case counts"),
        pytest.param("?.py", ["a.py", "src/a.py"], id="one character"),
        pytest.param("[!b].py", ["a.py", "src/a.py"], id="not of a set"),
        pytest.param("[a", ["src/[a"], id="an open bracket is itself"),
        pytest.param("[[]a", ["src/[a"], id="a bracket in brackets is itself"),
        pytest.param("a", [], id="the whole name, not its start"),
        pytest.param("{a,b}.py", [], id="braces are themselves"),
        pytest.param("", [], id="the empty pattern"),
        pytest.param("src", [], id="a name does not hide entries below it"),
        pytest.param("src/*", ["src/a.py", "src/[a", "src/deep/b"], id="a star crosses slashes"),
        pytest.param("src/**", ["src/a.py", "src/[a", "src/deep/b"], id="two stars are one"),
        pytest.param("**/a.py", ["a.py", "src/a.py"], id="any depth includes zero"),
        pytest.param("**/deep/b", ["src/deep/b"], id="any depth, then two names"),
        pytest.param("**/**/b", ["src/deep/b"], id="any depth is peeled once"),
        pytest.param("**/", [], id="any depth and nothing"),
        pytest.param("src/", [], id="a slash at the end"),
        pytest.param("./a.py", [], id="a dot at the start"),
        pytest.param("/a.py", [], id="a slash at the start"),
        pytest.param("b\\*", ["b\\c"], id="a backslash is itself"),
        pytest.param("a.py|x", [], id="a bar is itself"),
    ],
)
def test_a_pattern_hides_these_paths_and_no_others(pattern: str, hidden: list[str]) -> None:
    paths = ["a.py", "b\\c", "src/a.py", "src/[a", "src/deep/b", "a.py\nx"]
    hides = compile_ignore([pattern])

    assert [path for path in paths if hides(path.rsplit("/", 1)[-1], path)] == hidden


def test_any_of_several_patterns_hides() -> None:
    hides = compile_ignore(["*.log", "src/*.py", "x?"])

    assert [
        path
        for path in ["a.log", "src/a.py", "a.py", "xy", "src/xy", "y"]
        if hides(path.rsplit("/", 1)[-1], path)
    ] == ["a.log", "src/a.py", "xy", "src/xy"]


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("*a" * 8 + "*b", id="stars and letters"),
        pytest.param("*a" * 100 + "*b", id="many stars and letters"),
        pytest.param("*[a-z]" * 40 + "*b", id="stars and sets"),
        pytest.param("*?" * 100 + "*b", id="stars and question marks"),
    ],
)
def test_a_pattern_made_to_backtrack_answers(pattern: str) -> None:
    # Tried one way after the other these take longer than the universe is old.
    hides = compile_ignore([pattern])

    assert not hides("a" * 255, "a" * 255)
    assert hides("a" * 254 + "b", "a" * 254 + "b")
