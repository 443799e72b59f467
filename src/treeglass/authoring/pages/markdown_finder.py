"""The demos of a Markdown text, in its blocks of HTML alone; needs `treeglass[markdown]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from treeglass.authoring.markup import ELEMENT
from treeglass.authoring.pages.found_demo import FoundDemo, PageInvalid
from treeglass.authoring.pages.html_finder import find_in_html

if TYPE_CHECKING:
    from markdown_it.token import Token

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TAG = re.compile(rf"<{ELEMENT}(?![A-Za-z0-9-])", re.IGNORECASE)
_BEFORE = re.compile(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*")
"""Blanks and marks of list items, the only text allowed before an opening tag."""
_AFTER = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


def find_in_markdown(text: str) -> list[FoundDemo]:
    """Return the demos of a Markdown text in order; fences, code spans and comments hold none.

    `PageInvalid` names the line of a demo that a renderer would take apart, and what to write.
    """
    starts = [*(match.start() for match in _LINE.finditer(text)), len(text)]
    found: list[FoundDemo] = []
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "inline":
            _refuse_inline(token)
        elif token.type == "html_block" and token.map:
            first, end = token.map
            place = slice(starts[first], starts[min(end, len(starts) - 1)])
            found += _in_block(text, place, first + 1, is_nested=token.level > 0)
    return found


def _refuse_inline(token: Token) -> None:
    for child in token.children or []:
        if child.type == "html_inline" and _TAG.match(child.content):
            line = (token.map or [0])[0] + 1
            raise PageInvalid(
                f"line {line}: this <{ELEMENT}> is in the text of the paragraph that begins "
                "here; write its opening tag alone on one line, with a blank line above"
            )


def _in_block(text: str, block: slice, line: int, *, is_nested: bool) -> Iterator[FoundDemo]:
    try:
        found = find_in_html(text, start=block.start, end=block.stop, first_line=line)
    except PageInvalid as error:
        raise PageInvalid(f"{error}, and no blank line between them") from None
    for demo in found:
        tag = demo.tag
        line_start = text.rfind("\n", block.start, tag.start) + 1
        before = text[max(line_start, block.start) : tag.start]
        is_alone = _BEFORE.fullmatch(before) and _AFTER.match(text, tag.stop, block.stop)
        if not is_alone or "\n" in text[tag]:
            raise PageInvalid(
                f"line {demo.line}: this <{ELEMENT}> shares its line; write its opening tag alone "
                "on one line, at the start of it and out of quotes"
            )
        indentation = re.sub(r"[^\t]", " ", before) if is_nested else None
        yield replace(demo, indentation=indentation)
