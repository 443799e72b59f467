import pytest

from treeglass.call_arguments import ToolArguments, decode_arguments
from treeglass.errors import InvalidArguments


def test_json_text_and_a_mapping_give_the_same_arguments() -> None:
    text = decode_arguments(' {"path": "/repo", "limit": 3} ')

    assert text == decode_arguments({"path": "/repo", "limit": 3})
    assert text == ToolArguments({"path": "/repo", "limit": 3})


def test_repeated_keys_are_named_and_the_last_value_counts() -> None:
    assert decode_arguments('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}') == ToolArguments(
        {"a": 3, "b": {"c": 2}}, frozenset({"a", "c"})
    )


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        pytest.param("[]", "the arguments must be a JSON object", id="an array"),
        pytest.param("null", "the arguments must be a JSON object", id="null"),
        pytest.param(None, "the arguments must be a JSON object", id="no text at all"),
        pytest.param([1], "the arguments must be a JSON object", id="a list"),
        pytest.param(
            "",
            "the arguments are not valid JSON: Expecting value: line 1 column 1 (char 0)",
            id="empty",
        ),
        pytest.param(
            "{} {}",
            "the arguments are not valid JSON: Extra data: line 1 column 4 (char 3)",
            id="two objects",
        ),
        pytest.param(
            '{"a": NaN}', "the arguments are not valid JSON: NaN is not a JSON number", id="NaN"
        ),
        pytest.param(
            '{"a": ' + "9" * 5000 + "}",
            "the arguments hold a number of too many digits",
            id="a number of 5,000 digits",
        ),
        pytest.param(
            '{"a": 1e999}', "the arguments hold a number that is too large", id="beyond a float"
        ),
        pytest.param("[" * 100_000, "the arguments are nested too deeply", id="very deep"),
        pytest.param(
            r'{"a": "\ud83d"}',
            "the arguments hold a lone surrogate, which is not valid Unicode",
            id="half a character",
        ),
        pytest.param(
            '{"a": "\ud83d"}',
            "the arguments hold a lone surrogate, which is not valid Unicode",
            id="half a character as it stands",
        ),
        pytest.param(
            {"a": [float("inf")]},
            "the arguments hold what JSON cannot carry, such as a lone surrogate",
            id="an infinity in a mapping",
        ),
        pytest.param(
            {"a": "\ud83d"},
            "the arguments hold what JSON cannot carry, such as a lone surrogate",
            id="half a character in a mapping",
        ),
        pytest.param(
            {"a": b"x"},
            "the arguments hold what JSON cannot carry, such as a lone surrogate",
            id="bytes",
        ),
    ],
)
def test_a_text_that_is_not_a_json_object_is_refused_with_the_reason(
    sent: object, sentence: str
) -> None:
    with pytest.raises(InvalidArguments) as refusal:
        decode_arguments(sent)

    assert str(refusal.value) == sentence


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert decode_arguments(r'{"a": "\ud83d\ude00"}').values == {"a": "😀"}
