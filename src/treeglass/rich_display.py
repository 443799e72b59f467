"""HTML that a notebook shows for an answer, a tool, a registry or a workspace.

Each function returns a figure with a caption, without scripts, style sheets and colours, so that it
reads on light and on dark. Every input is escaped, and a limit bounds how much is shown. Nothing
imports this module before a notebook asks for HTML.
"""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_SHOWN_CONTENT_CHARS = 100_000
"""Most characters shown of an answer's content, counted before HTML escapes them."""
MAX_SHOWN_NOTE_CHARS = 2_000
"""Most characters shown of a warning, of arguments, or of any other text."""
MAX_SHOWN_ROWS = 50
"""Most warnings, tools or mounts that are shown."""

# Characters that HTML cannot carry, and those that reverse the reading order of
# a line. A line break of two characters is kept.
_UNSHOWABLE = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e"
    "\\u2066-\\u2069\\ud800-\\udfff\\ufdd0-\\ufdef\\ufffe\\uffff]|\\r(?!\\n)"
)

_FIGURE = '<figure style="margin:0">'
_CELL = ' style="text-align:left"'


class _Failure(Protocol):
    @property
    def kind(self) -> str: ...


class _Result(Protocol):
    @property
    def content(self) -> str: ...
    @property
    def error(self) -> _Failure | None: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def next_arguments(self) -> dict[str, Any] | None: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...


class _Definition(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def input_schema(self) -> dict[str, Any]: ...


def result_html(result: _Result) -> str:
    """Return the answer to a call: its content under a caption with the host's facts."""
    caption = [_verdict(result)]
    if result.truncated:
        caption.append("Something was left out.")
    if result.next_arguments is not None:
        caption.append(f"To go on, call it again with {_code(_json(result.next_arguments))}.")
    caption += [f"Warning: {_text(text)}" for text in result.warnings[:MAX_SHOWN_ROWS]]
    caption += _left_out(len(result.warnings), "warnings")
    shown = result.content[:MAX_SHOWN_CONTENT_CHARS]
    if len(shown) < len(result.content):
        caption.append(
            f"Of {len(result.content):,} characters the first {len(shown):,} are shown; "
            "the attribute <code>content</code> has all of them."
        )
    return _figure(caption, _pre(shown) if shown else "")


def _verdict(result: _Result) -> str:
    if result.error is not None:
        return f"<strong>The call failed</strong> ({_text(result.error.kind)})."
    return "<strong>The tool answered</strong>." if result.content else "The answer is empty."


def definition_html(definition: _Definition) -> str:
    """Return the definition of a tool."""
    caption = [f"<strong>{_text(definition.name)}</strong>: {_text(definition.title)}"]
    schema = _pre(_cut(_json(definition.input_schema, indent=2)))
    return _figure(
        caption,
        _pre(_cut(definition.description)),
        f"<details><summary>Input schema</summary>{schema}</details>",
    )


def definitions_html(definitions: Sequence[_Definition]) -> str:
    """Return a table of the offered tools."""
    rows = [(tool.name, tool.title, tool.description) for tool in definitions[:MAX_SHOWN_ROWS]]
    caption = [f"Offered tools: {len(definitions)}.", *_left_out(len(definitions), "tools")]
    return _figure(caption, _table(("Name", "Title", "Description"), rows))


def workspace_html(mount_points: Sequence[str], directories: Mapping[str, str]) -> str:
    """Return a table of the mounts, in virtual paths and never the host's."""
    caption = [
        f"Mounts: {len(mount_points)}.",
        *(f"{_text(called)}: {_code(path)}." for called, path in directories.items()),
        *_left_out(len(mount_points), "mounts"),
    ]
    return _figure(caption, _table(("Mount point",), [(p,) for p in mount_points[:MAX_SHOWN_ROWS]]))


def _figure(caption: Iterable[str], *parts: str) -> str:
    said = "<br>".join(caption)
    return f"{_FIGURE}<figcaption>{said}</figcaption>{''.join(parts)}</figure>"


def _pre(text: str) -> str:
    # Wrapped, since a keyboard cannot scroll it sideways. HTML drops the line break
    # after the tag.
    style = "white-space:pre-wrap;overflow-wrap:anywhere"
    return f'<pre dir="ltr" style="{style}">\n{_escape(text)}</pre>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col"{_CELL}>{name}</th>' for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td{_CELL}>{_text(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _left_out(count: int, what: str) -> list[str]:
    if count <= MAX_SHOWN_ROWS:
        return []
    return [f"Of {count:,} {what} the first {MAX_SHOWN_ROWS} are shown."]


def _json(value: object, *, indent: int | None = None) -> str:
    # A tool that a host adds may put values into it that JSON cannot carry.
    return json.dumps(value, indent=indent, ensure_ascii=False, default=str)


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return _escape(_cut(text))


def _cut(text: str) -> str:
    if len(text) <= MAX_SHOWN_NOTE_CHARS:
        return text
    return f"{text[:MAX_SHOWN_NOTE_CHARS]}… (cut: {len(text):,} characters)"


def _escape(text: str) -> str:
    return html.escape(_UNSHOWABLE.sub(lambda match: f"\\u{{{ord(match[0]):X}}}", text))
