"""The configuration: one TOML document, or an object of JavaScript, without unknown keys.

Every table and key is optional; a missing key has the default shown here.
"""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from treeglass.errors import ConfigInvalid
from treeglass.nearest_name import nearest_name
from treeglass.tool_names import (
    CODEX_TOOLS,
    FULL_NAMES,
    OF_CODEX,
    OF_OTHERS,
    TOOL_NAMES,
    names_in_configuration,
    read_by,
    spellings,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PositiveInt = Annotated[int, Field(gt=0, strict=True)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


if TYPE_CHECKING:
    OtherTool = str
    NamedTool = str
else:
    OtherTool = Literal[spellings(OF_OTHERS)]
    """The names that `offered` takes: with the family, or alone if that names one tool."""
    NamedTool = Literal[(*spellings(OF_OTHERS), *spellings(OF_CODEX))]
    """The names that `[tools.names]` takes."""

Family = Literal["codex", "envelope", "forge", "all"]
"""The values of `family`."""

FAMILIES: tuple[Family, ...] = get_args(Family)

DEFAULT_FAMILY: Family = "codex"
"""The tools that clients and servers offer if the configuration names none."""

PublicName = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{1,64}$")]


class Table(BaseModel):
    """A table of the document: frozen, strict, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SandboxTable(Table):
    """`[tools.sandbox]`: what `list_directory`, `Search` and Forge's `Read` and `Glob` may see."""

    allowed_roots: list[str] = Field(default=["."], min_length=1)
    """Directories, relative to the project root unless they are absolute."""
    denied_patterns: list[str] = []
    """Globs over canonical absolute paths; a path that matches is refused."""
    allow_absolute: bool = False
    """True if a call may name an absolute path."""
    include_default_denies: bool = True
    """True if the built-in patterns for keys and credentials are added."""


class ApprovalTable(Table):
    """`[tools.approval]`: which calls run, for every tool."""

    enabled: bool = True
    """True if any call runs at all."""
    mode: Literal["auto", "prompt", "deny"] = "prompt"
    """`auto` runs every tool that is not denied, `prompt` asks a person if a tool
    or a side effect demands it, `deny` runs only the tools of the allowlist."""
    allowlist: list[str] = []
    denylist: list[str] = ["run_command"]
    prompt_side_effects: bool = True
    """True if `prompt` asks for tools with side effects that are not on the allowlist."""


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
    """True if hostile characters of file names are spelled out in text."""


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
    """The order of sorting and paging: the tool has had two."""


class ReadFileTable(Table):
    """`[tools.read_file]`: defaults of indentation mode."""

    max_levels_default: Annotated[int, Field(ge=0, strict=True)] = 4
    include_header_default: bool = False


class GlobTable(Table):
    """`[tools.glob]`: when a search by `Glob` ends early."""

    max_visited_entries: PositiveInt = 20_000
    """Directories and files that one call looks at."""
    max_seconds: Seconds = 30.0
    """The time limit of one call's search, below the limit of the call."""


class ForgeReadTable(Table):
    """`[tools.forge_read]`: bounds of Forge's `Read`."""

    max_file_read_bytes: PositiveInt = 204_800
    """Largest file that is read without a range."""
    max_scan_bytes: Annotated[int, Field(ge=0, strict=True)] = 2_097_152
    """Most bytes from the start of a file to the end of a range."""
    sanitize: bool = True
    """True if escape sequences, invisible characters and what looks like a key are taken out."""


class EditTable(Table):
    """`[tools.edit]`: which paths the tools that change may change."""

    allow: list[str] = ["**"]
    """Globs over the path below its mount point; what none of them matches is refused."""
    deny: list[str] = ["**/.git", "**/.git/**"]
    """Globs over the same path; what one of them matches, whatever the case, is refused."""
    refresh_reads: bool = True
    """True if a file that was read, and that `Write`, `Edit` or `MultiEdit` changes, counts as
    read again. Otherwise the next change of it is a conflict until it is read."""


class SearchTable(Table):
    """`[tools.search]`: bounds of `Search`."""

    default_timeout_ms: PositiveInt = 20_000
    """The time limit of one call's search, if the call names none."""
    default_max_results: PositiveInt = 200
    """Matches and context lines of one answer, if the call says nothing."""
    max_matches_per_file: PositiveInt = 50
    """Lines that match, of one file; a call may ask for less."""
    max_files: PositiveInt = 10_000
    """Files that one call searches; a call may ask for less."""
    max_file_size_bytes: PositiveInt = 2_000_000
    """Largest file that is searched; a call may ask for less."""
    mask_keys: bool = True
    """True if what looks like a key is masked."""


class ToolsTable(Table):
    """`[tools]`."""

    mode: Literal["enabled", "parse_only", "disabled"] = "enabled"
    """`parse_only` validates arguments and runs nothing, `disabled` refuses every call."""
    family: Family | None = None
    """The family whose tools are offered: the default of the two lists below."""
    experimental_supported_tools: list[str] = [tool.name for tool in OF_CODEX if tool.is_default]
    """Names among `list_dir`, `read_file`, `grep_files` and `apply_patch` to offer. Other names
    are allowed and ignored, since model catalogues list tools of other programs too; one that is
    spelled almost like one of these is refused."""
    offered: list[OtherTool] = [tool.name for tool in OF_OTHERS if tool.is_default]
    """Names of the other tools to offer."""
    names: dict[NamedTool, PublicName] = {}
    """The names that callers know tools by, where they are not the tools' own."""
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
    forge_read: ForgeReadTable = ForgeReadTable()
    search: SearchTable = SearchTable()
    edit: EditTable = EditTable()

    @model_validator(mode="before")
    @classmethod
    def _offer_one_family(cls, table: object) -> object:
        if not isinstance(table, dict) or table.get("family") not in FAMILIES[:-1]:
            return table
        family = table["family"]
        lists = {
            "experimental_supported_tools": read_by(OF_CODEX, family),
            "offered": read_by(OF_OTHERS, family),
        }
        return {**lists, **table}

    @field_validator("experimental_supported_tools")
    @classmethod
    def _refuse_misspelled(cls, names: list[str]) -> list[str]:
        known = spellings(OF_CODEX)
        for name in names:
            nearest = None if name in known else nearest_name(name, known)
            if nearest is not None:
                message = "no tool is called {said}; did you mean {nearest}? If not, leave it out"
                said = {"said": json.dumps(name), "nearest": json.dumps(nearest)}
                raise PydanticCustomError("misspelled", message, said)
        return names

    @property
    def names_tools(self) -> bool:
        """True if the configuration says which tools are offered, by a family or by a list."""
        lists = {"experimental_supported_tools", "offered"}
        return self.family is not None or not self.model_fields_set.isdisjoint(lists)

    def is_offered(self, family: str, name: str) -> bool:
        """Tell whether a built-in tool is offered."""
        offered = self.experimental_supported_tools if name in CODEX_TOOLS else self.offered
        return any(spelling in offered for spelling in names_in_configuration(family, name))

    @property
    def offers_changes(self) -> bool:
        """True if a built-in tool that proposes changes is offered."""
        return bool(self._families_that_change())

    def _families_that_change(self) -> list[str]:
        changing = (tool for tool in TOOL_NAMES if tool.is_changing)
        return sorted({tool.family for tool in changing if self.is_offered(*tool[:2])})

    def public_name(self, family: str, name: str) -> str:
        """Return the name that callers know a built-in tool by."""
        chosen = {str(key): public for key, public in self.names.items()}
        for spelling in names_in_configuration(family, name):
            if spelling in chosen:
                return chosen[spelling]
        return name

    @model_validator(mode="after")
    def _refuse_two_families_that_change(self) -> Self:
        families = self._families_that_change()
        if len(families) > 1:
            message = (
                f"the tools that change come from {' and '.join(families)}; offer those of one "
                "family, since each has its own rules for what an agent has to read before"
            )
            raise PydanticCustomError("two_families", message)
        return self

    @model_validator(mode="after")
    def _refuse_one_name_for_two(self) -> Self:
        taken: dict[str, str] = {}
        for full in FULL_NAMES:
            family, _, name = full.partition(".")
            if not self.is_offered(family, name):
                continue
            public = self.public_name(family, name)
            if public in taken:
                message = (
                    f"{taken[public]} and {full} would both be called {public!r}; offer one of "
                    f'them, or name one: [tools.names] "{full}" = "{family}_{name.lower()}"'
                )
                raise PydanticCustomError("same_name", message)
            taken[public] = full
        return self


class Config(Table):
    """The whole configuration; everything has a default.

    Example:
        >>> Config.from_toml("tools.output.max_bytes = 1500").tools.output.max_bytes
        1500
        >>> Config.from_object({"tool": {}})
        Traceback (most recent call last):
        treeglass.errors.ConfigInvalid: tool: unknown key; the known ones are tools
    """

    tools: ToolsTable = ToolsTable()

    def with_default_family(self) -> Config:
        """Return the configuration that offers one family to a model, unless it names tools.

        Example:
            >>> [Config().with_default_family().tools.is_offered(*tool) for tool in
            ...  (("codex", "list_dir"), ("envelope", "LS"))]
            [True, False]
        """
        if self.tools.names_tools:
            return self
        tools = {**self.tools.model_dump(exclude_unset=True), "family": DEFAULT_FAMILY}
        return Config.from_object({"tools": tools})

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
        return cls.from_object(_toml_document(text))


def document_of(text: str) -> dict[str, Any]:
    """Return a text's tables, as JSON if it begins with a brace, else TOML; or `ConfigInvalid`."""
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _toml_document(text)
    try:
        document: dict[str, Any] = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise ConfigInvalid(f"not a JSON document: {reason}") from None
    return document


def _toml_document(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigInvalid(f"not a TOML document: {error}") from None
    except RecursionError:
        raise ConfigInvalid("a value is nested too deeply; nest less") from None
    except ValueError:
        # Python reads no number of more than 4,300 digits.
        raise ConfigInvalid("a number has too many digits; write a smaller one") from None


def _sentences(error: ValidationError) -> list[str]:
    sentences = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        key = ".".join(map(str, fault["loc"])) or "the configuration"
        what = fault["msg"]
        if fault["type"] == "extra_forbidden":
            what = f"unknown key; the known ones are {', '.join(_keys_beside(fault['loc']))}"
        sentences.append(f"{key}: {what}")
    return sentences


def _keys_beside(place: Sequence[int | str]) -> list[str]:
    """Return the keys of the table that has a place in the document, sorted."""
    table: Any = Config
    for key in place[:-1]:
        table = table.model_fields[key].annotation
    return sorted(table.model_fields)
