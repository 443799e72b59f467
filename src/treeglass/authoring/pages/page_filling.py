"""Fill the static answers of a page in, and change nothing else of it."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from treeglass.authoring.addresses import file_at, is_directory, is_elsewhere
from treeglass.authoring.demo import Demo, DemoInvalid, NotRecordable, TreeAt
from treeglass.authoring.markup import (
    escape_content,
    render_answered,
    render_call,
    render_recording,
    storable_text,
)
from treeglass.authoring.pages.found_demo import FoundDemo, PageInvalid, read_content
from treeglass.authoring.pages.html_finder import find_in_html
from treeglass.authoring.recording import Recording, record_answer

if TYPE_CHECKING:
    from pathlib import Path

HTML_SUFFIXES = frozenset({".html", ".htm"})
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown"})

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_CHARSET_WITHIN_BYTES = 1024
_BLANK = " \t\r\n\f"
"""The blanks of HTML; any other space is text."""
_ATTRIBUTE = re.compile(
    r"""(?<![\s/])[\s/]*(?P<name>[^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?"""
)

Outcome = Literal["recorded", "unchanged", "not recordable", "invalid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOutcome:
    """The outcome of one demo."""

    line: int
    tool: str
    outcome: Outcome
    reason: str = ""
    """Why it was not recorded; empty if it was."""
    is_error: bool = False
    """True if the recorded answer is an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPage:
    """A page before and after its answers were filled in; nothing is written yet."""

    before: bytes
    after: bytes
    text_before: str
    text_after: str
    outcomes: tuple[DemoOutcome, ...]
    """In the order of the page."""


class _Text(NamedTuple):
    text: str
    encoding: str
    bom: bytes


class _Edit(NamedTuple):
    span: slice
    text: str


def record_page(page: Path, root: Path) -> RecordedPage:
    """Answer the demos of a page, and return the page with the answers in it.

    Everything but the answers stays as it is, byte for byte: the encoding, the line ends, the byte
    order mark. A right answer keeps its spelling. The page is inside the root, which the site
    serves as `/`. `PageInvalid` names the line of a demo that is broken or would be taken apart.
    """
    before = page.read_bytes()
    source = _decoded(before, is_html=page.suffix.lower() in HTML_SUFFIXES)
    line_end = "\r\n" if source.text.count("\r\n") * 2 > source.text.count("\n") else "\n"
    outcomes: list[DemoOutcome] = []
    edits: list[_Edit] = []
    for found in _found(page, source.text):
        outcome, recording = _record(found, page, root, source.text)
        outcomes.append(outcome)
        if outcome.outcome == "recorded" and recording is not None:
            edits += _edits(found, recording, source.text, line_end)
    after = _applied(source.text, edits)
    # A character that the page's encoding lacks is spelled out.
    encoded = source.bom + after.encode(source.encoding, "xmlcharrefreplace")
    return RecordedPage(
        before=before,
        after=encoded if edits else before,
        text_before=source.text,
        text_after=after,
        outcomes=tuple(outcomes),
    )


def _found(page: Path, text: str) -> list[FoundDemo]:
    if page.suffix.lower() in HTML_SUFFIXES:
        return find_in_html(text)
    # Imported late: only Markdown needs the package behind it.
    from treeglass.authoring.pages.markdown_finder import find_in_markdown  # noqa: PLC0415

    return find_in_markdown(text)


def _decoded(content: bytes, *, is_html: bool) -> _Text:
    bom, encoding = next(
        ((bom, encoding) for bom, encoding in _BOMS if content.startswith(bom)), (b"", "utf-8")
    )
    named = _CHARSET.search(content[:_CHARSET_WITHIN_BYTES]) if is_html and not bom else None
    if named is not None:
        encoding = named[1].decode("ascii")
    body = content[len(bom) :]
    try:
        text = body.decode(encoding)
        is_exact = text.encode(encoding) == body
    except LookupError:
        raise PageInvalid(f"its encoding {encoding!r} is unknown; save it as UTF-8") from None
    except UnicodeError:
        is_exact, text = False, ""
    if not is_exact:
        raise PageInvalid(f"it is not text in {encoding}; save it as UTF-8")
    return _Text(text, encoding, bom)


def _record(
    found: FoundDemo, page: Path, root: Path, text: str
) -> tuple[DemoOutcome, Recording | None]:
    tool = found.attributes.get("tool", "").strip()

    def outcome(kind: Outcome, reason: str = "", *, is_error: bool = False) -> DemoOutcome:
        return DemoOutcome(
            line=found.line, tool=tool, outcome=kind, reason=reason, is_error=is_error
        )

    try:
        demo = found.demo()
        recording = record_answer(demo, _tree_of(demo, page, root), root=root)
    except NotRecordable as error:
        return outcome("not recordable", str(error)), None
    except DemoInvalid as error:
        return outcome("invalid", str(error)), None
    storable = Recording(content=storable_text(recording.content), is_error=recording.is_error)
    stands = found.recorded is not None and found.recorded.recording == storable
    if found.call is not None:
        call = render_call(demo.tool, demo.arguments)
        stands = stands and read_content(text[found.call]) == read_content(call)
    return outcome("unchanged" if stands else "recorded", is_error=recording.is_error), recording


def _tree_of(demo: Demo, page: Path, root: Path) -> Path | None:
    if not isinstance(demo.tree, TreeAt) or is_elsewhere(demo.tree.address):
        return None
    file = file_at(demo.tree.address, page.parent, root)
    if is_directory(file):
        raise DemoInvalid(
            f"{demo.tree.address!r} is a directory, and a page mounts files; make an archive of "
            "it with treeglass pack"
        )
    return file


def _edits(found: FoundDemo, recording: Recording, text: str, line_end: str) -> list[_Edit]:
    def spelled(markup: str) -> str:
        # In a list each line would need the list's indentation, and some renderers keep that.
        return markup.replace("\n", line_end if found.indentation is None else "&#10;")

    demo, recorded = found.demo(), found.recorded
    call = []
    if found.call is not None:
        call = [_Edit(found.call, spelled(render_call(demo.tool, demo.arguments)))]
    if recorded is None:
        kept = found.content.start + len(text[found.content].rstrip(_BLANK))
        indentation = found.indentation or ""
        closing = found.indentation or _blank_before(found.tag.start, text)
        markup = (
            render_answered(demo.tool, demo.arguments, recording)
            if found.call is None
            else render_recording(recording)
        )
        answer = f"{line_end}{indentation}{spelled(markup)}{line_end}{closing}"
        return [*call, _Edit(slice(kept, found.content.stop), answer)]
    tag = text[recorded.tag]
    if recording.is_error != recorded.recording.is_error:
        tag = f"{tag[:-1]} data-is-error>" if recording.is_error else _without_error(tag)
    return [
        *call,
        _Edit(recorded.tag, tag),
        _Edit(recorded.content, spelled(escape_content(recording.content))),
    ]


def _without_error(tag: str) -> str:
    """Return an opening tag without the mark of an error; the same text in quotes stays."""
    start = len("<pre")

    def kept(found: re.Match[str]) -> str:
        return "" if found["name"].lower() == "data-is-error" else found[0]

    return tag[:start] + _ATTRIBUTE.sub(kept, tag[start:])


def _blank_before(position: int, text: str) -> str:
    """Return the blanks before a position; nothing if its line has other text there."""
    before = text[text.rfind("\n", 0, position) + 1 : position]
    return "" if before.strip(_BLANK) else before


def _applied(text: str, edits: list[_Edit]) -> str:
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):
        pieces += [text[position : edit.span.start], edit.text]
        position = edit.span.stop
    return "".join([*pieces, text[position:]])
