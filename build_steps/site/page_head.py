"""A Sphinx extension that describes the pages to search engines and to link previews."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx

SITEMAP = "sitemap.xml"


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


def _write_sitemap(app: Sphinx, failure: Exception | None) -> None:
    """List the address of each page for search engines."""
    if failure is not None or app.builder.format != "html":
        return
    targets = [app.builder.get_target_uri(name) for name in sorted(app.env.found_docs)]
    rows = [
        f"<url><loc>{escape(app.config.html_baseurl + target)}</loc></url>" for target in targets
    ]
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        *rows,
        "</urlset>",
    ]
    text = "".join(f"{line}\n" for line in lines)
    Path(app.outdir, SITEMAP).write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the tags to each page, and write the sitemap."""
    app.connect("html-page-context", _describe)
    app.connect("build-finished", _write_sitemap)
    return {"parallel_write_safe": True}
