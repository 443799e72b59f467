from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types
from pydantic import ValidationError

from treeglass.authoring.envelope.validation import Envelope, validate_envelope
from treeglass.tools.envelope.envelope_building import ERROR_CODES
from treeglass.tools.envelope.envelope_schema import ENVELOPE_SCHEMA

CONTEXT: dict[str, Any] = {"cwd": ".", "params_input": {}}
SUCCESS: dict[str, Any] = {
    "status": "success",
    "data": {},
    "text": "Listed 2 entries in '.'",
    "stats": {"time_ms": 3},
    "context": CONTEXT,
}
ERROR: dict[str, Any] = {
    "status": "error",
    "data": {},
    "text": "Path 'x' does not exist.",
    "error": {"code": "NOT_FOUND", "message": "Path 'x' does not exist."},
    "stats": {"time_ms": 0},
    "context": CONTEXT,
}
TRUNCATION: dict[str, Any] = {
    "direction": "head",
    "max_lines": 2000,
    "max_bytes": 51200,
    "head_tail_lines": None,
    "original_lines": 5000,
    "original_bytes": 200_000,
    "kept_lines": 2000,
    "kept_bytes": 40_000,
}
REWRAPPED: dict[str, Any] = {"truncated": True, "truncation": TRUNCATION, "preview": "..."}

VALID = [
    pytest.param(SUCCESS, id="a success"),
    pytest.param(ERROR, id="an error"),
    pytest.param(SUCCESS | {"status": "partial", "data": {"truncated": True}}, id="truncated"),
    pytest.param(SUCCESS | {"status": "partial", "data": {"applied": False}}, id="a dry run"),
    pytest.param(SUCCESS | {"status": "partial", "data": {"fallback": "x"}}, id="a fallback"),
    pytest.param(SUCCESS | {"data": {"truncated": False}}, id="whole"),
    pytest.param(SUCCESS | {"stats": {"time_ms": 1.5, "n": 2, "mode": "x"}}, id="counters"),
    pytest.param(SUCCESS | {"context": {"cwd": "a", "params_input": None}}, id="null input"),
    pytest.param(
        SUCCESS | {"context": CONTEXT | {"path_resolved": "a", "truncation_skip": True, "x": [1]}},
        id="a full context",
    ),
    pytest.param(ERROR | {"data": {"failed_items": ["a"]}}, id="an error with data"),
    pytest.param(SUCCESS | {"status": "partial", "data": REWRAPPED}, id="cut by the framework"),
    pytest.param(ERROR | {"data": REWRAPPED}, id="an error cut by the framework"),
    *[
        pytest.param(ERROR | {"error": {"code": code, "message": "x"}}, id=code)
        for code in ERROR_CODES
    ],
]


def without(envelope: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in envelope.items() if name != key}


ONE_OF = "Input should be 'success', 'partial' or 'error'"
INVALID = [
    pytest.param([SUCCESS], ["the envelope must be a JSON object"], id="an array"),
    pytest.param(SUCCESS | {"status": {}}, [f"status: {ONE_OF}"], id="a status without a hash"),
    pytest.param("{}", ["the envelope must be a JSON object"], id="a string"),
    *[
        pytest.param(without(SUCCESS, key), [f"{key}: Field required"], id=f"no {key}")
        for key in SUCCESS
    ],
    pytest.param(SUCCESS | {"version": "1.0"}, ["version: unknown key"], id="another key"),
    pytest.param(SUCCESS | {"status": "SUCCESS"}, [f"status: {ONE_OF}"], id="upper case"),
    pytest.param(SUCCESS | {"status": None}, [f"status: {ONE_OF}"], id="status null"),
    pytest.param(
        SUCCESS | {"data": None}, ["data: Input should be a valid dictionary"], id="data null"
    ),
    pytest.param(
        SUCCESS | {"data": []}, ["data: Input should be a valid dictionary"], id="data array"
    ),
    pytest.param(SUCCESS | {"text": " \n"}, ["text: must not be blank"], id="blank text"),
    pytest.param(
        SUCCESS | {"text": 5}, ["text: Input should be a valid string"], id="text a number"
    ),
    pytest.param(
        SUCCESS | {"stats": {"time_ms": "3"}},
        ["stats.time_ms: Input should be a valid number"],
        id="time a string",
    ),
    pytest.param(
        SUCCESS | {"stats": {"time_ms": True}},
        ["stats.time_ms: Input should be a valid number"],
        id="time a boolean",
    ),
    pytest.param(
        SUCCESS | {"stats": {"time_ms": -1}},
        ["stats.time_ms: Input should be greater than or equal to 0"],
        id="time negative",
    ),
    pytest.param(
        SUCCESS | {"stats": {"time_ms": 1, "a": None, "b": {}, "c": True}},
        ["stats: a, b, c: must be a number or a string"],
        id="odd counters",
    ),
    pytest.param(
        SUCCESS | {"context": {"params_input": {}}},
        ["context.cwd: Field required"],
        id="no cwd",
    ),
    pytest.param(
        SUCCESS | {"context": {"cwd": "."}},
        ["context.params_input: Field required"],
        id="no params_input",
    ),
    pytest.param(
        SUCCESS | {"context": CONTEXT | {"path_resolved": None}},
        ["context.path_resolved: must be left out or have a value, not null"],
        id="path_resolved null",
    ),
    pytest.param(
        SUCCESS | {"error": ERROR["error"]},
        ["error: allowed only where status is 'error'"],
        id="an error on a success",
    ),
    pytest.param(
        SUCCESS | {"error": None},
        [
            "error: must be left out or have a value, not null",
            "error: allowed only where status is 'error'",
        ],
        id="error null on a success",
    ),
    pytest.param(
        without(ERROR, "error"),
        ["error: required where status is 'error'"],
        id="an error without error",
    ),
    pytest.param(
        ERROR | {"error": None},
        ["error: must be left out or have a value, not null"],
        id="error null",
    ),
    pytest.param(
        ERROR | {"error": {"code": "NOT_FOUND", "message": "", "hint": "x"}},
        [
            "error.message: String should have at least 1 character",
            "error.hint: unknown key",
        ],
        id="an error with more and less than it has",
    ),
    pytest.param(
        SUCCESS | {"data": {"truncated": True, "fallback": "x"}},
        [
            "data.truncated: needs the status 'partial'",
            "data.fallback: needs the status 'partial'",
        ],
        id="a success that is truncated and fell back",
    ),
    pytest.param(
        SUCCESS | {"data": {"truncated": "yes"}},
        ["data.truncated: must be true or false"],
        id="truncated a string",
    ),
    pytest.param(
        ERROR | {"data": {"truncated": True}},
        ["data.truncated: on an error needs data.truncation and data.preview"],
        id="a truncated error",
    ),
    pytest.param(
        ERROR | {"data": REWRAPPED | {"truncation": []}},
        ["data.truncation: must be an object"],
        id="truncation an array",
    ),
    pytest.param(
        ERROR | {"data": REWRAPPED | {"truncation": TRUNCATION | {"direction": "middle"}}},
        ["data.truncation.direction: Input should be 'head', 'tail' or 'head_tail'"],
        id="truncation in no direction",
    ),
    pytest.param(
        SUCCESS | {"status": "done", "text": "", "data": {"truncated": 1}},
        [f"status: {ONE_OF}", "text: must not be blank", "data.truncated: must be true or false"],
        id="all violations at once",
    ),
]


def is_accepted_by_the_model(candidate: object) -> bool:
    try:
        Envelope.model_validate(candidate)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("envelope", VALID)
def test_model_schema_and_validator_accept_what_is_valid(envelope: dict[str, Any]) -> None:
    assert validate_envelope(envelope) == []
    assert is_accepted_by_the_model(envelope)
    assert list(Draft202012Validator(ENVELOPE_SCHEMA).iter_errors(envelope)) == []


@pytest.mark.parametrize(("candidate", "faults"), INVALID)
def test_model_schema_and_validator_refuse_what_is_not(
    candidate: object, faults: list[str]
) -> None:
    assert validate_envelope(candidate) == faults
    assert not is_accepted_by_the_model(candidate)
    assert not Draft202012Validator(ENVELOPE_SCHEMA).is_valid(candidate)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_cannot_write_are_refused(number: float) -> None:
    assert validate_envelope(SUCCESS | {"stats": {"time_ms": number, "ratio": number}}) == [
        "stats.time_ms: Input should be a finite number"
    ]
    assert validate_envelope(SUCCESS | {"stats": {"time_ms": 1, "ratio": number}}) == [
        "stats: ratio: must be a number or a string"
    ]


def test_a_model_keeps_what_the_protocol_leaves_free() -> None:
    envelope = SUCCESS | {
        "stats": {"time_ms": 1, "dirs": 2},
        "context": CONTEXT | {"seen_by": "a host"},
    }

    assert Envelope.model_validate(envelope).model_dump(exclude_unset=True) == envelope
