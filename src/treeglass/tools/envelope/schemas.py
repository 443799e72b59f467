"""The published schemas of the envelope tools: arguments, and answers as JSON Schema 2020-12.

The answers of `LS` are in `envelope_schema`, whose published document holds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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

if TYPE_CHECKING:
    from treeglass.tools.envelope.envelope_building import ErrorCode

_COUNT: Schema = {"type": "integer", "minimum": 0}
_BOOLEAN: Schema = {"type": "boolean"}


def _argument(json_type: str, description: str | None, **rest: object) -> dict[str, Any]:
    return {"type": json_type, "description": description, **rest}


def _of_ls(name: str, json_type: str, **rest: object) -> dict[str, Any]:
    return _argument(json_type, LsArgs.model_fields[name].description, **rest)


def _flag(description: str) -> dict[str, Any]:
    return _argument("boolean", description, default=False)


def _limit(things: str, default: int, most: int) -> dict[str, Any]:
    description = f"Max {things} to return (1-{most})."
    return _argument("integer", description, default=default, minimum=1, maximum=most)


def _directory() -> dict[str, Any]:
    description = "Directory to search (relative to project root or absolute within it)."
    return _argument("string", description, default=".")


LS_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": _of_ls("path", "string", default="."),
        "offset": _of_ls("offset", "integer", default=0, minimum=0),
        "limit": _of_ls(
            "limit", "integer", default=DEFAULT_ENTRIES, minimum=1, maximum=MAX_ENTRIES
        ),
        "include_hidden": _of_ls("include_hidden", "boolean", default=False),
        "ignore": _of_ls("ignore", "array", default=None, items={"type": "string"}),
    },
    "required": [],
}

READ_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": _argument(
            "string", "File to read (relative to project root or absolute within it)."
        ),
        "start_line": _argument(
            "integer", "Number of the first line to return (1-based).", default=1, minimum=1
        ),
        "limit": _limit("lines", DEFAULT_LINES, MAX_LINES),
    },
    "required": ["path"],
}

GLOB_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": _argument(
            "string",
            "Glob relative to path, such as '**/*.py': '*' and '?' stay within one name, "
            "'**' crosses directories.",
        ),
        "path": _directory(),
        "limit": _limit("paths", DEFAULT_PATHS, MAX_PATHS),
        "include_hidden": _flag("Whether to include names starting with '.'."),
        "include_ignored": _flag("Whether to search directories such as node_modules and dist."),
    },
    "required": ["pattern"],
}

GREP_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": _argument(
            "string", "Regular expression in Python's dialect, looked for in each line."
        ),
        "path": _directory(),
        "include": _argument(
            "string",
            "Glob that the path of a file must match from the right, as '*.py'.",
            default=None,
        ),
        "case_sensitive": _flag("Whether case counts."),
    },
    "required": ["pattern"],
}

_EXPECTED: dict[str, Any] = {
    "expected_mtime_ms": _argument(
        "integer",
        "Time of the file that is changed, from stats.file_mtime_ms of a Read; "
        "by default that of the last Read.",
    ),
    "expected_size_bytes": _argument(
        "integer",
        "Size of the file that is changed, from stats.file_size_bytes of a Read; "
        "by default that of the last Read.",
    ),
    "dry_run": _flag("Whether to show only what would change."),
}
_CHANGED_PATH: dict[str, Any] = _argument("string", "File, relative to the project root.")
# Not every strict host knows a bound for a text's length; the tool refuses an empty one.
_OLD_STRING: dict[str, Any] = _argument(
    "string",
    "Exact text to replace, without line numbers. It must occur once in the file: "
    "include 2 to 5 lines around it.",
)
_NEW_STRING: dict[str, Any] = _argument("string", "Text that takes its place; may be empty.")


def _closed(required: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **_EXPECTED},
        "required": list(required),
        "additionalProperties": False,
    }


WRITE_INPUT_SCHEMA: Final[dict[str, Any]] = _closed(
    {
        "path": _CHANGED_PATH,
        "content": _argument("string", "The whole content of the file."),
    }
)

EDIT_INPUT_SCHEMA: Final[dict[str, Any]] = _closed(
    {"path": _CHANGED_PATH, "old_string": _OLD_STRING, "new_string": _NEW_STRING}
)

MULTI_EDIT_INPUT_SCHEMA: Final[dict[str, Any]] = _closed(
    {
        "path": _CHANGED_PATH,
        "edits": {
            **_argument("array", "Edits of the file as it is now; they must not overlap."),
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"old_string": _OLD_STRING, "new_string": _NEW_STRING},
                "required": ["old_string", "new_string"],
                "additionalProperties": False,
            },
        },
    }
)

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

_CHANGING_ERROR_CODES: Final[tuple[ErrorCode, ...]] = (
    *LS_ERROR_CODES,
    "PERMISSION_DENIED",
    "EXECUTION_ERROR",
    "CONFLICT",
    "IS_DIRECTORY",
)
_CHANGED: Final[dict[str, Schema]] = {
    "applied": {"type": "boolean", "description": "Whether the change is proposed."},
    "diff_preview": {"type": "string", "description": "For the model; it is no patch."},
    "diff_truncated": _BOOLEAN,
}
_CHANGED_COUNTERS: Final[dict[str, Schema]] = dict.fromkeys(
    ("bytes_written", "original_size", "new_size", "lines_added", "lines_removed"), _COUNT
)
_DRY_RUN: Final[dict[str, Schema]] = {"dry_run": {"const": True}}

WRITE_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Write",
    _CHANGING_ERROR_CODES,
    data={**_CHANGED, "operation": {"enum": ["create", "update"]}},
    optional_data=_DRY_RUN,
    counters=_CHANGED_COUNTERS,
)
"""The schema of an answer of `Write`."""

EDIT_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Edit",
    (*_CHANGING_ERROR_CODES, "BINARY_FILE"),
    data={**_CHANGED, "replacements": {"const": 1}},
    optional_data=_DRY_RUN,
    counters=_CHANGED_COUNTERS,
)
"""The schema of an answer of `Edit`."""

MULTI_EDIT_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "MultiEdit",
    (*_CHANGING_ERROR_CODES, "BINARY_FILE"),
    data={
        **_CHANGED,
        "replacements": {"type": "integer", "minimum": 1},
        "failed_index": {"type": "null"},
    },
    optional_data=_DRY_RUN,
    error_data={"failed_index": _COUNT},
    counters=_CHANGED_COUNTERS,
)
"""The schema of an answer of `MultiEdit`."""
