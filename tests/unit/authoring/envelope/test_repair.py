from __future__ import annotations

import json
from typing import Any

import pytest

from treeglass.authoring.envelope.repair import normalise_envelope
from treeglass.authoring.envelope.validation import validate_envelope

WHOLE: dict[str, Any] = {
    "status": "success",
    "data": {"entries": []},
    "text": "Listed 0 entries in '.'",
    "stats": {"time_ms": 2, "dirs": 0},
    "context": {"cwd": "src", "params_input": {"path": "."}, "path_resolved": "src"},
}
FAILURE: dict[str, Any] = {
    "status": "error",
    "data": {},
    "text": "It failed.",
    "error": {"code": "CONFLICT", "message": "It failed."},
    "stats": {"time_ms": 0},
    "context": {"cwd": ".", "params_input": {"sent": 1}},
}
REWRAPPED: dict[str, Any] = {
    "truncated": True,
    "preview": "...",
    "truncation": {
        "direction": "tail",
        "max_lines": 2,
        "max_bytes": 9,
        "original_lines": 5,
        "original_bytes": 50,
        "kept_lines": 2,
        "kept_bytes": 8,
    },
}


def internal_error(message: str) -> dict[str, Any]:
    return FAILURE | {"text": message, "error": {"code": "INTERNAL_ERROR", "message": message}}


NOT_AN_OBJECT = internal_error("The tool answered with no JSON object. Try another tool.")
NO_STATUS = internal_error("The tool answered with an unknown status. Try another tool.")


@pytest.mark.parametrize(
    ("answer", "normal"),
    [
        pytest.param(WHOLE, WHOLE, id="a valid success is kept"),
        pytest.param(json.dumps(WHOLE), WHOLE, id="JSON text is read"),
        pytest.param(FAILURE, FAILURE, id="a valid error is kept"),
        pytest.param(
            FAILURE | {"data": REWRAPPED}, FAILURE | {"data": REWRAPPED}, id="a cut error"
        ),
        pytest.param(
            FAILURE | {"stats": {"time_ms": 10**400}}, FAILURE, id="a time beyond all floats"
        ),
        pytest.param("plain text", NOT_AN_OBJECT, id="no JSON"),
        pytest.param("[" * 100_000, NOT_AN_OBJECT, id="JSON without a bottom"),
        pytest.param([WHOLE], NOT_AN_OBJECT, id="an array"),
        pytest.param(None, NOT_AN_OBJECT, id="nothing"),
        pytest.param(WHOLE | {"status": ["success"]}, NO_STATUS, id="a status of another type"),
        pytest.param(WHOLE | {"status": "ok"}, NO_STATUS, id="an unknown status"),
        pytest.param(WHOLE | {"version": 1}, WHOLE, id="unknown keys are dropped"),
        pytest.param(WHOLE | {"error": None}, WHOLE, id="an error of null is dropped"),
        pytest.param(WHOLE | {"data": [1]}, WHOLE | {"data": {}}, id="data of another type"),
        pytest.param(WHOLE | {"text": 5}, WHOLE | {"text": "5"}, id="text of another type"),
        pytest.param(
            WHOLE | {"text": " "},
            WHOLE | {"text": "The tool gave no text. Check data for its result."},
            id="blank text",
        ),
        pytest.param(
            WHOLE | {"data": {"truncated": 1}},
            WHOLE | {"status": "partial", "data": {"truncated": True}},
            id="a truncated success is partial",
        ),
        pytest.param(
            WHOLE | {"data": {"fallback": "walk"}},
            WHOLE | {"status": "partial", "data": {"fallback": "walk"}},
            id="a success by a fallback is partial",
        ),
        pytest.param(
            WHOLE | {"stats": {"time_ms": "2", "dirs": 0, "odd": None}},
            WHOLE | {"stats": {"time_ms": 0, "dirs": 0}},
            id="statistics of other types",
        ),
        pytest.param(
            WHOLE | {"stats": None, "context": "src"},
            WHOLE | {"stats": {"time_ms": 0}, "context": {"cwd": ".", "params_input": {"sent": 1}}},
            id="statistics and context are filled in",
        ),
        pytest.param(
            WHOLE
            | {"context": {"cwd": 1, "path_resolved": None, "truncation_skip": "yes", "a": 2}},
            WHOLE | {"context": {"cwd": ".", "params_input": {"sent": 1}, "a": 2}},
            id="a context of other types",
        ),
        pytest.param(
            FAILURE | {"error": "It failed."},
            internal_error("It failed."),
            id="an error of the old form",
        ),
        pytest.param(
            {"status": "error", "error": {"message": "It failed."}},
            internal_error("It failed."),
            id="an error with nothing but its message",
        ),
        pytest.param(
            FAILURE | {"error": {"code": [], "message": 7}},
            internal_error("It failed."),
            id="an error of other types",
        ),
        pytest.param(
            FAILURE | {"data": {"truncated": True, "detail": 1}},
            FAILURE | {"data": {"detail": 1}},
            id="an error cannot be truncated",
        ),
        pytest.param(
            FAILURE | {"data": REWRAPPED | {"truncation": {"direction": "up"}}},
            FAILURE | {"data": {"preview": "..."}},
            id="an error cut in an unknown way",
        ),
    ],
)
def test_whatever_a_tool_answers_becomes_a_valid_envelope(
    answer: object, normal: dict[str, Any]
) -> None:
    envelope = normalise_envelope(answer, params_input={"sent": 1})

    assert envelope == normal
    assert validate_envelope(envelope) == []
