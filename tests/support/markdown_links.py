"""The links and the anchors of Markdown, as a code host and npm show it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

ADDRESS = re.compile(
    r"https://[a-z0-9.-]+\.[a-z]{2,}(?:/[\w./@%~+-]*)?(?:#[\w.-]+)?"
    r"|http://(?:localhost|127\.0\.0\.1):\d+/"
)
"""An address that a page may name: a plain one by https, or one of this machine."""

_PARSER = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=6)


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a page and of its paragraphs."""
    for token in _PARSER.parse(text):
        yield token
        yield from token.children or []


def links_of(text: str) -> list[str]:
    """Return what a page links to and what it shows, in its order."""
    return [
        str(token.attrs[name])
        for token in tokens_of(text)
        for name in ("href", "src")
        if name in token.attrs
    ]


def is_there(page: Path, link: str, is_kind: Callable[[Path], bool] = Path.exists) -> bool:
    """Tell whether a link of a page leads to a path of a kind, and to a heading of it."""
    parts = urlsplit(link)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    return is_kind(target) and (not parts.fragment or parts.fragment in _anchors(target))


def _anchors(page: Path) -> set[str]:
    anchors = set()
    for token in tokens_of(page.read_text("utf-8")):
        if "id" in token.attrs:
            anchors.add(str(token.attrs["id"]))
        if token.type == "fence" and token.info.startswith("{include} "):
            anchors |= _anchors((page.parent / token.info.removeprefix("{include} ")).resolve())
    return anchors
