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

READ_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "File to read."},
        "start_line": {
            "type": "integer",
            "minimum": 1,
            "description": "First line to return; the first of the file by default.",
        },
        "end_line": {
            "type": "integer",
            "minimum": 1,
            "description": "Last line to return; the last of the file by default.",
        },
        "line_numbers": {
            "type": "boolean",
            "default": True,
            "description": "Whether each line begins with its number.",
        },
    },
    "required": ["path"],
}

GLOB_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": 'Glob for paths below the directory, such as "src/**/*.{ts,tsx}".',
        },
        "path": {
            "type": "string",
            "default": ".",
            "description": "Directory to look in.",
        },
        "hidden": {
            "type": "boolean",
            "default": False,
            "description": "Whether hidden files and directories count.",
        },
        "limit": {
            "type": "integer",
            "default": DEFAULT_PATHS,
            "description": f"Most paths to return, 1 to {MAX_PATHS}.",
        },
    },
    "required": ["pattern"],
    "additionalProperties": False,
}


def _switch(description: str, *, default: bool = False) -> dict[str, Any]:
    return {"type": "boolean", "default": default, "description": description}


def _globs(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _count(description: str, minimum: int = 1, **rest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": minimum, **rest, "description": description}


SEARCH_INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "minLength": 1,
            "description": "Regular expression that a line has to match.",
        },
        "path": {
            "type": "string",
            "default": ".",
            "description": "Directory or file to search.",
        },
        "case": {
            "type": "string",
            "enum": ["smart", "sensitive", "insensitive"],
            "default": "smart",
            "description": "Whether case counts; smart: if the pattern has a capital letter.",
        },
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
