"""A demo as a value: a tool, its arguments, and the tree that it looks at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from treeglass.authoring.javascript_json import parse_object, write_json
from treeglass.config import Config
from treeglass.errors import ConfigInvalid, TreeglassError, WorkspaceInvalid
from treeglass.workspace import require_virtual

DEFAULT_ARGUMENTS = "{}"
DEFAULT_MOUNT_PATH = "/repo"
_MOST_DIGITS = 15
"""A page's script holds every whole number of up to this many digits exactly."""

PRESENTATION: Mapping[str, tuple[str, ...] | None] = {
    "loading": ("click", "visible", "eager"),
    "readonly": None,
    "files": ("open", "closed", "none"),
    "view": ("reading", "model"),
    "form": None,
    "playground": None,
    "label": None,
    "theme": ("auto", "light", "dark"),
    "assets": None,
}
"""The attributes that change no answer, with their values; None is any text."""

BARE = frozenset({"readonly", "form"})
"""Those that are written without a value."""


class DemoInvalid(TreeglassError, ValueError):
    """A demo or its tree is invalid; the text is a sentence that names the fault."""


class NotRecordable(TreeglassError):
    """A demo's answer cannot be recorded here; the text says why."""


class ArchiveNotRecorded(NotRecordable):
    """The tree is an archive that pages may mount and that is not recorded here."""


@dataclass(frozen=True, slots=True)
class TreeAt:
    """An archive or a manifest at an address, as the attribute `src` names it."""

    address: str
    """Relative to the page, or absolute."""
    integrity: str | None = None
    """As HTML takes it, such as `sha384-…`."""

    def __post_init__(self) -> None:
        if not self.address.strip():
            raise DemoInvalid("src is empty; name an archive or a manifest")


@dataclass(frozen=True, slots=True)
class TreeOfPackage:
    """A published package, as the attributes `npm` and `github` name it."""

    kind: Literal["npm", "github"]
    name: str
    """`name@version` of npm, `owner/repo@ref` of GitHub."""

    def __post_init__(self) -> None:
        if not self.name.strip():
            form = "name@version" if self.kind == "npm" else "owner/repo@ref"
            raise DemoInvalid(f"{self.kind} is empty; write {form}")


@dataclass(frozen=True, slots=True)
class InlineTree:
    """Entries that are written down in the page itself."""

    entries_json: str
    """An object of paths, as `client.mount` takes it; rewritten as plain JSON."""

    def __post_init__(self) -> None:
        try:
            entries = parse_object(self.entries_json)
        except ValueError as error:
            raise DemoInvalid(
                f"the entries must be one JSON object of paths, and are not: {error}"
            ) from None
        # A `<` would end the script that holds the entries.
        plain = write_json(entries).replace("<", "\\u003c")
        object.__setattr__(self, "entries_json", plain)


Tree = TreeAt | TreeOfPackage | InlineTree
"""The places that a demo's tree comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """One demo, checked.

    Raises:
        DemoInvalid: An attribute is invalid; the text names it.

    Example:
        >>> demo = Demo(tool="list_dir", tree=TreeAt("shop.zip"))
        >>> demo.mount_path, demo.arguments
        ('/repo', '{}')
        >>> Demo(tool="list_dir", tree=TreeAt("shop.zip"), arguments="[]")
        Traceback (most recent call last):
        treeglass.authoring.demo.DemoInvalid: arguments must be one JSON object, and are not: it holds a list
    """  # noqa: E501  # a message is one line

    tool: str
    arguments: str = DEFAULT_ARGUMENTS
    """A JSON object, as text."""
    tree: Tree
    mount_path: str = DEFAULT_MOUNT_PATH
    """The virtual path where the tools see the tree."""
    config: str | None = None
    """treeglass's configuration, a JSON object as text."""
    max_output_bytes: int | None = None
    """Budget of the answer; None for the configuration's."""
    presentation: Mapping[str, str] = field(default_factory=dict)
    """Attributes that change no answer; see `PRESENTATION`."""

    def __post_init__(self) -> None:
        if not self.tool.strip():
            raise DemoInvalid("tool is missing; name the tool to call, such as list_dir")
        try:
            parse_object(self.arguments)
        except ValueError as error:
            raise DemoInvalid(f"arguments must be one JSON object, and are not: {error}") from None
        self._require_mount_path()
        if self.config is not None:
            parse_config(self.config)
        if self.max_output_bytes is not None and self.max_output_bytes < 1:
            raise DemoInvalid(f"max-output-bytes is {self.max_output_bytes}; give 1 or more")
        for name, value in self.presentation.items():
            _require_presentation(name, value)

    def _require_mount_path(self) -> None:
        try:
            path = require_virtual(self.mount_path, "mount-path")
        except WorkspaceInvalid as error:
            raise DemoInvalid(str(error)) from None
        if path == "/":
            raise DemoInvalid("mount-path is '/', which lists the mounts; use a name like '/repo'")


def parse_config(text: str) -> Config:
    """Return the configuration in the attribute `config`; `DemoInvalid` says what it is instead."""
    try:
        return Config.from_object(parse_object(text))
    except ConfigInvalid as error:
        raise DemoInvalid(f"config: {error}") from None
    except ValueError as error:
        raise DemoInvalid(f"config must be one JSON object, and is not: {error}") from None


def parse_max_output_bytes(text: str | None) -> int | None:
    """Return the number in the attribute `max-output-bytes`; `DemoInvalid` says what it is."""
    if text is None:
        return None
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal()):
        raise DemoInvalid(f"max-output-bytes is {text!r}; give a whole number above 0")
    if len(digits) > _MOST_DIGITS:
        raise DemoInvalid(f"max-output-bytes has {len(digits)} digits; give {_MOST_DIGITS} at most")
    return int(digits)


def _require_presentation(name: str, value: str) -> None:
    if name not in PRESENTATION:
        raise DemoInvalid(f"unknown attribute {name!r}; a demo takes {', '.join(PRESENTATION)}")
    choices = PRESENTATION[name]
    if choices is not None and value not in choices:
        raise DemoInvalid(f"{name} is {value!r}; choose {', '.join(choices[:-1])} or {choices[-1]}")
