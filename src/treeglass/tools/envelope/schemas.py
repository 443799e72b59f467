"""The published schemas of the envelope tools: arguments, and answers as JSON Schema 2020-12.

The answers of `LS` are in `envelope_schema`, whose published document holds them.
"""

from __future__ import annotations

from typing import Any, Final

from treeglass.tools.envelope.arguments import (
    DEFAULT_ENTRIES,
    DEFAULT_LINES,
    DEFAULT_PATHS,
    MAX_ENTRIES,
    MAX_LINES,
    MAX_PATHS,
    LsArgs,
)
from treeglass.tools.envelope.envelope_schema import LS_ERROR_CODES, Schema, tool_output_schema

_COUNT: Schema = {"type": "integer", "minimum": 0}
_BOOLEAN: Schema = {"type": "boolean"}


def _argument(name: str, json_type: str, default: object, **bounds: object) -> dict[str, Any]:
    description = LsArgs.model_fields[name].description
    return {"type": json_type, "description": description, "default": default, **bounds}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description, "default": False}


LS_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": _argument("path", "string", "."),
        "offset": _argument("offset", "integer", 0, minimum=0),
        "limit": _argument("limit", "integer", DEFAULT_ENTRIES, minimum=1, maximum=MAX_ENTRIES),
        "include_hidden": _argument("include_hidden", "boolean", default=False),
        "ignore": _argument("ignore", "array", None, items={"type": "string"}),
    },
    "required": [],
}

READ_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "File to read (relative to project root or absolute within it).",
        },
        "start_line": {
            "type": "integer",
            "description": "Number of the first line to return (1-based).",
            "default": 1,
            "minimum": 1,
        },
        "limit": {
            "type": "integer",
            "description": f"Max lines to return (1-{MAX_LINES}).",
            "default": DEFAULT_LINES,
            "minimum": 1,
            "maximum": MAX_LINES,
        },
    },
    "required": ["path"],
}

GLOB_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": (
                "Glob relative to path, such as '**/*.py': '*' and '?' stay within one name, "
                "'**' crosses directories."
            ),
        },
        "path": {
            "type": "string",
            "description": (
                "Directory to search (relative to project root or absolute within it)."
            ),
            "default": ".",
        },
        "limit": {
            "type": "integer",
            "description": f"Max paths to return (1-{MAX_PATHS}).",
            "default": DEFAULT_PATHS,
            "minimum": 1,
            "maximum": MAX_PATHS,
        },
        "include_hidden": _flag("Whether to include names starting with '.'."),
        "include_ignored": _flag("Whether to search directories such as node_modules and dist."),
    },
    "required": ["pattern"],
}

GREP_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": "Regular expression in Python's dialect, looked for in each line.",
        },
        "path": {
            "type": "string",
            "description": (
                "Directory to search (relative to project root or absolute within it)."
            ),
            "default": ".",
        },
        "include": {
            "type": "string",
            "description": "Glob that the path of a file must match from the right, as '*.py'.",
            "default": None,
        },
        "case_sensitive": {
            "type": "boolean",
            "description": "Whether case counts.",
            "default": False,
        },
    },
    "required": ["pattern"],
}

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
