import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass.tools.envelope.envelope_schema import (
    _TRUNCATION,
    ENVELOPE_SCHEMA,
    LS_OUTPUT_SCHEMA,
)

PUBLISHED = Path(__file__).parents[4] / "docs" / "standard-envelope.schema.json"

PAGE: dict[str, Any] = {
    "status": "success",
    "data": {"entries": [{"path": "a", "type": "dir"}], "truncated": False},
    "text": "Listed 1 entries in '.'\n(Total: 1 items - 1 dirs, 0 files, 0 links)\n\na/",
    "stats": {"time_ms": 1, "total_entries": 1, "dirs": 1, "files": 0, "links": 0, "returned": 1},
    "context": {"cwd": ".", "params_input": {}, "path_resolved": "."},
}
FAILURE: dict[str, Any] = {
    "status": "error",
    "data": {},
    "text": "no",
    "error": {"code": "TIMEOUT", "message": "no"},
    "stats": {"time_ms": 0},
    "context": {"cwd": ".", "params_input": {}},
}


def test_published_file_is_what_the_code_says() -> None:
    definitions = {"ls_envelope": LS_OUTPUT_SCHEMA, "truncation": _TRUNCATION}
    published = {**ENVELOPE_SCHEMA, "$defs": definitions}

    # To renew the file, write this text into it.
    assert PUBLISHED.read_text("utf-8") == json.dumps(published, indent=2) + "\n"


def test_published_schema_obeys_its_dialect() -> None:
    Draft202012Validator.check_schema(json.loads(PUBLISHED.read_text("utf-8")))
    Draft202012Validator.check_schema(LS_OUTPUT_SCHEMA)


def test_the_envelope_of_ls_is_published_whole() -> None:
    assert LS_OUTPUT_SCHEMA["type"] == "object"
    assert "$ref" not in json.dumps(LS_OUTPUT_SCHEMA)


@pytest.mark.parametrize(
    "envelope",
    [
        pytest.param(PAGE, id="a whole page"),
        pytest.param(
            PAGE | {"status": "partial", "data": PAGE["data"] | {"truncated": True}},
            id="a page of more",
        ),
        pytest.param(FAILURE, id="a failure"),
    ],
)
def test_ls_may_answer_so(envelope: dict[str, Any]) -> None:
    assert list(Draft202012Validator(LS_OUTPUT_SCHEMA).iter_errors(envelope)) == []


@pytest.mark.parametrize(
    "envelope",
    [
        pytest.param(PAGE | {"status": "partial"}, id="partial but not truncated"),
        pytest.param(PAGE | {"data": {"entries": []}}, id="no word on truncation"),
        pytest.param(PAGE | {"data": PAGE["data"] | {"depth": 1}}, id="more data than it has"),
        pytest.param(
            PAGE | {"data": {"entries": [{"path": "a", "type": "pipe"}], "truncated": False}},
            id="another type of entry",
        ),
        pytest.param(PAGE | {"stats": {"time_ms": 1}}, id="no counters"),
        pytest.param(PAGE | {"context": FAILURE["context"]}, id="no resolved path"),
        pytest.param(FAILURE | {"data": {"entries": []}}, id="a failure with data"),
        pytest.param(
            FAILURE | {"error": {"code": "BINARY_FILE", "message": "no"}},
            id="a code of other tools",
        ),
    ],
)
def test_ls_may_not_answer_so(envelope: dict[str, Any]) -> None:
    assert not Draft202012Validator(LS_OUTPUT_SCHEMA).is_valid(envelope)


CONTEXT: dict[str, Any] = FAILURE["context"]
SUCCESS: dict[str, Any] = {
    "status": "success",
    "data": {},
    "text": "Wrote 'a'.",
    "stats": {"time_ms": 3},
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


@pytest.mark.parametrize(
    ("candidate", "places"),
    [
        pytest.param("{}", ["$"], id="a string"),
        pytest.param(SUCCESS | {"status": {}}, ["$.status"], id="status an object"),
        *[
            pytest.param(SUCCESS | {"stats": {"time_ms": time}}, ["$.stats.time_ms"], id=f"{time}")
            for time in (True, -1)
        ],
        pytest.param(
            SUCCESS | {"stats": {"time_ms": 1, "a": None, "b": {}, "c": True}},
            ["$.stats.a", "$.stats.b", "$.stats.c"],
            id="odd counters",
        ),
        *[
            pytest.param(
                SUCCESS | {"context": CONTEXT | {key: None}}, [f"$.context.{key}"], id=f"{key} null"
            )
            for key in ("path_resolved", "truncation_skip")
        ],
        pytest.param(
            FAILURE | {"error": {"code": "NOT_FOUND", "message": "", "hint": "x"}},
            ["$.error", "$.error.message"],
            id="an error with more and less than it has",
        ),
        pytest.param(
            SUCCESS | {"data": {"truncated": True, "fallback": "x"}},
            ["$.data", "$.data.truncated"],
            id="a success that is truncated and fell back",
        ),
        pytest.param(
            FAILURE | {"data": REWRAPPED | {"truncation": []}},
            ["$.data.truncation"],
            id="truncation an array",
        ),
        pytest.param(
            FAILURE | {"data": REWRAPPED | {"truncation": TRUNCATION | {"direction": "middle"}}},
            ["$.data.truncation.direction"],
            id="truncation in no direction",
        ),
        pytest.param(
            SUCCESS | {"status": "done", "text": "", "data": {"truncated": 1}},
            ["$.data.truncated", "$.status", "$.text"],
            id="all violations at once",
        ),
    ],
)
def test_no_tool_may_answer_so(candidate: object, places: list[str]) -> None:
    faults = Draft202012Validator(ENVELOPE_SCHEMA).iter_errors(candidate)

    assert sorted({fault.json_path for fault in faults}) == places
