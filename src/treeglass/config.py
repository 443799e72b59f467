"""The configuration: one TOML document, as models that refuse unknown keys.

Every table and key is optional; a missing key has the default shown here. The
same document may come as an object from JavaScript.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeglass.errors import ConfigInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

PositiveInt = Annotated[int, Field(gt=0, strict=True)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]

CODEX_TOOLS = ("list_dir", "read_file")
"""The tools that `experimental_supported_tools` offers."""

OtherTool = Literal["LS", "Read", "Glob", "Grep", "list_directory"]
"""The tools that `offered` offers."""


class Table(BaseModel):
    """A table of the document: frozen, strict, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SandboxTable(Table):
    """`[tools.sandbox]`: what `list_directory` may list."""

    allowed_roots: list[str] = Field(default=["."], min_length=1)
    """Directories, relative to the project root unless they are absolute."""
    denied_patterns: list[str] = []
    """Globs over canonical absolute paths; a path that matches is refused."""
    allow_absolute: bool = False
    """Whether a call may name an absolute path."""
    include_default_denies: bool = True
    """Whether the built-in patterns for keys and credentials are added."""


class ApprovalTable(Table):
    """`[tools.approval]`: which calls run, for every tool."""

    enabled: bool = True
    """Whether any call runs at all."""
    mode: Literal["auto", "prompt", "deny"] = "prompt"
    """`auto` runs every tool that is not denied, `prompt` asks a person if a tool
    or a side effect demands it, `deny` runs only the tools of the allowlist."""
    allowlist: list[str] = []
    denylist: list[str] = ["run_command"]
    prompt_side_effects: bool = True
    """Whether `prompt` asks for tools with side effects that are not on the allowlist."""


class TimeoutsTable(Table):
    """`[tools.timeouts]`, in seconds."""

    default_seconds: Seconds = 30.0
    file_operations_seconds: Seconds = 30.0
    shell_commands_seconds: Seconds = 300.0


class OutputTable(Table):
    """`[tools.output]`: how answers are bounded and spelled, for every tool."""

    max_bytes: PositiveInt = 102_400
    """Most UTF-8 bytes of one answer, unless the call says otherwise."""
    escape_names: bool = True
    """Whether hostile characters of file names are spelled out in text."""


class ListDirectoryTable(Table):
    """`[tools.list_directory]` (CFG-LD-01 to CFG-LD-05)."""

    max_entries: PositiveInt = 200
    max_depth: PositiveInt = 4
    include_hidden_default: bool = False
    include_symlinks_default: bool = True
    include_files_default: bool = True
    include_dirs_default: bool = True
    include_other_default: bool = False


class ListDirTable(Table):
    """`[tools.list_dir]`."""

    revision: Literal["sorted-then-paged", "paged-then-sorted"] = "sorted-then-paged"
    """Which of the tool's two historic orders of sorting and paging is used."""


class ReadFileTable(Table):
    """`[tools.read_file]`: defaults of indentation mode."""

    max_levels_default: Annotated[int, Field(ge=0, strict=True)] = 4
    include_header_default: bool = False


class GlobTable(Table):
    """`[tools.glob]`: when a search by `Glob` ends early."""

    max_visited_entries: PositiveInt = 20_000
    """Directories and files that one call looks at."""
    max_seconds: Seconds = 30.0
    """How long one call searches, if a call may take longer at all."""


class ToolsTable(Table):
    """`[tools]`."""

    mode: Literal["enabled", "parse_only", "disabled"] = "enabled"
    """`parse_only` validates arguments and runs nothing, `disabled` refuses every call."""
    experimental_supported_tools: list[str] = list(CODEX_TOOLS)
    """Which of `list_dir` and `read_file` are offered. Other names are allowed and
    ignored, since model catalogues list tools of other programs too."""
    offered: list[OtherTool] = list(get_args(OtherTool))
    """Which of the other tools are offered."""
    max_tool_args_bytes: PositiveInt = 262_144
    """Most bytes of a call's arguments as JSON."""
    sandbox: SandboxTable = SandboxTable()
    approval: ApprovalTable = ApprovalTable()
    timeouts: TimeoutsTable = TimeoutsTable()
    output: OutputTable = OutputTable()
    list_directory: ListDirectoryTable = ListDirectoryTable()
    list_dir: ListDirTable = ListDirTable()
    read_file: ReadFileTable = ReadFileTable()
    glob: GlobTable = GlobTable()


class Config(Table):
    """The whole configuration; everything has a default.

    Example:
        >>> Config.from_toml("tools.output.max_bytes = 1500").tools.output.max_bytes
        1500
        >>> Config.from_object({"tools": {"offers": []}})
        Traceback (most recent call last):
        treeglass.errors.ConfigInvalid: tools.offers: unknown key
    """

    tools: ToolsTable = ToolsTable()

    @classmethod
    def from_object(cls, document: Mapping[str, object]) -> Config:
        """Return the configuration in a mapping of tables.

        Raises:
            ConfigInvalid: A key is unknown or a value is refused; the text
                names every such key.
        """
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            raise ConfigInvalid("; ".join(_sentences(error))) from None

    @classmethod
    def from_toml(cls, text: str) -> Config:
        """Return the configuration in a TOML document.

        Raises:
            ConfigInvalid: It is not TOML, a key is unknown, or a value is refused.
        """
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigInvalid(f"not a TOML document: {error}") from None
        return cls.from_object(document)


def _sentences(error: ValidationError) -> list[str]:
    sentences = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        key = ".".join(map(str, fault["loc"])) or "the configuration"
        what = "unknown key" if fault["type"] == "extra_forbidden" else fault["msg"]
        sentences.append(f"{key}: {what}")
    return sentences
