"""The arguments of `list_directory`: schema, defaults, checks, and the words for a mistake.

The only place that parses arguments. Its result has a value for every argument,
and no path has been touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import InvalidArguments
from treeglass.tools.forge.canonical_json import encode_canonical
from treeglass.tools.forge.requested_path import normalize_path, shown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from treeglass.config import Config
    from treeglass.tool import ToolArguments

INPUT_SCHEMA: dict[str, Any] = {
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

AtLeastOne = Annotated[int, Field(ge=1)]


class ListDirectoryArgs(BaseModel):
    """Effective arguments: each from the call, or else from the configuration.

    Strict: a boolean or `2.0` is not an integer, and null is never accepted.
    Unknown arguments are ignored.
    """

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


def parse_arguments(arguments: ToolArguments, config: Config) -> ListDirectoryArgs:
    """Return the effective arguments of a call, without touching the tree.

    Implements FR-LD-VAL-01 to FR-LD-VAL-06b, FR-LD-VAL-10 and CFG-LD-01 to
    CFG-LD-05.

    Raises:
        InvalidArguments: The arguments break the schema or a limit; the text
            names every argument at fault.
    """
    values = arguments.values
    defaults = default_values(config, is_recursive=values.get("recursive") is True)
    try:
        args = ListDirectoryArgs.model_validate({**defaults, **values})
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
        raise InvalidArguments("; ".join(map(_sentence, faults))) from None
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


_EXPECTED = {
    "string_type": "a string",
    "bool_type": "true or false",
    "int_type": "an integer",
    "greater_than_equal": "at least 1",
}


def _sentence(fault: ErrorDetails) -> str:
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] == "missing":
        return f"{name} is missing; give the directory to list, '.' for the working directory"
    expected = _EXPECTED.get(fault["type"], "what the input schema says")
    return f"{name} must be {expected}, not {shown(encode_canonical(fault['input']))}"
