"""Argument parsing, error sentences and cut text of the codex tools.

Nothing here depends on directories or files; each tool has its own module.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import (
    CallTimedOut,
    InternalFault,
    InvalidArguments,
    LimitExceeded,
    TreeglassError,
    WorkspaceError,
)
from treeglass.tool import ToolArguments, ToolFailure, ToolResult
from treeglass.utf8 import cut_to_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treeglass.tool import ToolContext

FAMILY = "codex"
MAX_SHOWN_BYTES = 500
"""Most UTF-8 bytes of one line or name that are shown (codex.md 1.6)."""

_PARSE_PREFIX = "failed to parse function arguments: "
_MAX_ECHO_CHARS = 40
_MAX_UNSIGNED = 2**64 - 1

Unsigned = Annotated[int, Field(ge=0, le=_MAX_UNSIGNED)]
"""A whole number of 64 bits; strict, so that `1.0` and `true` are refused."""

_WHOLE_NUMBER = f"must be a whole number between 0 and {_MAX_UNSIGNED}, without a decimal point"
_FAULTS = {
    "missing": "is missing",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "literal_error": 'must be "slice" or "indentation"',
    "model_type": "must be an object or null",
}


class RespondToModel(TreeglassError):
    """A codex tool's own refusal; its text is what the model reads."""


class CodexArgs(BaseModel):
    """Arguments as the original reads them: strict types, unknown keys ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    def written(self) -> dict[str, Any]:
        """Return the known arguments that the caller wrote, without nulls.

        The published input schema refuses unknown keys and nulls, and the result
        goes into the next call.
        """
        return self.model_dump(exclude_unset=True, exclude_none=True)


ArgsT = TypeVar("ArgsT", bound=CodexArgs)


def parse_model(model: type[ArgsT], arguments: ToolArguments, *, example: str) -> ArgsT:
    """Return validated arguments.

    Implements codex.md 1.2; the words after its prefix are ours.

    Args:
        model: The arguments model.
        arguments: What the model sent.
        example: JSON of a correct call, which ends the message.

    Raises:
        InvalidArguments: A known field is missing, repeated or refused. The
            text names every such field.
    """
    # The fields of the model take longer than the rest of parsing a correct call.
    repeated = arguments.repeated_keys
    twice = sorted(repeated & _field_names(model)) if repeated else []
    sentences = [f"`{name}` is given twice" for name in twice]
    try:
        args = model.model_validate(arguments.values)
    except ValidationError as error:
        sentences += _fault_sentences(error)
    else:
        if not sentences:
            return args
    raise InvalidArguments(f"{_PARSE_PREFIX}{'; '.join(sentences)}; expected for example {example}")


def _field_names(model: type[BaseModel]) -> set[str]:
    names = set(model.model_fields)
    for field in model.model_fields.values():
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                names |= _field_names(part)
    return names


def _fault_sentences(error: ValidationError) -> list[str]:
    sentences = []
    for fault in error.errors(include_url=False, include_context=False):
        name = ".".join(map(str, fault["loc"]))
        sentence = f"`{name}` {_FAULTS.get(fault['type'], _WHOLE_NUMBER)}"
        if fault["type"] != "missing":
            # ASCII JSON, so that the echo can neither forge nor hide anything.
            echo = json.dumps(fault["input"])
            is_long = len(echo) > _MAX_ECHO_CHARS
            sentence += f", not {echo[:_MAX_ECHO_CHARS]}{'...' if is_long else ''}"
        sentences.append(sentence)
    return sentences


def object_schema(
    model: type[CodexArgs], types: Mapping[str, str], *, required: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the published JSON schema of an arguments model.

    Implements codex.md 4: numbers are of type `number`, and there are no
    bounds, defaults or enumerations.

    Args:
        model: Gives the descriptions of the fields.
        types: JSON type of each field, in the published order.
        required: Required fields; without any, the keyword is left out.
    """
    properties: dict[str, dict[str, Any]] = {}
    for name, json_type in types.items():
        description = model.model_fields[name].description
        properties[name] = {"type": json_type}
        if description is not None:
            properties[name]["description"] = description
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False}


def report(
    error: Exception, context: ToolContext, *, tool_name: str, failed_to: str, limit_hint: str
) -> ToolResult:
    """Return the error answer for an exception of `treeglass.errors`, within the budget.

    Args:
        error: The exception that ended the call.
        context: Of the call.
        tool_name: For the sentence about a timeout.
        failed_to: The failed action, such as `read directory`.
        limit_hint: Advice if a limit or the time was exceeded.
    """
    message = context.cut_error(_message(error, tool_name, failed_to, limit_hint))
    return ToolResult(content=message, error=ToolFailure("RespondToModel", message))


def _message(error: Exception, tool_name: str, failed_to: str, limit_hint: str) -> str:
    if isinstance(error, InvalidArguments):
        text = str(error)
        return text if text.startswith(_PARSE_PREFIX) else f"{_PARSE_PREFIX}{text}"
    if isinstance(error, LimitExceeded):
        return f"failed to {failed_to}: {error.limit} is {error.value:,}; {limit_hint}"
    if isinstance(error, WorkspaceError):
        return f"failed to {failed_to}: {error.linux_text}"
    if isinstance(error, CallTimedOut):
        return f"Tool '{tool_name}' {error}; {limit_hint}"
    return str(error) if isinstance(error, TreeglassError) else str(InternalFault())


def cut_text(text: str) -> str:
    """Return the longest prefix of whole code points that may be shown.

    Implements codex.md 1.6.
    """
    return cut_to_bytes(text, MAX_SHOWN_BYTES)


def counted(count: int, one: str, many: str) -> str:
    """Return a count with its noun and verb: `1 name is`, `1,200 names are`."""
    return f"1 {one}" if count == 1 else f"{count:,} {many}"
