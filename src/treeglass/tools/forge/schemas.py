"""The published schemas of the forge tools: arguments, and the answer of `list_directory`."""

from __future__ import annotations

from typing import Any, Final

from treeglass.tools.forge.arguments import DEFAULT_PATHS, MAX_PATHS
from treeglass.tools.forge.walk import ERROR_TEXTS

LIST_DIRECTORY_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "recursive": {"type": "boolean", "default": False},
        "max_depth": {"type": "integer", "minimum": 1},
        "max_entries": {"type": "integer", "minimum": 1},
        "include_hidden": {"type": "boolean", "default": False},
        "include_files": {"type": "boolean", "default": True},
        "include_dirs": {"type": "boolean", "default": True},
        "include_symlinks": {"type": "boolean", "default": True},
        "include_other": {"type": "boolean", "default": False},
    },
    "required": ["path"],
}
"""The normative schema of FR-LD-VAL, as it is published."""

_ENTRY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "File name (last path component)"},
        "path": {
            "type": "string",
            "description": "Relative path from the requested root (forward slashes)",
        },
        "depth": {"type": "integer", "minimum": 1},
        "type": {"enum": ["file", "dir", "symlink", "other", "unknown"]},
        "size_bytes": {"type": ["integer", "null"], "minimum": 0},
        "modified_epoch_ms": {"type": ["integer", "null"], "minimum": 0},
        "is_hidden": {"type": "boolean"},
        "error_code": {"enum": [*ERROR_TEXTS, None]},
        "error": {"type": ["string", "null"]},
    },
    "additionalProperties": False,
}
_ENTRY_SCHEMA["required"] = list(_ENTRY_SCHEMA["properties"])

LIST_DIRECTORY_OUTPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "Normalized requested path"},
        "entries": {"type": "array", "items": _ENTRY_SCHEMA},
        "returned": {"type": "integer", "minimum": 0},
        "max_entries": {"type": "integer", "minimum": 1},
        "truncated": {"type": "boolean"},
        "truncated_reason": {"enum": ["max_entries", "max_output_bytes", None]},
    },
    "additionalProperties": False,
}
"""JSON Schema of the answer's object."""
LIST_DIRECTORY_OUTPUT_SCHEMA["required"] = list(LIST_DIRECTORY_OUTPUT_SCHEMA["properties"])


def _argument(json_type: str, description: str, **rest: object) -> dict[str, Any]:
    return {"type": json_type, **rest, "description": description}


def _switch(description: str, *, default: bool = False) -> dict[str, Any]:
    return _argument("boolean", description, default=default)


def _globs(description: str) -> dict[str, Any]:
    return _argument("array", description, items={"type": "string"})


def _count(description: str, minimum: int = 1, **rest: int) -> dict[str, Any]:
    return _argument("integer", description, minimum=minimum, **rest)


READ_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": _argument("string", "File to read."),
        "start_line": _count("First line to return; the first of the file by default."),
        "end_line": _count("Last line to return; the last of the file by default."),
        "line_numbers": _switch("Whether each line begins with its number.", default=True),
    },
    "required": ["path"],
}

GLOB_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": _argument(
            "string", 'Glob for paths below the directory, such as "src/**/*.{ts,tsx}".'
        ),
        "path": _argument("string", "Directory to look in.", default="."),
        "hidden": _switch("Whether hidden files and directories count."),
        "limit": _argument(
            "integer", f"Most paths to return, 1 to {MAX_PATHS}.", default=DEFAULT_PATHS
        ),
    },
    "required": ["pattern"],
    "additionalProperties": False,
}

SEARCH_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": _argument("string", "Regular expression that a line has to match.", minLength=1),
        "path": _argument("string", "Directory or file to search.", default="."),
        "case": _argument(
            "string",
            "Whether case counts; smart: if the pattern has a capital letter.",
            enum=["smart", "sensitive", "insensitive"],
            default="smart",
        ),
        "fixed_strings": _switch("Whether the pattern is a text and no expression."),
        "word_regexp": _switch("Whether only whole words match."),
        "include_glob": _globs('Globs for the paths to search, such as "*.py"; * crosses slashes.'),
        "exclude_glob": _globs("Globs for the paths to leave out."),
        "glob": _globs("Another name of include_glob, which wins."),
        "recursive": _switch("Whether directories below are searched.", default=True),
        "hidden": _switch("Whether hidden files are searched."),
        "follow": _switch("Whether symbolic links are followed."),
        "no_ignore": _switch("Whether ignore files do not count."),
        "context": _count("Lines to show around each match.", 0, default=0),
        "max_results": _count("Most matches and context lines to return.", default=200),
        "max_matches_per_file": _count(
            "Most matching lines of one file, up to the configured cap."
        ),
        "max_files": _count("Most files to search, up to the configured cap."),
        "max_file_size_bytes": _count("Largest file to search, up to the configured cap."),
        "timeout_ms": _count("How long the search may take.", default=20_000),
    },
    "required": ["pattern"],
    "additionalProperties": False,
}
