"""`Search`: the lines that match a regular expression, as one JSON object.

Specified in forge_search.md, the way of ripgrep.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from treeglass.errors import InvalidArguments
from treeglass.summary import summarize
from treeglass.tool import Tool, ToolArguments, ToolContext, ToolResult
from treeglass.tools.forge.sibling_arguments import (
    SiblingArgs,
    Size,
    Word,
    parse_model,
    report_failure,
)

if TYPE_CHECKING:
    from treeglass.config import Config

NAME = "Search"


def _switch(description: str, *, default: bool = False) -> dict[str, Any]:
    return {"type": "boolean", "default": default, "description": description}


def _globs(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _count(description: str, minimum: int = 1, **rest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": minimum, **rest, "description": description}


INPUT_SCHEMA: dict[str, Any] = {
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


class SearchArgs(SiblingArgs):
    """The arguments of one call; None for an optional one that is absent."""

    pattern: str
    path: str | None = None
    case: str | None = None
    fixed_strings: bool = False
    word_regexp: bool = False
    include_glob: list[str] | None = None
    exclude_glob: list[str] | None = None
    glob: list[str] | None = None
    recursive: bool = True
    hidden: bool = False
    follow: bool = False
    no_ignore: bool = False
    context: Word | None = None
    max_results: Size | None = None
    max_matches_per_file: Size | None = None
    max_files: Size | None = None
    max_file_size_bytes: Size | None = None
    timeout_ms: Size | None = None
    fuzzy: Word | None = None


def parse_arguments(arguments: ToolArguments, _config: object) -> SearchArgs:
    """Return validated arguments; what they mean is checked by `run`.

    Raises:
        InvalidArguments: A field is missing, unknown or of the wrong type.
    """
    unknown = sorted(set(arguments.values) - set(SearchArgs.model_fields))
    if unknown:
        raise InvalidArguments(f"unknown argument {unknown[0]!r}")
    return parse_model(SearchArgs, arguments)


def run(args: SearchArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the matches; see `search_run.run`."""
    # Imported late: a page that never searches does not fetch it.
    from treeglass.tools.forge.searching import search_run  # noqa: PLC0415

    return search_run.run(args, context)


def approval_summary(args: SearchArgs, config: Config) -> str:
    """Return `Search <path> for <pattern>`."""
    is_escaped = config.tools.output.escape_names
    return summarize("Search ", args.path or ".", is_escaped=is_escaped, pattern=args.pattern)


SEARCH = Tool(
    name=NAME,
    title="Search in files",
    description=(
        "Find the lines of files that match a regular expression or a text. Only pattern is "
        "required. To find files by name, use a tool that matches paths."
    ),
    family="forge",
    input_schema=INPUT_SCHEMA,
    parse_arguments=parse_arguments,
    run=run,
    report_error=partial(report_failure, tool=NAME),
    approval_summary=approval_summary,
    risk_level="medium",
)
