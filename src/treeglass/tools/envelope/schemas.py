"""The published schemas of the envelope tools that only read: arguments and answers.

The dialect is JSON Schema 2020-12. The answers of `LS` are in `envelope_schema`, whose published
document holds them.
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
)
from treeglass.tools.envelope.envelope_schema import (
    COUNT,
    LS_ERROR_CODES,
    PATH,
    Schema,
    tool_output_schema,
)

BOOLEAN: Schema = {"type": "boolean"}


def argument(json_type: str, description: str, **rest: object) -> dict[str, Any]:
    """Return the schema of one argument."""
    return {"type": json_type, "description": description, **rest}


def flag(description: str) -> dict[str, Any]:
    """Return the schema of an argument that is false by default."""
    return argument("boolean", description, default=False)


def _limit(things: str, default: int, most: int) -> dict[str, Any]:
    description = f"Max {things} to return (1-{most})."
    return argument("integer", description, default=default, minimum=1, maximum=most)


def _directory() -> dict[str, Any]:
    description = "Directory to search (relative to project root or absolute within it)."
    return argument("string", description, default=".")


LS_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": argument(
            "string",
            "Directory path to list (relative to project root or absolute within it).",
            default=".",
        ),
        "offset": argument("integer", "Pagination start index (>=0).", default=0, minimum=0),
        "limit": _limit("items", DEFAULT_ENTRIES, MAX_ENTRIES),
        "include_hidden": flag("Whether to include hidden files (starting with '.')."),
        "ignore": argument(
            "array",
            "Optional list of glob patterns to ignore.",
            default=None,
            items={"type": "string"},
        ),
    },
    "required": [],
}

READ_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": argument(
            "string", "File to read (relative to project root or absolute within it)."
        ),
        "start_line": argument(
            "integer", "Number of the first line to return (1-based).", default=1, minimum=1
        ),
        "limit": _limit("lines", DEFAULT_LINES, MAX_LINES),
    },
    "required": ["path"],
}

GLOB_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": argument(
            "string",
            "Glob relative to path, such as '**/*.py': '*' and '?' stay within one name, "
            "'**' crosses directories.",
        ),
        "path": _directory(),
        "limit": _limit("paths", DEFAULT_PATHS, MAX_PATHS),
        "include_hidden": flag("Whether to include names starting with '.'."),
        "include_ignored": flag("Whether to search directories such as node_modules and dist."),
    },
    "required": ["pattern"],
}

GREP_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": argument(
            "string", "Regular expression in Python's dialect, looked for in each line."
        ),
        "path": _directory(),
        "include": argument(
            "string",
            "Glob that the path of a file must match from the right, as '*.py'.",
            default=None,
        ),
        "case_sensitive": flag("Whether case counts."),
    },
    "required": ["pattern"],
}

READ_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Read",
    (*LS_ERROR_CODES, "IS_DIRECTORY", "BINARY_FILE"),
    data={
        "content": {"type": "string", "description": "The lines, each after its number."},
        "truncated": BOOLEAN,
    },
    optional_data={"fallback_encoding": {"const": "replace"}},
    counters={
        "lines_read": COUNT,
        "chars_read": COUNT,
        "total_lines": COUNT,
        "file_size_bytes": COUNT,
        "file_mtime_ms": {"type": "integer"},
        "encoding": {"enum": ["utf-8", "utf-8 (replace)"]},
    },
)

GLOB_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Glob",
    LS_ERROR_CODES,
    data={
        "paths": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "description": "Relative to the project root, with '/'.",
        },
        "truncated": BOOLEAN,
    },
    optional_data={"aborted_reason": {"enum": ["count_limit", "time_limit"]}},
    counters={"matched": COUNT, "visited": COUNT},
)

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
                    "file": PATH,
                    "line": {"type": "integer", "minimum": 1},
                    "text": {"type": "string", "description": "The line, without its end."},
                },
                "additionalProperties": False,
            },
        },
        "truncated": BOOLEAN,
        "fallback_used": {"const": True},
    },
    optional_data={"fallback_reason": {"const": "rg_not_found"}},
    counters={"matched_files": COUNT, "matched_lines": COUNT},
)
