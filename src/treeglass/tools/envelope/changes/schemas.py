"""The published schemas of the envelope tools that change: arguments and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treeglass.tools.envelope.envelope_schema import (
    COUNT,
    LS_ERROR_CODES,
    Schema,
    tool_output_schema,
)
from treeglass.tools.envelope.schemas import BOOLEAN, argument, flag

if TYPE_CHECKING:
    from treeglass.tools.envelope.envelope_building import ErrorCode

_EXPECTED: dict[str, Any] = {
    "expected_mtime_ms": argument(
        "integer",
        "Time of the file that is changed, from stats.file_mtime_ms of a Read; "
        "by default that of the last Read.",
    ),
    "expected_size_bytes": argument(
        "integer",
        "Size of the file that is changed, from stats.file_size_bytes of a Read; "
        "by default that of the last Read.",
    ),
    "dry_run": flag("Whether to show only what would change."),
}
_CHANGED_PATH: dict[str, Any] = argument("string", "File, relative to the project root.")
# Not every strict host knows a bound for a text's length; the tool refuses an empty one.
_OLD_STRING: dict[str, Any] = argument(
    "string",
    "Exact text to replace, without line numbers. It must occur once in the file: "
    "include 2 to 5 lines around it.",
)
_NEW_STRING: dict[str, Any] = argument("string", "Text that takes its place; may be empty.")


def _closed(required: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **_EXPECTED},
        "required": list(required),
        "additionalProperties": False,
    }


WRITE_INPUT_SCHEMA: Final[dict[str, Any]] = _closed(
    {"path": _CHANGED_PATH, "content": argument("string", "The whole content of the file.")}
)

EDIT_INPUT_SCHEMA: Final[dict[str, Any]] = _closed(
    {"path": _CHANGED_PATH, "old_string": _OLD_STRING, "new_string": _NEW_STRING}
)

MULTI_EDIT_INPUT_SCHEMA: Final[dict[str, Any]] = _closed(
    {
        "path": _CHANGED_PATH,
        "edits": {
            **argument("array", "Edits of the file as it is now; they must not overlap."),
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
    "diff_truncated": BOOLEAN,
}
_CHANGEDCOUNTERS: Final[dict[str, Schema]] = dict.fromkeys(
    ("bytes_written", "original_size", "new_size", "lines_added", "lines_removed"), COUNT
)
_DRY_RUN: Final[dict[str, Schema]] = {"dry_run": {"const": True}}

WRITE_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Write",
    _CHANGING_ERROR_CODES,
    data={**_CHANGED, "operation": {"enum": ["create", "update"]}},
    optional_data=_DRY_RUN,
    counters=_CHANGEDCOUNTERS,
)

EDIT_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "Edit",
    (*_CHANGING_ERROR_CODES, "BINARY_FILE"),
    data={**_CHANGED, "replacements": {"const": 1}},
    optional_data=_DRY_RUN,
    counters=_CHANGEDCOUNTERS,
)

MULTI_EDIT_OUTPUT_SCHEMA: Final[Schema] = tool_output_schema(
    "MultiEdit",
    (*_CHANGING_ERROR_CODES, "BINARY_FILE"),
    data={
        **_CHANGED,
        "replacements": {"type": "integer", "minimum": 1},
        "failed_index": {"type": "null"},
    },
    optional_data=_DRY_RUN,
    error_data={"failed_index": COUNT},
    counters=_CHANGEDCOUNTERS,
)
