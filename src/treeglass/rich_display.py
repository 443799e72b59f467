"""HTML that a notebook shows for an answer, a tool, a registry or a workspace.

Each function returns a figure with a caption, without scripts, style sheets and colours, so that it
reads on light and on dark. Every input is escaped, and a limit bounds how much is shown. Nothing
imports this module before a notebook asks for HTML.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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


def result_html(
    content: str,
    error_kind: str | None,
    next_arguments: Mapping[str, Any] | None,
    warnings: Sequence[str],
    *,
    is_truncated: bool,
) -> str:
    """Return the answer to a call: its content under a caption with the host's facts."""
    verdict = "<strong>The tool answered</strong>." if content else "The answer is empty."
    if error_kind is not None:
        verdict = f"<strong>The call failed</strong> ({_text(error_kind)})."
    caption = [verdict]
    if is_truncated:
        caption.append("Something was left out.")
    if next_arguments is not None:
        caption.append(f"To go on, call it again with {_code(_json(next_arguments))}.")
    caption += [f"Warning: {_text(text)}" for text in warnings[:MAX_SHOWN_ROWS]]
    caption += _left_out(len(warnings), "warnings")
    shown = content[:MAX_SHOWN_CONTENT_CHARS]
    if len(shown) < len(content):
        caption.append(
            f"Of {len(content):,} characters the first {len(shown):,} are shown; "
            "the attribute <code>content</code> has all of them."
        )
    return _figure(caption, _pre(shown) if shown else "")


def definition_html(name: str, title: str, description: str, schema: Mapping[str, Any]) -> str:
    """Return the definition of a tool."""
    shown = _pre(_cut(_json(schema, indent=2)))
    return _figure(
        [f"<strong>{_text(name)}</strong>: {_text(title)}"],
        _pre(_cut(description)),
        f"<details><summary>Input schema</summary>{shown}</details>",
    )


def definitions_html(rows: Sequence[tuple[str, str, str]]) -> str:
    """Return a table of the offered tools: the name, the title and the description of each."""
    caption = [f"Offered tools: {len(rows)}.", *_left_out(len(rows), "tools")]
    return _figure(caption, _table(("Name", "Title", "Description"), rows[:MAX_SHOWN_ROWS]))


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
