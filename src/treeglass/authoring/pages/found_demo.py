"""A demo's element in the text of a page: its place, its attributes and its answer."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treeglass.authoring.demo import (
    DEFAULT_ARGUMENTS,
    DEFAULT_MOUNT_PATH,
    PRESENTATION,
    Demo,
    DemoInvalid,
    InlineTree,
    Tree,
    TreeAt,
    TreeOfPackage,
    parse_max_output_bytes,
)
from treeglass.errors import TreeglassError

if TYPE_CHECKING:
    from treeglass.authoring.recording import Recording

_LINE_END = re.compile(r"\r\n?")


class PageInvalid(TreeglassError, ValueError):
    """A page cannot be filled in; the text is a sentence that names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRecording:
    """A static answer that stands in a page, with slices of the page's text."""

    tag: slice
    """The opening tag of its `pre`."""
    content: slice
    """Everything between the tags."""
    recording: Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDemo:
    """An element of a page, with slices of the page's text."""

    line: int
    """Of its opening tag; the first line is 1."""
    tag: slice
    """Its opening tag."""
    content: slice
    """Everything between its tags."""
    attributes: Mapping[str, str]
    """By their names in lower case."""
    entries_json: str | None
    """The text of the JSON script inside it, if there is one."""
    recorded: FoundRecording | None
    call: slice | None = None
    """The content of `<code class="call">`, if there is one."""
    indentation: str | None = None
    """For an element in a list of Markdown, whose answer is one line: the blanks
    that each further line begins with. None for every other element."""

    def demo(self) -> Demo:
        """Return the element as a demo; `DemoInvalid` names an attribute that is invalid."""
        read = self.attributes.get
        return Demo(
            tool=(read("tool") or "").strip(),
            arguments=read("arguments") or DEFAULT_ARGUMENTS,
            tree=self._tree(),
            mount_path=read("mount-path") or DEFAULT_MOUNT_PATH,
            config=_text(read("config")),
            max_output_bytes=parse_max_output_bytes(_text(read("max-output-bytes"))),
            presentation={
                name: _choice(name, value)
                for name, value in self.attributes.items()
                if name in PRESENTATION
            },
        )

    def _tree(self) -> Tree:
        read = self.attributes.get
        if (src := _text(read("src"))) is not None:
            return TreeAt(src.strip(), _text(read("integrity")))
        if (npm := _text(read("npm"))) is not None:
            return TreeOfPackage("npm", npm.strip())
        if (github := _text(read("github"))) is not None:
            return TreeOfPackage("github", github.strip())
        if self.entries_json is not None:
            return InlineTree(self.entries_json)
        raise DemoInvalid(
            "src is missing, and so are npm, github and entries in a "
            '<script type="application/json">; name a tree in one of these ways'
        )


def _text(attribute: str | None) -> str | None:
    """Return an attribute, or None if it is blank."""
    return attribute if attribute is not None and attribute.strip() else None


def _choice(name: str, value: str) -> str:
    return value if PRESENTATION[name] is None else value.strip().lower()


def read_content(text: str) -> str:
    """Return the text that a browser shows for the content of a `pre`."""
    read = html.unescape(_LINE_END.sub("\n", text))
    return read.removeprefix("\n")
