"""The Standard Envelope v1.0 as JSON Schema 2020-12, for hosts in any language.

`docs/standard-envelope.schema.json` publishes it; a test compares them.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from treeglass.tools.envelope.envelope_building import (
    ERROR_CODES,
    STATUSES,
    ErrorCode,
    TruncationDirection,
)

SCHEMA_ID = "urn:standard-envelope:v1.0"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"

LS_ERROR_CODES: Final[tuple[ErrorCode, ...]] = (
    "NOT_FOUND",
    "ACCESS_DENIED",
    "INVALID_PARAM",
    "TIMEOUT",
    "INTERNAL_ERROR",
)
"""The codes that `LS` answers with."""

Schema = dict[str, Any]

COUNT: Schema = {"type": "integer", "minimum": 0}
PATH: Schema = {
    "type": "string",
    "minLength": 1,
    "description": "Relative to the project root, with '/'.",
}
_FRAMEWORK_KEYS = ["truncation", "preview"]


def _object(
    required: dict[str, Schema], optional: dict[str, Schema] | None = None, *, closed: bool = False
) -> Schema:
    schema: Schema = {
        "type": "object",
        "required": list(required),
        "properties": {**required, **(optional or {})},
    }
    return {**schema, "additionalProperties": False} if closed else schema


def _status_is(status: str) -> Schema:
    return {"properties": {"status": {"const": status}}, "required": ["status"]}


def _data_is(data: Schema) -> Schema:
    return {"properties": {"data": data}}


_TRUNCATED: Schema = {"properties": {"truncated": {"const": True}}, "required": ["truncated"]}

_TRUNCATION: Schema = _object(
    {
        "direction": {"enum": list(get_args(TruncationDirection))},
        "max_lines": COUNT,
        "max_bytes": COUNT,
        "original_lines": COUNT,
        "original_bytes": COUNT,
        "kept_lines": COUNT,
        "kept_bytes": COUNT,
    },
    {
        "head_tail_lines": {"type": ["integer", "null"], "minimum": 0},
        "full_output_path": {"type": "string"},
    },
)

_PROPERTIES: dict[str, Schema] = {
    "status": {"enum": list(STATUSES)},
    "data": {"type": "object", "properties": {"truncated": {"type": "boolean"}}},
    "text": {
        "type": "string",
        "pattern": "\\S",
        "description": "What the model reads: the outcome, why it is discounted, what to do next.",
    },
    "stats": {
        **_object(
            {
                "time_ms": {
                    "type": "number",
                    "minimum": 0,
                    "description": "Time the call took, in milliseconds.",
                }
            }
        ),
        "additionalProperties": {"type": ["number", "string"]},
    },
    "context": _object(
        {
            "cwd": {
                "type": "string",
                "minLength": 1,
                "description": "Working directory, relative to the project root.",
            },
            "params_input": {"description": "The arguments exactly as they were passed."},
        },
        {
            "path_resolved": {
                "type": "string",
                "minLength": 1,
                "description": "The final path, relative to the project root.",
            },
            "truncation_skip": {"type": "boolean"},
        },
    ),
}


def _error(codes: tuple[ErrorCode, ...]) -> Schema:
    return _object(
        {"code": {"enum": list(codes)}, "message": {"type": "string", "minLength": 1}}, closed=True
    )


_ERROR_ONLY_ON_ERROR: Schema = {
    "if": _status_is("error"),
    "then": {"required": ["error"]},
    "else": {"not": {"required": ["error"]}},
}
_SUCCESS_IS_WHOLE: Schema = {
    "if": _status_is("success"),
    "then": _data_is(
        {"properties": {"truncated": {"const": False}}, "not": {"required": ["fallback"]}}
    ),
}
_TRUNCATED_ERROR_IS_REWRAPPED: Schema = {
    "if": {
        "properties": {"status": {"const": "error"}, "data": _TRUNCATED},
        "required": ["status", "data"],
    },
    "then": _data_is({"required": _FRAMEWORK_KEYS}),
}
_REWRAP_TELLS_WHAT_IT_CUT: Schema = {
    "if": {
        "properties": {"data": {"allOf": [_TRUNCATED, {"required": _FRAMEWORK_KEYS}]}},
        "required": ["data"],
    },
    "then": _data_is({"properties": {"truncation": _TRUNCATION}}),
}

_RULES = [
    _ERROR_ONLY_ON_ERROR,
    _SUCCESS_IS_WHOLE,
    _TRUNCATED_ERROR_IS_REWRAPPED,
    _REWRAP_TELLS_WHAT_IT_CUT,
]

_LS_ENTRY: Schema = _object(
    {"path": PATH, "type": {"enum": ["file", "dir", "link"]}},
    closed=True,
)

_PARTIAL_IS_TRUNCATED: Schema = {
    "if": _status_is("partial"),
    "then": _data_is({"properties": {"truncated": {"const": True}}}),
}


def _envelope(codes: tuple[ErrorCode, ...], rules: list[Schema]) -> Schema:
    return {
        "type": "object",
        "required": list(_PROPERTIES),
        "additionalProperties": False,
        "properties": {**_PROPERTIES, "error": _error(codes)},
        "allOf": rules,
    }


ENVELOPE_SCHEMA: Final[Schema] = {
    "$schema": _DIALECT,
    "$id": SCHEMA_ID,
    "title": "Standard Envelope v1.0",
    **_envelope(ERROR_CODES, _RULES),
}
"""The schema of any envelope."""


def tool_output_schema(
    name: str,
    codes: tuple[ErrorCode, ...],
    *,
    data: dict[str, Schema],
    counters: dict[str, Schema],
    optional_data: dict[str, Schema] | None = None,
    error_data: dict[str, Schema] | None = None,
    rules: tuple[Schema, ...] = (),
) -> Schema:
    """Return the schema of a tool's answers, complete in itself, as MCP demands.

    The counters are the members of `stats` beside `time_ms`. A failed call has no data, unless
    there is a schema for that.
    """
    answered = {
        "properties": {
            "data": _object(data, optional_data, closed=True),
            "stats": _object(counters),
            "context": {"required": ["path_resolved"]},
        }
    }
    failed = {"maxProperties": 0} if error_data is None else _object({}, error_data, closed=True)
    rule = {"if": _status_is("error"), "then": _data_is(failed), "else": answered}
    return {
        "title": f"Standard Envelope v1.0 of {name}",
        **_envelope(codes, [*_RULES, rule, *rules]),
    }


LS_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "LS",
    LS_ERROR_CODES,
    data={"entries": {"type": "array", "items": _LS_ENTRY}, "truncated": {"type": "boolean"}},
    counters=dict.fromkeys(("total_entries", "dirs", "files", "links", "returned"), COUNT),
    rules=(_PARTIAL_IS_TRUNCATED,),
)
