"""Fences `treeglass-demo` in Python-Markdown, beside the extension for all other fences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX, AtomicString, code_escape

from treeglass.authoring.site.directive import DIRECTIVE

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from markdown import Markdown

_OPENING = re.compile(r"(?P<prefix>[ >]*)(?P<marks>`{3,}|~{3,})[ ]*(?P<said>[^`]*)")
_OURS = re.compile(rf"{DIRECTIVE}(?:\s+(?P<tool>.*))?", re.DOTALL)

# Tabs are spaces by then, and included text is in its place, but no fence is taken yet:
# `normalize_whitespace` has 30, `pymdownx.snippets` 32, and the extensions for fences 25.
_BEFORE_FENCES = 27
# Highlighting, which has 30, would hide indented code.
_BEFORE_HIGHLIGHTING = 35


@dataclass(frozen=True, slots=True)
class Fence:
    """One fence `treeglass-demo`, without the indentation of its place."""

    line: int
    """The line of its opening, from 1."""
    tool: str
    """The text behind the name."""
    lines: tuple[str, ...]
    """All lines, the opening and the closing one included."""
    closed: bool

    @property
    def content(self) -> tuple[str, ...]:
        """The lines between the opening and the closing one."""
        return self.lines[1:-1] if self.closed else self.lines[1:]


class DemoFences(Extension):
    """The extension of Python-Markdown; each fence is rendered to a block or a comment of HTML."""

    def __init__(self, render: Callable[[Fence], str]) -> None:
        super().__init__()
        self._render = render

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Python-Markdown's name
        """Register both steps: take the fences out, and put HTML in their place."""
        taken: dict[int, Fence] = {}
        md.preprocessors.register(_TakeFences(md, taken), DIRECTIVE, _BEFORE_FENCES)
        md.treeprocessors.register(
            _PutDemos(md, taken, self._render), DIRECTIVE, _BEFORE_HIGHLIGHTING
        )


class _TakeFences(Preprocessor):
    """Leave a placeholder for each fence: only the parser of blocks tells code from a list."""

    def __init__(self, md: Markdown, taken: dict[int, Fence]) -> None:
        super().__init__(md)
        self._taken = taken

    def run(self, lines: list[str]) -> list[str]:
        left: list[str] = []
        end = 0
        self._taken.clear()
        for start, stop, prefix, fence in _find(lines):
            left += lines[end:start]
            self._taken[self.md.htmlStash.html_counter] = fence
            placeholder = self.md.htmlStash.store("")
            blank = prefix.rstrip()
            left += [blank, prefix + placeholder, blank]
            end = stop
        return left + lines[end:]


def _find(lines: Sequence[str]) -> Iterator[tuple[int, int, str, Fence]]:
    """Yield the fences of a page with their places, but none in another fence or a comment."""
    at = 0
    while at < len(lines):
        if lines[at].lstrip().startswith("<!--"):
            ends = (end + 1 for end in range(at, len(lines)) if "-->" in lines[end])
            at = next(ends, at + 1)
            continue
        opening = _OPENING.fullmatch(lines[at])
        if opening is None:
            at += 1
            continue
        prefix = opening["prefix"]
        stop = _closing(lines, at, prefix, opening["marks"])
        ours = _OURS.fullmatch(opening["said"].strip())
        if ours is not None:
            closed = stop is not None
            stop = stop or at + 1
            text = tuple(line[len(prefix) :].rstrip() for line in lines[at:stop])
            yield at, stop, prefix, Fence(at + 1, (ours["tool"] or "").strip(), text, closed)
        at = stop or at + 1


def _closing(lines: Sequence[str], start: int, prefix: str, marks: str) -> int | None:
    """Return the place behind a fence's closing line; None if it is never closed."""
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if line.rstrip() == prefix + marks:
            return at + 1
        if line.strip(" >") and not line.startswith(prefix):
            return None
    return None


class _PutDemos(Treeprocessor):
    """Replace the placeholders by demos; in indented code, by the fence as it is written."""

    def __init__(
        self, md: Markdown, taken: dict[int, Fence], render: Callable[[Fence], str]
    ) -> None:
        super().__init__(md)
        self._taken = taken
        self._render = render

    def run(self, root: Element) -> None:
        shown = set[int]()
        for block in root.iter("pre"):
            for code in block.findall("code"):
                shown |= self._show(code)
        for index, fence in self._taken.items():
            if index not in shown:
                html = self._render(fence)
                # Python-Markdown marks its placeholders by these two, and would fill them in again.
                html = html.replace(STX, "&#2;").replace(ETX, "&#3;")
                self.md.htmlStash.rawHtmlBlocks[index] = html

    def _show(self, code: Element) -> set[int]:
        shown = set[int]()
        text = code.text or ""
        for index, fence in self._taken.items():
            placeholder = re.escape(self.md.htmlStash.get_placeholder(index))
            found = re.search(rf"\n?^(?P<indent> *){placeholder}$\n?", text, re.MULTILINE)
            if found is not None:
                lines = "\n".join(f"{found['indent']}{line}".rstrip() for line in fence.lines)
                shown.add(index)
                text = text[: found.start()] + code_escape(lines) + text[found.end() :]
        if shown:
            code.text = AtomicString(text.strip("\n") + "\n")
        return shown
