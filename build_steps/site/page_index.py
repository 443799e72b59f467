"""A Sphinx extension that writes `search.json`, in which the search page finds sections.

The recorded answers of demos are left out: they are about the trees of the demos.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes

from treeglass.authoring.sphinx import treeglass_demo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils.nodes import Element, document
    from sphinx.application import Sphinx

INDEX = "search.json"

_WEIGHTS = {
    "changes": 0.15,
    "contributing": 0.2,
    "reference/javascript/": 0.3,
    "reference/python": 0.4,
    "specifications/": 0.3,
    "smaller-start": 0.3,
    "architecture": 0.4,
}
"""What a match counts in a page whose name begins so, against 1 in any other page."""

# What is listed under its own anchor, or says nothing about the page.
_APART = (nodes.section, addnodes.desc, treeglass_demo, nodes.raw, nodes.comment, addnodes.toctree)

_Section = tuple[str, str, str]


class _Pages:
    """The indexed pages of one build, by their names."""

    def __init__(self) -> None:
        self._pages: dict[str, object] = {}

    def add(self, app: Sphinx, page: document, name: str) -> None:
        weight = next((low for start, low in _WEIGHTS.items() if name.startswith(start)), 1)
        sections = list(sections_of(page))
        self._pages[name] = {
            "address": app.builder.get_target_uri(name),
            "title": sections[0][1] if sections else name,
            "weight": weight,
            "sections": sections,
        }

    def write(self, app: Sphinx, failure: Exception | None) -> None:
        if failure is None and app.builder.format == "html":
            pages = [page for _, page in sorted(self._pages.items())]
            text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
            Path(app.outdir, INDEX).write_text(text, encoding="utf-8")


def sections_of(page: document) -> Iterator[_Section]:
    """Yield the anchor, the heading and the own text of each section, and of each described name.

    The first section is the page itself, without an anchor.
    """
    for number, section in enumerate(page.findall(nodes.section)):
        anchor = section["ids"][0] if number else ""
        heading = section.next_node(nodes.title)
        yield anchor, heading.astext() if heading else "", _text_of(section)
    for described in page.findall(addnodes.desc):
        signature = described.next_node(addnodes.desc_signature)
        content = described.next_node(addnodes.desc_content)
        if signature and content and signature["ids"]:
            yield signature["ids"][0], signature["ids"][0], _text_of(content)


def _text_of(parent: Element) -> str:
    """Return the text of what is in an element, without its title and what is listed apart."""
    return re.sub(r"\s+", " ", " ".join(_texts(parent))).strip()


def _texts(parent: Element) -> Iterator[str]:
    for child in parent.children:
        if isinstance(child, (*_APART, nodes.title)):
            continue
        if isinstance(child, (nodes.Text, nodes.TextElement)):
            yield child.astext()
        elif isinstance(child, nodes.Element):
            yield from _texts(child)


def setup(app: Sphinx) -> dict[str, bool]:
    """Collect each page as it is written, and write the index at the end."""
    pages = _Pages()
    app.connect("doctree-resolved", pages.add)
    app.connect("build-finished", pages.write)
    return {"parallel_write_safe": False}
