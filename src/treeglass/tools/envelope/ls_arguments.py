"""The arguments of `LS`: the published schema, and the sentences for wrong ones.

Implements LSTool 2.0.0, section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import InvalidArguments
from treeglass.tools.envelope.arguments import summarize_call
from treeglass.tools.envelope.ignore import MAX_IGNORE_PATTERN_LENGTH, MAX_IGNORE_PATTERNS

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import ToolArguments

MAX_LIMIT = 200
"""Most entries of one page (LSTool 2.0.0, section 2.2)."""

DEFAULT_LIMIT = 100
"""Entries of a page by default (LSTool 2.0.0, section 2.2)."""


class LsArgs(BaseModel):
    """The arguments of one call; unknown keys are ignored (LSTool 2.0.0, section 2.2)."""

    model_config = ConfigDict(defer_build=True, extra="ignore", strict=True, frozen=True)

    path: str = Field(
        default=".",
        description="Directory path to list (relative to project root or absolute within it).",
    )
    offset: int = Field(default=0, ge=0, description="Pagination start index (>=0).")
    limit: int = Field(
        default=DEFAULT_LIMIT, ge=1, le=MAX_LIMIT, description="Max items to return (1-200)."
    )
    include_hidden: bool = Field(
        default=False, description="Whether to include hidden files (starting with '.')."
    )
    ignore: (
        Annotated[
            list[Annotated[str, Field(max_length=MAX_IGNORE_PATTERN_LENGTH)]],
            Field(max_length=MAX_IGNORE_PATTERNS),
        ]
        | None
    ) = Field(default=None, description="Optional list of glob patterns to ignore.")


# For each argument, in the order in which they are checked: the first wrong one is reported.
_SENTENCES = {
    "offset": "offset must be a non-negative integer.",
    "limit": f"limit must be an integer between 1 and {MAX_LIMIT}.",
    "ignore": "ignore must be a list of glob patterns.",
    "path": "path must be a string.",
    "include_hidden": "include_hidden must be true or false.",
}
_IGNORE_TOO_LONG = (
    f"ignore must hold at most {MAX_IGNORE_PATTERNS} patterns "
    f"of at most {MAX_IGNORE_PATTERN_LENGTH} characters each."
)


def parse_arguments(arguments: ToolArguments, config: Config) -> LsArgs:  # noqa: ARG001  # nothing of LS is configured
    """Return validated arguments.

    Raises:
        InvalidArguments: One of them is wrong; the sentence is about the first
            wrong one of offset, limit, ignore, path and include_hidden.
    """
    try:
        return LsArgs.model_validate(arguments.values)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
    kinds: dict[str, set[str]] = {}
    for fault in faults:
        kinds.setdefault(str(fault["loc"][0]), set()).add(fault["type"])
    wrong = next(name for name in _SENTENCES if name in kinds)
    if wrong == "ignore" and kinds[wrong] <= {"too_long", "string_too_long"}:
        raise InvalidArguments(_IGNORE_TOO_LONG)
    raise InvalidArguments(_SENTENCES[wrong])


def approval_summary(args: LsArgs, config: Config) -> str:
    """Return the summary for a person who approves the call."""
    return summarize_call("List the directory ", args.path, config)


def _argument(name: str, json_type: str, default: object, **bounds: object) -> dict[str, Any]:
    description = LsArgs.model_fields[name].description
    return {"type": json_type, "description": description, "default": default, **bounds}


INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": _argument("path", "string", "."),
        "offset": _argument("offset", "integer", 0, minimum=0),
        "limit": _argument("limit", "integer", DEFAULT_LIMIT, minimum=1, maximum=MAX_LIMIT),
        "include_hidden": _argument("include_hidden", "boolean", default=False),
        "ignore": _argument("ignore", "array", None, items={"type": "string"}),
    },
    "required": [],
}
