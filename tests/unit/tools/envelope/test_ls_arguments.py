from typing import Any

import pytest

from treeglass import Config
from treeglass.call_arguments import ToolArguments
from treeglass.errors import InvalidArguments
from treeglass.tools.envelope.arguments import LsArgs, parse_ls
from treeglass.tools.envelope.definitions import LS

OFFSET = "offset must be a non-negative integer."
LIMIT = "limit must be an integer between 1 and 200."
IGNORE = "ignore must be a list of glob patterns."
IGNORE_SIZE = "ignore must hold at most 100 patterns of at most 256 characters each."
PATH = "path must be a string."
HIDDEN = "include_hidden must be true or false."


WRONG: list[tuple[str, str, list[Any]]] = [
    ("offset", OFFSET, [-1, "0", None, 1.0, True, []]),
    ("limit", LIMIT, [0, 201, "9", None, 2.5, True, {}]),
    ("ignore", IGNORE, ["*.py", "", 0, False, {}, [1], ["a", None], ["a" * 257, 1]]),
    ("ignore", IGNORE_SIZE, [["a"] * 101, ["a" * 257], [1] * 101]),
    ("path", PATH, [None, 1, True, ["src"], {"a": 1}]),
    ("include_hidden", HIDDEN, [None, 0, 1, "true", []]),
]


def parse(**values: Any) -> LsArgs:
    return parse_ls(ToolArguments(values), Config())


def test_all_arguments_are_taken_to_their_bounds() -> None:
    patterns = ["*" * 256] * 100

    assert parse(path="", offset=10**30, limit=200, include_hidden=True, ignore=patterns) == LsArgs(
        path="", offset=10**30, limit=200, include_hidden=True, ignore=patterns
    )


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [(name, value, sentence) for name, sentence, values in WRONG for value in values],
)
def test_a_wrong_argument_has_a_sentence_of_its_own(
    name: str, value: object, sentence: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        parse(**{name: value})

    assert str(caught.value) == sentence


def test_the_first_wrong_argument_is_reported() -> None:
    values: dict[str, Any] = {
        "include_hidden": "?",
        "path": None,
        "ignore": "?",
        "limit": 0,
        "offset": -1,
    }
    sentences = []
    while values:
        with pytest.raises(InvalidArguments) as caught:
            parse(**values)
        sentences.append(str(caught.value))
        values.popitem()

    assert sentences == [OFFSET, LIMIT, IGNORE, PATH, HIDDEN]


def test_approval_is_asked_in_one_short_line() -> None:
    assert (
        LS.approval_summary(LsArgs(path="src\nrm"), Config()) == "List the directory 'src\\u{A}rm'"
    )
    assert len(LS.approval_summary(LsArgs(path="a" * 4000), Config())) == 200


def test_each_argument_is_tried_with_wrong_values() -> None:
    assert {name for name, _, _ in WRONG} == set(LsArgs._fields)
