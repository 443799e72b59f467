"""Parsing of the arguments of `Read`, `Glob` and `Search`, and their answers to mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import InvalidArguments
from treeglass.tools.forge.canonical_json import encode_canonical
from treeglass.tools.forge.requested_path import shown
from treeglass.tools.forge.tool_error import failed_call, within_budget

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from treeglass.tool import ToolArguments, ToolContext, ToolResult

MAX_WORD = 2**32 - 1
"""The largest number that the original holds where it counts lines."""

Word = Annotated[int, Field(ge=0, le=MAX_WORD)]
"""A whole number of 32 bits; strict, so that `1.0` and `true` are refused."""

Size = Annotated[int, Field(ge=0, le=2**64 - 1)]
"""A whole number of 64 bits, as strict."""

_EXPECTED = {
    "string_type": "a string",
    "bool_type": "true or false",
    "list_type": "an array of strings",
}


class SiblingArgs(BaseModel):
    """Arguments as the original reads them: strict types, unknown keys ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", populate_by_name=True)

    def written(self) -> dict[str, Any]:
        """Return the known arguments that the caller wrote, without nulls."""
        return self.model_dump(exclude_unset=True, exclude_none=True)


ArgsT = TypeVar("ArgsT", bound=SiblingArgs)


def parse_model(model: type[ArgsT], arguments: ToolArguments) -> ArgsT:
    """Return validated arguments.

    Raises:
        InvalidArguments: One is missing or of the wrong type; the text names each.
    """
    try:
        return model.model_validate(arguments.values)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
        raise InvalidArguments("; ".join(map(_sentence, faults))) from None


def _sentence(fault: ErrorDetails) -> str:
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] == "missing":
        return f"{name} is missing"
    expected = _EXPECTED.get(
        fault["type"], f"a whole number from 0 to {MAX_WORD}, without a decimal point"
    )
    return f"{name} must be {expected}, not {shown(encode_canonical(fault['input']))}"


def report_failure(error: Exception, context: ToolContext, *, tool: str) -> ToolResult:
    """Return the answer to a call that ended with an exception."""
    asked = context.arguments
    path = asked.get("path") if isinstance(asked, Mapping) else None
    result = failed_call(
        error, tool=tool, path=path if isinstance(path, str) else ".", as_system=True
    )
    if result.error is None or result.content.isprintable():
        return within_budget(result, context)
    # Imported late: most errors have nothing to take out.
    from treeglass.tools.forge.searching.sanitising import sanitized  # noqa: PLC0415

    message = sanitized(result.error.message)
    clean = replace(
        result, content=sanitized(result.content), error=replace(result.error, message=message)
    )
    return within_budget(clean, context)
