"""The arguments of the forge tools that only read: models, defaults, mistakes and summaries.

What arguments mean to a tree is checked by `run`. The published schemas are in `schemas`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import InvalidArguments
from treeglass.summary import summarize
from treeglass.tools.forge.canonical_json import encode_canonical
from treeglass.tools.forge.requested_path import normalize_path, shown

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments
    from treeglass.config import Config

MAX_WORD: Final = 2**32 - 1
"""The largest number that the original holds where it counts lines."""

Word = Annotated[int, Field(ge=0, le=MAX_WORD)]
"""A whole number of 32 bits; strict, so that `1.0` and `true` are refused."""

Size = Annotated[int, Field(ge=0, le=2**64 - 1)]
"""A whole number of 64 bits, as strict."""

AtLeastOne = Annotated[int, Field(ge=1)]

DEFAULT_PATHS: Final = 1000
"""Paths of an answer of `Glob` by default."""

MAX_PATHS: Final = 10_000
"""Most paths of one answer of `Glob`; a larger `limit` counts as this."""


class ListDirectoryArgs(BaseModel):
    """Effective arguments, strict: each from the call, or else from the configuration."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    path: str
    """The requested path, normalised."""
    recursive: bool
    max_depth: AtLeastOne
    """Depth of the deepest entry; children of the requested directory have 1."""
    max_entries: AtLeastOne
    include_hidden: bool
    include_files: bool
    include_dirs: bool
    include_symlinks: bool
    include_other: bool

    @property
    def types(self) -> frozenset[str]:
        """The entry types that are asked for, as the answer spells them."""
        asked = {
            "file": self.include_files,
            "dir": self.include_dirs,
            "symlink": self.include_symlinks,
            "other": self.include_other,
        }
        return frozenset(name for name, is_included in asked.items() if is_included)


class FileArgs(BaseModel):
    """Arguments of all tools but `list_directory`: strict types, unknown keys ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", populate_by_name=True)

    def written(self) -> dict[str, Any]:
        """Return the known arguments that the caller wrote, without nulls."""
        return self.model_dump(exclude_unset=True, exclude_none=True)


class ReadArgs(FileArgs):
    """The arguments of one call."""

    path: str
    start_line: Word | None = None
    end_line: Word | None = None
    line_numbers: bool = Field(default=True)


class GlobArgs(FileArgs):
    """The arguments of one call."""

    pattern: str
    path: str | None = None
    hidden: bool = False
    limit: Size | None = None


class SearchArgs(FileArgs):
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


def parse_list_directory(arguments: ToolArguments, config: Config) -> ListDirectoryArgs:
    """Return the effective arguments of a call, or name every one at fault; no tree is touched.

    Implements FR-LD-VAL-01 to FR-LD-VAL-06b, FR-LD-VAL-10 and CFG-LD-01 to CFG-LD-05.
    """
    values = arguments.values
    defaults = default_values(config, is_recursive=values.get("recursive") is True)
    try:
        args = ListDirectoryArgs.model_validate({**defaults, **values})
    except ValidationError as error:
        where = "; give the directory to list, '.' for the working directory"
        raise _refusal(error, _OF_LISTING, "what the input schema says", where) from None
    path = normalize_path(args.path, is_escaped=config.tools.output.escape_names)
    _refuse_depth(args, config.tools.list_directory.max_depth)
    _refuse_entries(args, config.tools.list_directory.max_entries)
    if not (args.include_files or args.include_dirs or args.include_symlinks):
        raise InvalidArguments(
            "at least one of include_files, include_dirs, include_symlinks must be true; "
            "set one of them to true"
        )
    return args.model_copy(update={"path": path})


def default_values(config: Config, *, is_recursive: bool) -> dict[str, Any]:
    """Return the default of each argument except `path`."""
    table = config.tools.list_directory
    return {
        "recursive": False,
        "max_depth": table.max_depth if is_recursive else 1,
        "max_entries": table.max_entries,
        "include_hidden": table.include_hidden_default,
        "include_files": table.include_files_default,
        "include_dirs": table.include_dirs_default,
        "include_symlinks": table.include_symlinks_default,
        "include_other": table.include_other_default,
    }


def _refuse_depth(args: ListDirectoryArgs, cap: int) -> None:
    asked = shown(str(args.max_depth))
    if not args.recursive and args.max_depth != 1:
        raise InvalidArguments(
            f"max_depth is {asked} but recursive is false; leave max_depth out or set it to 1, "
            "or set recursive to true"
        )
    if args.recursive and args.max_depth > cap:
        raise InvalidArguments(
            f"max_depth is {asked}, above the configured limit {cap}; "
            f"give at most {cap} and list a subdirectory to see deeper"
        )


def _refuse_entries(args: ListDirectoryArgs, cap: int) -> None:
    if args.max_entries > cap:
        raise InvalidArguments(
            f"max_entries is {shown(str(args.max_entries))}, above the configured limit {cap}; "
            f"give at most {cap} and list subdirectories one by one"
        )


def parse_search(arguments: ToolArguments, config: Config) -> SearchArgs:
    """Return validated arguments, or `InvalidArguments`; what they mean is checked by `run`."""
    unknown = sorted(set(arguments.values) - set(SearchArgs.model_fields))
    if unknown:
        raise InvalidArguments(f"unknown argument {unknown[0]!r}")
    return parse(SearchArgs, arguments, config)


ArgsT = TypeVar("ArgsT", bound=FileArgs)


def parse(model: type[ArgsT], arguments: ToolArguments, _config: Config) -> ArgsT:
    """Return validated arguments, or `InvalidArguments`; what they mean is checked by `run`."""
    try:
        return model.model_validate(arguments.values)
    except ValidationError as error:
        whole = f"a whole number from 0 to {MAX_WORD}, without a decimal point"
        raise _refusal(error, _OF_FILES, whole) from None


_OF_FILES: Final = {
    "string_type": "a string",
    "bool_type": "true or false",
    "list_type": "an array of strings",
}
_OF_LISTING: Final = {
    "string_type": "a string",
    "bool_type": "true or false",
    "int_type": "an integer",
    "greater_than_equal": "at least 1",
}


def _refusal(
    error: ValidationError, expected: Mapping[str, str], otherwise: str, if_missing: str = ""
) -> InvalidArguments:
    """Return the refusal of arguments, each told by what its kind of fault says it must be."""
    sentences = []
    for fault in error.errors(include_url=False, include_context=False):
        name = ".".join(map(str, fault["loc"]))
        if fault["type"] == "missing":
            sentences.append(f"{name} is missing{if_missing}")
        else:
            what = expected.get(fault["type"], otherwise)
            sentences.append(must_be(name, what, fault["input"]))
    return InvalidArguments("; ".join(sentences))


def must_be(name: str, what: str, given: object) -> str:
    """Return the sentence about an argument of a wrong type."""
    return f"{name} must be {what}, not {shown(encode_canonical(given))}"


def summarize_list_directory(args: ListDirectoryArgs, config: Config) -> str:
    """Return `List <path>`, with `[depth N]` for a recursive call (FR-LD-APPR)."""
    depth = f" [depth {args.max_depth}]" if args.recursive else ""
    return summarize("List ", args.path, config, behind=depth)


def summarize_read(args: ReadArgs, config: Config) -> str:
    """Return `Read <path>`, with ` lines <start>-<end>` for a range that has a start."""
    end = "" if args.end_line is None else args.end_line
    lines = "" if args.start_line is None else f" lines {args.start_line}-{end}"
    return summarize("Read ", args.path, config, behind=lines)
