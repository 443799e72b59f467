"""A Sphinx extension: what a page says about itself to search engines and to link previews."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx


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
    address = escape(context["pathto"](f"{name}.md", resource=True))
    tags.append(f'<link rel="alternate" type="text/markdown" href="{address}">')
    context["metatags"] = "\n".join([context["metatags"], *tags])


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the tags to each page."""
    app.connect("html-page-context", _describe)
    return {"parallel_write_safe": True}
