"""The demos of an HTML text, with the places where they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate

from treeglass.authoring.markup import ELEMENT
from treeglass.authoring.pages.found_demo import (
    FoundDemo,
    FoundRecording,
    PageInvalid,
    read_content,
)
from treeglass.authoring.recording import Recording

_DRAWINGS = frozenset({"math", "svg"})
_NESTED = _DRAWINGS | {"template"}
_HIDING = _NESTED | {"iframe", "noembed", "noframes", "textarea", "title", "xmp"}
"""Elements whose content holds no demo: drawings, and what a page shows as text or not at all."""

_PARAGRAPH_ENDERS = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol "
    "p pre search section summary table td th ul"
)
_ENDS_PARAGRAPH = frozenset(_PARAGRAPH_ENDERS.split())
_VOIDS = "area base br col embed hr img input link meta source track wbr"
_VOID = frozenset(_VOIDS.split())
"""Elements without content and without a closing tag."""
_COMMENT_END = re.compile(r"-->|(?<!<!)--!>")


def find_in_html(
    text: str, *, start: int = 0, end: int | None = None, first_line: int = 1
) -> list[FoundDemo]:
    """Return the demos of a page, or of a block of it, in their order.

    Comments, scripts, drawings, templates and text areas hold none. Only the element's first static
    answer counts, and the first script of JSON. `PageInvalid` names the line of a demo that is not
    closed, or is inside another one.
    """
    return _Finder(text, slice(start, end), first_line).find()


@dataclass(slots=True)
class _OpenDemo:
    """A demo whose closing tag has not come yet."""

    line: int
    tag: slice
    attributes: dict[str, str]
    entries_json: str | None = None
    recorded: FoundRecording | None = None
    call: slice | None = None
    answer: tuple[slice, dict[str, str]] | None = None
    """The tag and the attributes of the static answer, while it is open."""
    _script_start: int | None = None
    """The position where the entries begin, while their script is open."""
    _call_start: int | None = None
    """The position where the call begins, while its element is open."""
    _inside: list[str] = field(default_factory=list)
    """Elements that are open inside."""
    _counts: Counter[str] = field(default_factory=Counter)
    """The number of these by name: no closing tag has to search all of them."""

    def enter(self, tag: str, span: slice, attributes: dict[str, str]) -> None:
        """Note an opening tag inside; only children are an answer or entries."""
        if self._inside[-1:] == ["p"] and tag in _ENDS_PARAGRAPH:
            self._pop()
        is_child = not self._inside
        if tag not in _VOID:
            self._inside.append(tag)
            self._counts[tag] += 1
        if not is_child:
            return
        if tag == "pre" and "data-recorded" in attributes and self.recorded is None:
            self.answer = (span, attributes)
        elif tag == "code" and "call" in attributes.get("class", "").split() and not self.call:
            self._call_start = span.stop
        elif tag == "script" and self.entries_json is None:
            kind = attributes.get("type", "").strip().lower()
            self._script_start = span.stop if kind == "application/json" else None

    def leave(self, tag: str, position: int, text: str) -> None:
        """Note a closing tag inside, and take the text that it ends."""
        if self._counts[tag]:
            while self._pop() != tag:
                pass
        if tag == "pre" and self.answer is not None:
            opening, attributes = self.answer
            self.recorded = FoundRecording(
                tag=opening,
                content=slice(opening.stop, position),
                recording=Recording(
                    content=read_content(text[opening.stop : position]),
                    is_error="data-is-error" in attributes,
                ),
            )
            self.answer = None
        elif tag == "code" and self._call_start is not None:
            self.call = slice(self._call_start, position)
            self._call_start = None
        elif tag == "script" and self._script_start is not None:
            self.entries_json = text[self._script_start : position]
            self._script_start = None

    def _pop(self) -> str:
        tag = self._inside.pop()
        self._counts[tag] -= 1
        return tag


class _Finder(HTMLParser):
    """Reads the tags of a text, and collects its demos."""

    def __init__(self, text: str, block: slice, first_line: int) -> None:
        super().__init__()
        self._text = text
        self._block = text[block]
        self._first_line = first_line
        # The parser counts line feeds and nothing else.
        widths = (len(line) + 1 for line in self._block.split("\n"))
        self._line_starts: list[int] = [*accumulate(widths, initial=block.start)]
        self._hiding: list[str] = []
        """An element that hides its content, as often as it is open."""
        self._is_in_paragraph = False
        self._open: _OpenDemo | None = None
        self._found: list[FoundDemo] = []

    def find(self) -> list[FoundDemo]:
        """Return the demos of the text."""
        # No tag ends after the last `>`, and the parser would look for its end at each `<`.
        self.feed(self._block[: self._block.rfind(">") + 1])
        self.close()
        if self._open is not None:
            raise PageInvalid(
                f"line {self._open.line}: this <{ELEMENT}> is never closed; write </{ELEMENT}> "
                "behind it"
            )
        return self._found

    def parse_comment(self, i: int, report: bool = True) -> int:  # noqa: ARG002, FBT001, FBT002
        # A comment that is never closed goes on to the end of the text.
        found = _COMMENT_END.search(self.rawdata, i + 2)
        return len(self.rawdata) if found is None else found.end()

    def parse_html_declaration(self, i: int) -> int:
        return self.rawdata.index(">", i) + 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hiding and self._hiding[0] in _DRAWINGS and tag in _ENDS_PARAGRAPH:
            # These are HTML alone, so they end a drawing that was left open.
            self._hiding.clear()
        if self._hiding:
            if tag == self._hiding[0] and tag in _NESTED:
                self._hiding.append(tag)
            return
        if tag in _HIDING:
            self._hiding.append(tag)
        if tag in _ENDS_PARAGRAPH:
            self._is_in_paragraph = tag == "p"
        start = self._position()
        span = slice(start, start + len(self.get_starttag_text() or ""))
        # Of two attributes of one name the first counts.
        attributes = {name: value or "" for name, value in reversed(attrs)}
        if tag == ELEMENT:
            self._begin(span, attributes)
        elif self._open is not None:
            self._open.enter(tag, span, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DRAWINGS:
            return
        # A slash closes no other element.
        self.handle_starttag(tag, attrs)
        if tag in self.CDATA_CONTENT_ELEMENTS and not self._hiding:
            self.set_cdata_mode(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._hiding:
            if tag != self._hiding[0]:
                return
            self._hiding.pop()
            if self._hiding:
                return
        if tag in _ENDS_PARAGRAPH:
            self._is_in_paragraph = False
        if self._open is None:
            return
        if tag == ELEMENT:
            self._end(self._open)
        else:
            self._open.leave(tag, self._position(), self._text)

    def _begin(self, tag: slice, attributes: dict[str, str]) -> None:
        line = self._line(tag.start)
        if self._open is not None:
            raise PageInvalid(
                f"line {line}: this <{ELEMENT}> is inside the one of line {self._open.line}; "
                f"close that with </{ELEMENT}> before it"
            )
        if self._is_in_paragraph:
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
        self._found.append(
            FoundDemo(
                line=demo.line,
                tag=demo.tag,
                content=slice(demo.tag.stop, self._position()),
                attributes=demo.attributes,
                entries_json=demo.entries_json,
                recorded=demo.recorded,
                call=demo.call,
            )
        )
        self._open = None
        self._is_in_paragraph = False

    def _position(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column

    def _line(self, position: int) -> int:
        return self._first_line + bisect_right(self._line_starts, position) - 1
