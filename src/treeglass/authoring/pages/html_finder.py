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
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre "
    "search section summary table ul"
)
_ENDS_PARAGRAPH = frozenset(_PARAGRAPH_ENDERS.split())
"""Elements whose opening tag ends a paragraph that is open."""
_HOLDS_PARAGRAPHS = _ENDS_PARAGRAPH | {"body", "caption", "td", "th"}
"""Elements whose closing tag ends a paragraph that is open inside."""

_FOREIGN = frozenset({"svg", "math"})
_HOLDS_HTML = frozenset({"foreignobject", "desc", "title", "annotation-xml"})
"""Elements of SVG and MathML that hold HTML again."""
_VOIDS = "area base br col embed hr img input link meta source track wbr"
_VOID = frozenset(_VOIDS.split())
"""Elements without content and without a closing tag."""


def find_in_html(text: str, *, first_line: int = 1) -> list[FoundDemo]:
    """Return the demos of an HTML text, in their order.

    Comments, scripts, templates and text areas hold none. Only the element's
    first static answer counts, and the first script of JSON.

    Args:
        text: The whole text, or one block of a page.
        first_line: The number of its first line in the page.

    Raises:
        PageInvalid: A demo is not closed, or is inside another one; the text
            names the line.
    """
    finder = _Finder(text, first_line)
    finder.feed(text)
    finder.close()
    return finder.finish()


class _Context:
    """The open elements that decide how a tag is read: inert ones, drawings, a paragraph."""

    def __init__(self) -> None:
        self._inert: list[str] = []
        self._foreign: list[str] = []
        """Open elements of SVG and MathML, and those inside them that hold HTML again."""
        self.is_in_paragraph = False

    def ends_itself(self, tag: str) -> bool:
        """Tell whether `<tag/>` is a whole element, which it is in drawings alone."""
        return not self._inert and (self._is_foreign() or tag in _FOREIGN)

    def enter(self, tag: str) -> bool:
        """Note an opening tag; tell whether it counts: no tag in an inert element does."""
        if self._inert:
            if tag == self._inert[-1] == "template":
                self._inert.append(tag)
            return False
        if tag in _FOREIGN or (self._is_foreign() and tag in _HOLDS_HTML):
            self._foreign.append(tag)
        elif self._is_foreign() and tag in _ENDS_PARAGRAPH:
            # These are HTML alone, so they end a drawing that was left open.
            self._foreign.clear()
        if tag in _INERT:
            self._inert.append(tag)
        elif tag in _ENDS_PARAGRAPH:
            self.is_in_paragraph = tag == "p"
        return True

    def leave(self, tag: str) -> bool:
        """Note a closing tag; tell whether it counts."""
        if self._inert and tag != self._inert[-1]:
            return False
        _close(self._inert, tag)
        _close(self._foreign, tag)
        if tag in _HOLDS_PARAGRAPHS:
            self.is_in_paragraph = False
        return not self._inert

    def _is_foreign(self) -> bool:
        return bool(self._foreign) and self._foreign[-1] in _FOREIGN


@dataclass(slots=True)
class _OpenDemo:
    """A demo whose closing tag has not come yet."""

    line: int
    tag: Span
    attributes: dict[str, str]
    entries_json: str | None = None
    recorded: FoundRecording | None = None
    answer: tuple[Span, dict[str, str]] | None = None
    """The tag and the attributes of the static answer, while it is open."""
    _script_start: int | None = None
    """Where the entries begin, while their script is open."""
    _inside: list[str] = field(default_factory=list)
    """Elements that are open inside."""

    def enter(self, tag: str, span: Span, attributes: dict[str, str]) -> None:
        """Note an opening tag inside; only children are an answer or entries."""
        if self._inside[-1:] == ["p"] and tag in _ENDS_PARAGRAPH:
            self._inside.pop()
        is_child = not self._inside
        if tag not in _VOID:
            self._inside.append(tag)
        if not is_child:
            return
        if tag == "pre" and "data-recorded" in attributes and self.recorded is None:
            self.answer = (span, attributes)
        elif tag == "script" and self.entries_json is None:
            kind = attributes.get("type", "").strip().lower()
            self._script_start = span.end if kind == "application/json" else None

    def leave(self, tag: str, position: int, text: str) -> None:
        """Note a closing tag inside, and take the text that it ends."""
        _close(self._inside, tag)
        if tag == "pre" and self.answer is not None:
            opening, attributes = self.answer
            self.recorded = FoundRecording(
                tag=opening,
                content=Span(start=opening.end, end=position),
                recording=Recording(
                    content=read_content(text[opening.end : position]),
                    is_error="data-is-error" in attributes,
                ),
            )
            self.answer = None
        elif tag == "script" and self._script_start is not None:
            self.entries_json = text[self._script_start : position]
            self._script_start = None

    def ended(self, position: int) -> FoundDemo:
        """Return the demo, whose closing tag stands at a position."""
        return FoundDemo(
            line=self.line,
            tag=self.tag,
            content=Span(start=self.tag.end, end=position),
            attributes=self.attributes,
            entries_json=self.entries_json,
            recorded=self.recorded,
        )


class _Finder(HTMLParser):
    """Reads the tags of a text, and collects its demos."""

    def __init__(self, text: str, first_line: int) -> None:
        super().__init__(convert_charrefs=False)
        self._text = text
        self._first_line = first_line
        # The parser counts line feeds and nothing else.
        widths = (len(line) + 1 for line in text.split("\n"))
        self._line_starts = [0, *accumulate(widths)]
        self._context = _Context()
        self._open: _OpenDemo | None = None
        self._found: list[FoundDemo] = []

    def finish(self) -> list[FoundDemo]:
        """Return what was found."""
        if self._open is not None:
            raise PageInvalid(
                f"line {self._open.line}: this <{ELEMENT}> is never closed; write </{ELEMENT}> "
                "behind it"
            )
        return self._found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._context.enter(tag):
            return
        start = self._position()
        span = Span(start=start, end=start + len(self.get_starttag_text() or ""))
        # Of two attributes of one name the first counts.
        attributes = {name: value or "" for name, value in reversed(attrs)}
        if tag == ELEMENT:
            self._begin(span, attributes)
        elif self._open is not None:
            self._open.enter(tag, span, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._context.ends_itself(tag):
            return
        # A slash closes nothing in HTML.
        self.handle_starttag(tag, attrs)
        if tag in self.CDATA_CONTENT_ELEMENTS:
            self.set_cdata_mode(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._context.leave(tag) or self._open is None:
            return
        if tag == ELEMENT:
            self._end(self._open)
        else:
            self._open.leave(tag, self._position(), self._text)

    def _begin(self, tag: Span, attributes: dict[str, str]) -> None:
        line = self._line(tag.start)
        if self._open is not None:
            raise PageInvalid(
                f"line {line}: this <{ELEMENT}> is inside the one of line {self._open.line}; "
                f"close that with </{ELEMENT}> before it"
            )
        if self._context.is_in_paragraph:
            # The answer's `pre` would end the paragraph, and the demo inside it.
            raise PageInvalid(
                f"line {line}: this <{ELEMENT}> is in a paragraph, which cannot hold an answer; "
                "write </p> before it"
            )
        self._open = _OpenDemo(line=line, tag=tag, attributes=attributes)

    def _end(self, demo: _OpenDemo) -> None:
        if demo.answer is not None:
            raise PageInvalid(
                f"line {self._line(demo.answer[0].start)}: this <pre> is never closed; write "
                f"</pre> before </{ELEMENT}>"
            )
        self._found.append(demo.ended(self._position()))
        self._open = None
        self._context.is_in_paragraph = False

    def _position(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column

    def _line(self, position: int) -> int:
        return self._first_line + bisect_right(self._line_starts, position) - 1


def _close(open_elements: list[str], tag: str) -> None:
    """Take the innermost element of this name from a list, with the elements inside it."""
    if tag in open_elements:
        del open_elements[len(open_elements) - 1 - open_elements[::-1].index(tag) :]
