"""The envelopes of the siblings of `LS`, as JSON Schema 2020-12."""

from __future__ import annotations

from typing import Final

from treeglass.tools.envelope.envelope_schema import LS_ERROR_CODES, Schema, tool_output_schema

_COUNT: Schema = {"type": "integer", "minimum": 0}
_BOOLEAN: Schema = {"type": "boolean"}

READ_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Read",
    (*LS_ERROR_CODES, "IS_DIRECTORY", "BINARY_FILE"),
    data={
        "content": {"type": "string", "description": "The lines, each after its number."},
        "truncated": _BOOLEAN,
    },
    optional_data={"fallback_encoding": {"const": "replace"}},
    counters={
        "lines_read": _COUNT,
        "chars_read": _COUNT,
        "total_lines": _COUNT,
        "file_size_bytes": _COUNT,
        "file_mtime_ms": {"type": "integer"},
        "encoding": {"enum": ["utf-8", "utf-8 (replace)"]},
    },
)
"""The schema of an answer of `Read`."""

GLOB_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Glob",
    LS_ERROR_CODES,
    data={
        "paths": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "description": "Relative to the project root, with '/'.",
        },
        "truncated": _BOOLEAN,
    },
    optional_data={"aborted_reason": {"enum": ["count_limit", "time_limit"]}},
    counters={"matched": _COUNT, "visited": _COUNT},
)
"""The schema of an answer of `Glob`."""

GREP_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Grep",
    LS_ERROR_CODES,
    data={
        "matches": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["file", "line", "text"],
                "properties": {
                    "file": {
                        "type": "string",
                        "minLength": 1,
                        "description": "Relative to the project root, with '/'.",
                    },
                    "line": {"type": "integer", "minimum": 1},
                    "text": {"type": "string", "description": "The line, without its end."},
                },
                "additionalProperties": False,
            },
        },
        "truncated": _BOOLEAN,
        "fallback_used": {"const": True},
    },
    optional_data={"fallback_reason": {"const": "rg_not_found"}},
    counters={"matched_files": _COUNT, "matched_lines": _COUNT},
)
"""The schema of an answer of `Grep`."""
