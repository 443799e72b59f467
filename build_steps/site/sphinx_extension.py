"""A Sphinx extension that writes what searches read.

The search page finds sections in `search.json`, without the recorded answers of demos, which are
about the trees of the demos. Search engines and link previews read the tags of each page, and
`sitemap.xml`. The demos name the playground, which lies beside the documentation.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes

from treeglass.authoring.sphinx import treeglass_demo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils.nodes import Element, document
    from sphinx.application import Sphinx

INDEX = "search.json"
SITEMAP = "sitemap.xml"

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


def _index(pages: dict[str, object], app: Sphinx, page: document, name: str) -> None:
    weight = next((low for start, low in _WEIGHTS.items() if name.startswith(start)), 1)
    sections = list(sections_of(page))
    pages[name] = {
        "address": app.builder.get_target_uri(name),
        "title": sections[0][1] if sections else name,
        "weight": weight,
        "sections": sections,
    }


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


def first_sentence(page: document) -> str:
    """Return the first sentence of a page's own text; empty if it has none.

    In the sources, a sentence ends with its line.
    """
    for paragraph in page.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            return paragraph.astext().partition("\n")[0]
    return ""


def _describe(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], page: document | None
) -> None:
    if page is None:
        return
    title = page.next_node(nodes.title)
    said = {
        'name="description"': first_sentence(page),
        'property="og:description"': first_sentence(page),
        'property="og:title"': title.astext() if title else "",
        'property="og:site_name"': app.config.project,
        'property="og:type"': "article",
    }
    tags = [f'<meta {key} content="{escape(value)}">' for key, value in said.items() if value]
    tags.append(f'<link rel="canonical" href="{escape(context["pageurl"])}">')
    address = escape(context["pathto"](f"{name}.md", resource=True))
    tags.append(f'<link rel="alternate" type="text/markdown" href="{address}">')
    context["metatags"] = "\n".join([context["metatags"], *tags])


def _name_playground(_app: Sphinx, page: document, name: str) -> None:
    presentation = {"playground": f"{'../' * (name.count('/') + 1)}index.html"}
    for node in page.findall(treeglass_demo):
        shown = node["page_demo"]
        demo = replace(shown.demo, presentation={**presentation, **shown.demo.presentation})
        node["page_demo"] = replace(shown, demo=demo)


def _finish(pages: dict[str, object], app: Sphinx, failure: Exception | None) -> None:
    """Write the index, and a list of the address of each page for search engines."""
    if failure is not None or app.builder.format != "html":
        return
    indexed = [page for _, page in sorted(pages.items())]
    text = json.dumps(indexed, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, INDEX).write_text(text, encoding="utf-8")
    targets = [app.builder.get_target_uri(name) for name in sorted(app.env.found_docs)]
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        *(f"<url><loc>{escape(app.config.html_baseurl + it)}</loc></url>" for it in targets),
        "</urlset>",
    ]
    sitemap = "".join(f"{line}\n" for line in lines)
    Path(app.outdir, SITEMAP).write_text(sitemap, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Describe and collect each page as it is written, and write both lists at the end."""
    pages: dict[str, object] = {}
    app.connect("html-page-context", _describe)
    app.connect("doctree-resolved", partial(_index, pages))
    app.connect("doctree-resolved", _name_playground)
    app.connect("build-finished", partial(_finish, pages))
    return {"parallel_write_safe": False}
