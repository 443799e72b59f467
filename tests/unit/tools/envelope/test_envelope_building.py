import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass.tools.envelope.envelope_building import (
    MAX_ECHO_DEPTH,
    answer_envelope,
    envelope_context,
    error_envelope,
    render_envelope,
)
from treeglass.tools.envelope.envelope_schema import ENVELOPE_SCHEMA


def test_an_answer_has_the_protocols_keys_in_their_order() -> None:
    envelope = answer_envelope(
        is_partial=True,
        data={"truncated": True},
        text="Truncated after 中.",
        elapsed_seconds=0.0129,
        counters={"dirs": 2},
        context=envelope_context(cwd="src", arguments={"a": 1}, path_resolved="src/é"),
    )

    assert render_envelope(envelope) == (
        "{\n"
        '  "status": "partial",\n'
        '  "data": {\n'
        '    "truncated": true\n'
        "  },\n"
        '  "text": "Truncated after 中.",\n'
        '  "stats": {\n'
        '    "time_ms": 12,\n'
        '    "dirs": 2\n'
        "  },\n"
        '  "context": {\n'
        '    "cwd": "src",\n'
        '    "params_input": {\n'
        '      "a": 1\n'
        "    },\n"
        '    "path_resolved": "src/é"\n'
        "  }\n"
        "}"
    )
    assert Draft202012Validator(ENVELOPE_SCHEMA).is_valid(envelope)


def test_an_answer_takes_at_least_one_millisecond() -> None:
    envelope = answer_envelope(
        is_partial=False,
        data={},
        text="Done at once.",
        elapsed_seconds=0.0,
        counters={},
        context=envelope_context(cwd=".", arguments={}),
    )

    assert envelope["stats"] == {"time_ms": 1}


def test_an_error_has_its_message_as_text_and_takes_no_time() -> None:
    envelope = error_envelope(
        code="TIMEOUT", message="Too slow.", context=envelope_context(cwd=".", arguments="{")
    )

    assert list(envelope.items()) == [
        ("status", "error"),
        ("data", {}),
        ("text", "Too slow."),
        ("error", {"code": "TIMEOUT", "message": "Too slow."}),
        ("stats", {"time_ms": 0}),
        ("context", {"cwd": ".", "params_input": "{"}),
    ]
    assert Draft202012Validator(ENVELOPE_SCHEMA).is_valid(envelope)


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("arguments", "echo"),
    [
        pytest.param({"é": [1, None, {"b": 2.5}]}, {"é": [1, None, {"b": 2.5}]}, id="an object"),
        pytest.param("{not json", "{not json", id="text that is not JSON"),
        pytest.param("a\ud800b\udce9", "a\ufffdb\ufffd", id="text with lone surrogates"),
        pytest.param("\ud83d\ude00", "\U0001f600", id="text with a pair of surrogates"),
        pytest.param({"a": "\udce9"}, None, id="an object with a lone surrogate"),
        pytest.param({"a": float("nan")}, None, id="a number that JSON lacks"),
        pytest.param({"a": b"raw"}, None, id="a value that JSON lacks"),
        pytest.param(
            nested(MAX_ECHO_DEPTH - 1), nested(MAX_ECHO_DEPTH - 1), id="as deep as may be"
        ),
        pytest.param(nested(MAX_ECHO_DEPTH), None, id="too deep"),
    ],
)
def test_the_input_is_echoed_as_far_as_json_can_carry_it(arguments: object, echo: object) -> None:
    assert envelope_context(cwd=".", arguments=arguments) == {"cwd": ".", "params_input": echo}


def test_the_echo_is_a_copy() -> None:
    arguments = {"ignore": ["a"]}
    context = envelope_context(cwd=".", arguments=arguments)

    arguments["ignore"].append("b")

    assert context["params_input"] == {"ignore": ["a"]}


def test_the_text_is_that_of_the_standard_encoder_with_an_indent_of_two() -> None:
    deep: object = "end"
    for level in range(70):
        deep = [deep] if level % 2 else {"level": deep}
    envelope = {
        "status": "success",
        "data": {
            "nothing": [{}, [], "", None, True, False],
            "numbers": [0, -1, 2**70, 1.5, -0.0, 1e300, 1e-7],
            "texts": ['"\\/\b\f\n\r\t', "\x00\x1f\x7f\x85", "中\u2028\U0001f600", "a\u0301"],
            'a "key"\n': {"中": [[1, [2]], {"k": {"k": []}}]},
            "pair": ("a", {"b": ()}),
        },
        "context": {"params_input": deep},
    }

    assert render_envelope(envelope) == json.dumps(envelope, ensure_ascii=False, indent=2)
