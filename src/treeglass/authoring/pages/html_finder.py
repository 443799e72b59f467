"""The demos of an HTML text, with the places where they stand."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate

from treeglass.authoring.markup import ELEMENT
from treeglass.authoring.pages.found_demo import (
    FoundDemo,
    FoundRecording,
    PageInvalid,
    Span,
    read_content,
)
from treeglass.authoring.recording import Recording

_INERT = frozenset({"iframe", "noembed", "noframes", "template", "textarea", "title", "xmp"})
"""Elements whose content a page shows as text, or not at all."""

_PARAGRAPH_ENDERS = (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol pre search "
    "section summary table ul"
)
_ENDS_PARAGRAPH = frozenset(_PARAGRAPH_ENDERS.split())
"""Elements whose opening tag ends a paragraph that is open."""
_HOLDS_PARAGRAPHS = _ENDS_PARAGRAPH | {"body", "caption", "td", "th"}
"""Elements whose closing tag ends a paragraph that is open inside."""


_FOREIGN = frozenset({"svg", "math"})
_HOLDS_HTML = frozenset({"foreignobject", "desc", "title", "annotation-xml"})
_VOIDS = "area base br col embed hr img input link meta source track wbr"
_VOID = frozenset(_VOIDS.split())
"""Elements that end where they begin."""


def find_in_html(text: str, *, first_line: int = 1) -> list[FoundDemo]:
    """Return the demos of an HTML text, in their order.

    Comments, scripts, templates and text areas hold none. Only the element's
    first static answer counts, and the first script of JSON.

    Args:
        text: The whole text, or one block of a page.
        first_line: The number of its first line in the page.

    Raises:
        PageInvalid: A demo is not closed, or lies in another one; the text
            names the line.
    """
    finder = _Finder(text, first_line)
    finder.feed(text)
    finder.close()
    return finder.finish()


@dataclass(slots=True)
class _Open:
    """An element whose end was not met yet."""

    line: int
    tag: Span
    attributes: dict[str, str]
    entries_json: str | None = None
    recorded: FoundRecording | None = None
    pre: tuple[Span, dict[str, str]] | None = field(default=None)
    script_start: int | None = None
    inside: list[str] = field(default_factory=list)
    """Elements that are open inside, less the answer's own `pre`."""


class _Finder(HTMLParser):
    def __init__(self, text: str, first_line: int) -> None:
        super().__init__(convert_charrefs=False)
        self._text = text
        self._first_line = first_line
        # The parser counts line feeds and nothing else.
        widths = (len(line) + 1 for line in text.split("\n"))
        self._line_starts = [0, *accumulate(widths)]
        self._found: list[FoundDemo] = []
        self._open: _Open | None = None
        self._inert: list[str] = []
        self._foreign: list[str] = []
        """Open elements of SVG and MathML, and those of them that hold HTML again."""
        self._is_in_paragraph = False

    def finish(self) -> list[FoundDemo]:
        """Return what was found."""
        if self._open is not None:
            raise PageInvalid(
                f"line {self._open.line}: this <{ELEMENT}> is never closed; write </{ELEMENT}> "
                "behind it"
            )
        return self._found

    def _position(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column

    def _line(self, position: int) -> int:
        return self._first_line + bisect_right(self._line_starts, position) - 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._position()
        span = Span(start=start, end=start + len(self.get_starttag_text() or ""))
        if self._inert:
            if tag == self._inert[-1] == "template":
                self._inert.append(tag)
            return
        # The first of two attributes of one name counts.
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, value or "")
        self._enter_foreign(tag)
        if tag in _INERT:
            self._inert.append(tag)
        elif tag == ELEMENT:
            self._begin(span, attributes)
        elif tag == "p" or tag in _ENDS_PARAGRAPH:
            self._is_in_paragraph = tag == "p"
        if self._open is not None:
            self._note_child(self._open, tag, span, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._inert and (self._is_foreign() or tag in _FOREIGN):
            return
        # A slash closes nothing in HTML.
        self.handle_starttag(tag, attrs)
        if tag in self.CDATA_CONTENT_ELEMENTS:
            self.set_cdata_mode(tag)

    def _is_foreign(self) -> bool:
        return bool(self._foreign) and self._foreign[-1] in _FOREIGN

    def _enter_foreign(self, tag: str) -> None:
        if tag in _FOREIGN or (self._is_foreign() and tag in _HOLDS_HTML):
            self._foreign.append(tag)
        elif self._is_foreign() and (tag == "p" or tag in _ENDS_PARAGRAPH):
            # What can only be HTML ends a drawing that was left open.
            self._foreign.clear()

    def _leave_foreign(self, tag: str) -> None:
        if tag in self._foreign:
            del self._foreign[_last(self._foreign, tag) :]

    def _begin(self, tag: Span, attributes: dict[str, str]) -> None:
        line = self._line(tag.start)
        if self._open is not None:
            raise PageInvalid(
                f"line {line}: this <{ELEMENT}> lies in the one of line {self._open.line}; close "
                f"that with </{ELEMENT}> before it"
            )
        if self._is_in_paragraph:
            # The answer's `pre` would end the paragraph, and the demo inside it.
            raise PageInvalid(
                f"line {line}: this <{ELEMENT}> lies in a paragraph, where no answer can stand; "
                "write </p> before it"
            )
        self._open = _Open(line=line, tag=tag, attributes=attributes)

    @staticmethod
    def _note_child(demo: _Open, tag: str, span: Span, attributes: dict[str, str]) -> None:
        if tag == ELEMENT:
            return
        is_child = not demo.inside
        if demo.inside[-1:] == ["p"] and (tag == "p" or tag in _ENDS_PARAGRAPH):
            demo.inside.pop()
            is_child = not demo.inside
        if tag not in _VOID:
            demo.inside.append(tag)
        if not is_child:
            return
        if tag == "pre" and demo.pre is None and "data-recorded" in attributes:
            if demo.recorded is None:
                demo.pre = (span, attributes)
        elif tag == "script" and demo.entries_json is None:
            kind = attributes.get("type", "").strip().lower()
            demo.script_start = span.end if kind == "application/json" else None

    def handle_endtag(self, tag: str) -> None:
        position = self._position()
        if self._inert:
            if tag == self._inert[-1]:
                self._inert.pop()
                self._leave_foreign(tag)
            return
        self._leave_foreign(tag)
        if tag == "p" or tag in _HOLDS_PARAGRAPHS:
            self._is_in_paragraph = False
        if self._open is None:
            return
        inside = self._open.inside
        if tag in inside:
            del inside[_last(inside, tag) :]
        if tag == ELEMENT:
            self._end(self._open, position)
        elif tag == "pre":
            self._end_recording(self._open, position)
        elif tag == "script" and self._open.script_start is not None:
            self._open.entries_json = self._text[self._open.script_start : position]
            self._open.script_start = None

    def _end_recording(self, demo: _Open, position: int) -> None:
        if demo.pre is None:
            return
        tag, attributes = demo.pre
        content = Span(start=tag.end, end=position)
        recording = Recording(
            content=read_content(self._text[content.start : content.end]),
            is_error="data-is-error" in attributes,
        )
        demo.recorded = FoundRecording(tag=tag, content=content, recording=recording)
        demo.pre = None

    def _end(self, demo: _Open, position: int) -> None:
        if demo.pre is not None:
            raise PageInvalid(
                f"line {self._line(demo.pre[0].start)}: this <pre> is never closed; write </pre> "
                f"before </{ELEMENT}>"
            )
        found = FoundDemo(
            line=demo.line,
            tag=demo.tag,
            content=Span(start=demo.tag.end, end=position),
            attributes=demo.attributes,
            entries_json=demo.entries_json,
            recorded=demo.recorded,
        )
        self._found.append(found)
        self._open = None
        self._is_in_paragraph = False


def _last(names: list[str], name: str) -> int:
    return len(names) - 1 - names[::-1].index(name)
