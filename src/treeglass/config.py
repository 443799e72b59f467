"""The configuration: one TOML document, or an object of JavaScript, without unknown keys.

Every table and key is optional; a missing key has the default shown here.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from pydantic import Field, StringConstraints, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from treeglass.config_tables import (
    ApprovalTable,
    EditTable,
    ForgeReadTable,
    GlobTable,
    ListDirectoryTable,
    ListDirTable,
    OutputTable,
    PositiveInt,
    ReadFileTable,
    SandboxTable,
    SearchTable,
    Table,
    TimeoutsTable,
)
from treeglass.errors import ConfigInvalid
from treeglass.tool_names import (
    CODEX_TOOLS,
    FULL_NAMES,
    OF_CODEX,
    OF_OTHERS,
    TOOL_NAMES,
    is_slip,
    names_in_configuration,
    nearest_name,
    read_by,
    spellings,
)

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


class ToolsTable(Table):
    """`[tools]`."""

    mode: Literal["enabled", "parse_only", "disabled"] = "enabled"
    """`parse_only` validates arguments and runs nothing, `disabled` refuses every call."""
    family: Family | None = None
    """The family whose tools are offered: the default of the two lists below."""
    experimental_supported_tools: list[str] = Field(
        default=[tool.name for tool in OF_CODEX if tool.is_default]
    )
    """Names of the codex tools to offer. Other names are allowed and ignored, since model
    catalogues list tools of other programs too. A name is refused if it lacks a letter of one
    of these, has one more, or has letters swapped."""
    offered: list[OtherTool] = Field(default=[tool.name for tool in OF_OTHERS if tool.is_default])
    """Names of the other tools to offer."""
    names: dict[NamedTool, PublicName] = Field(default={})
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
            if nearest is not None and is_slip(name, nearest):
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
