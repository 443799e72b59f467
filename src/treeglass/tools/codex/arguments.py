"""The arguments of the codex tools that only read: models, and their schemas.

Specified in codex.md 1.2, 2.1, 3.1 and 4, and in docs/tools/grep_files.md.
Depends on no directory and no file: `run` checks the ranges.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import InvalidArguments
from treeglass.tools.codex.errors import PARSE_PREFIX

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments
    from treeglass.config import Config

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


class CodexArgs(BaseModel):
    """Arguments as the original reads them: strict types, unknown keys ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    def written(self) -> dict[str, Any]:
        """Return the known arguments that the caller wrote, without nulls, for the next call."""
        return self.model_dump(exclude_unset=True, exclude_none=True)


class ListDirArgs(CodexArgs):
    """Arguments of `list_dir` (codex.md 2.1)."""

    dir_path: str = Field(description="Absolute path of the directory to list.")
    offset: Unsigned = Field(
        default=1, description="Number of the entry to begin at; 1 is the first."
    )
    limit: Unsigned = Field(default=25, description="Most entries to return.")
    depth: Unsigned = Field(
        default=2, description="How many levels to descend at most; 1 lists the directory alone."
    )


class IndentationArgs(CodexArgs):
    """The growth of a block in indentation mode (codex.md 3.1); some defaults are configured."""

    anchor_line: Unsigned | None = Field(
        default=None, description="Line that the block grows around; the offset by default."
    )
    max_levels: Unsigned = Field(
        default=4, description="How many enclosing, less indented levels to include; 0 for all."
    )
    include_siblings: bool = Field(
        default=False,
        description="Whether to include further blocks with the anchor's indentation.",
    )
    include_header: bool = Field(
        default=False,
        description="Whether to include comments or attributes right above the block.",
    )
    max_lines: Unsigned | None = Field(
        default=None, description="Most lines to return in indentation mode; the limit by default."
    )


class ReadFileArgs(CodexArgs):
    """Arguments of `read_file` (codex.md 3.1)."""

    file_path: str = Field(description="Absolute path of the file to read.")
    offset: Unsigned = Field(
        default=1, description="Number of the line to begin at; 1 is the first."
    )
    limit: Unsigned = Field(default=2000, description="Most lines to return.")
    mode: Literal["slice", "indentation"] = Field(
        default="slice",
        description=(
            'Optional: "slice" for a plain range of lines, the default, or "indentation" '
            "for the block around an anchor line."
        ),
    )
    indentation: IndentationArgs | None = None


MAX_LIMIT = 2000
"""Most paths of one answer; a larger `limit` counts as this."""


class GrepFilesArgs(CodexArgs):
    """Arguments of `grep_files`."""

    pattern: str = Field(description="Regular expression that a line has to match.")
    include: str | None = Field(
        default=None,
        description='Optional glob for the files to search, such as "*.rs" or "*.{ts,tsx}".',
    )
    path: str | None = Field(
        default=None, description="Directory or file to search; the working directory by default."
    )
    limit: Unsigned = Field(default=100, description="Most paths to return, 100 by default.")


LIST_DIR_EXAMPLE: Final = {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}
READ_FILE_EXAMPLE: Final = {"file_path": "/repo/main.py", "offset": 1, "limit": 200}
GREP_FILES_EXAMPLE: Final = {
    "pattern": "class Main",
    "include": "*.py",
    "path": "/repo/src",
    "limit": 100,
}
_BLOCK_EXAMPLE = {
    "file_path": "/repo/main.py",
    "mode": "indentation",
    "indentation": {"anchor_line": 10},
}


def parse_read_file(arguments: ToolArguments, config: Config) -> ReadFileArgs:
    """Return validated arguments; `indentation` is checked even if the mode ignores it."""
    is_block = "indentation" in arguments.values
    example = _BLOCK_EXAMPLE if is_block else READ_FILE_EXAMPLE
    return parse(ReadFileArgs, example, arguments, config)


ArgsT = TypeVar("ArgsT", bound=CodexArgs)


def parse(
    model: type[ArgsT], example: Mapping[str, object], arguments: ToolArguments, _config: Config
) -> ArgsT:
    """Return validated arguments, or name each known field that is missing, repeated or refused.

    Implements codex.md 1.2; the words after its prefix are ours, and end with the example.
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
    raise refusal(sentences, example)


def refusal(sentences: Iterable[str], example: Mapping[str, object]) -> InvalidArguments:
    """Return the refusal of arguments; see `parse`."""
    expected = json.dumps(example)
    return InvalidArguments(
        f"{PARSE_PREFIX}{'; '.join(sentences)}; expected for example {expected}"
    )


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
            sentence += f", not {echo_of(fault['input'])}"
        sentences.append(sentence)
    return sentences


def echo_of(value: object) -> str:
    """Return what stands for a refused argument in a sentence."""
    # ASCII JSON, so that the echo can neither forge nor hide anything.
    echo = json.dumps(value)
    return f"{echo[:_MAX_ECHO_CHARS]}{'...' if len(echo) > _MAX_ECHO_CHARS else ''}"


def input_schema(model: type[CodexArgs]) -> dict[str, Any]:
    """Return the published JSON schema of an arguments model.

    Implements codex.md 4: numbers are of type `number`, and there are no
    bounds, defaults or enumerations. Not by pydantic's own schemas, which say all of these,
    and whose code a page would fetch.
    """
    properties = {}
    for name, field in model.model_fields.items():
        described = {} if field.description is None else {"description": field.description}
        properties[name] = {**_type_schema(field.annotation), **described}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required := [name for name, field in model.model_fields.items() if field.is_required()]:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


_JSON_TYPES: Final[dict[Any, str]] = {str: "string", int: "number", bool: "boolean"}


def _type_schema(annotation: Any) -> dict[str, Any]:
    if get_origin(annotation) is Literal:
        return {"type": "string"}
    if get_origin(annotation) in {Annotated, Union, UnionType}:
        # Of an optional argument: None is its other type, and no caller may send it.
        return _type_schema(get_args(annotation)[0])
    if annotation in _JSON_TYPES:
        return {"type": _JSON_TYPES[annotation]}
    return input_schema(annotation)
