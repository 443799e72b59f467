"""A page of the references as its tests read it: headings, tables, demos."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from treeglass.authoring.site.directive import Directive, parse_directive, split_fence

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"

_parser = MarkdownIt("commonmark").enable("table")


class Cell(NamedTuple):
    """A cell of a table, or a paragraph."""

    markdown: str
    codes: tuple[str, ...]
    """What its code spans hold."""


class Table(NamedTuple):
    """A table, and the heading that it stands under."""

    heading: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str) -> list[str]:
        """Return the cells of a column as Markdown."""
        index = self.header.index(name)
        return [row[index].markdown for row in self.rows]


class PageDemo(NamedTuple):
    """A demo of a page."""

    line: int
    label: str
    directive: Directive


class Page(NamedTuple):
    """A page in the parts that tests compare."""

    headings: tuple[str, ...]
    tables: tuple[Table, ...]
    demos: tuple[PageDemo, ...]
    paragraphs: dict[str, list[Cell]]
    """By the heading that they stand under; items of lists are paragraphs too."""

    def table(self, *header: str) -> Table:
        """Return the one table that begins with these columns."""
        found = [table for table in self.tables if table.header[: len(header)] == header]
        assert len(found) == 1, f"{len(found)} tables begin with {header}"
        return found[0]


def read_page(name: str) -> Page:
    """Return a page below `docs/`."""
    tokens = _parser.parse((DOCS / name).read_text("utf-8"))
    page = Page((), (), (), {})
    heading = ""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.type == "heading_open":
            heading = tokens[position + 1].content
            page = page._replace(headings=(*page.headings, heading))
        elif token.type == "paragraph_open":
            page.paragraphs.setdefault(heading, []).append(_cell(tokens[position + 1]))
        elif token.type == "table_open":
            page = page._replace(tables=(*page.tables, _table(heading, tokens[position:])))
        elif token.type == "fence" and token.info.startswith("{treeglass-demo} "):
            page = page._replace(demos=(*page.demos, _demo(token)))
        position += 1
    return page


def _cell(inline: Token) -> Cell:
    codes = [child.content for child in inline.children or () if child.type == "code_inline"]
    return Cell(inline.content, tuple(codes))


def _table(heading: str, tokens: list[Token]) -> Table:
    rows = list(_rows(tokens))
    return Table(heading, tuple(cell.markdown for cell in rows[0]), tuple(rows[1:]))


def _rows(tokens: list[Token]) -> Iterator[tuple[Cell, ...]]:
    row: list[Cell] = []
    for token in tokens:
        match token.type:
            case "table_close":
                return
            case "tr_open":
                row = []
            case "inline":
                row.append(_cell(token))
            case "tr_close":
                yield tuple(row)


def _demo(fence: Token) -> PageDemo:
    options, content = split_fence(fence.content.splitlines())
    directive = parse_directive(fence.info.removeprefix("{treeglass-demo} "), options, content)
    line = fence.map[0] + 1 if fence.map else 0
    return PageDemo(line, options.get("label", ""), directive)
