"""The pages of the documentation as Markdown beside their HTML, and `llms.txt`, which lists them.

Programs read these: a page is a few kilobytes of text without navigation.
"""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from build_steps.folders import ROOT
from build_steps.packaged_pages import included, page_with_links, without_link

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIST = "llms.txt"

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n\n", re.DOTALL)
_HIDDEN = re.compile(r"```\{toctree\}\n(?P<body>.*?)```\n*", re.DOTALL)
_TITLE = re.compile(r"^# (?P<title>.+)\n+(?P<sentence>.*)", re.MULTILINE)
_README = "index.md"
"""Links to the README lead to the first page, which says the same."""

_PYTHON = "reference/python"
"""Sphinx fills this page from the docstrings, so its Markdown is made of what is searched."""


class _Page(NamedTuple):
    """A page as a list shows it."""

    title: str
    sentence: str


def write_markdown_pages(source: Path, html: Path) -> None:
    """Write a Markdown file beside each HTML page of the documentation, and the list of them."""
    pages = html.rglob("*.html")
    names = sorted(page.relative_to(html).with_suffix("").as_posix() for page in pages)
    texts = {
        name: _text_of(name, source, html) for name in names if (source / f"{name}.md").is_file()
    }
    for name, text in texts.items():
        (html / f"{name}.md").write_text(text, encoding="utf-8", newline="\n")
    parts = _children("index", source)
    listed = _list(texts, {part: list(_below(part, source)) for part in parts})
    (html / LIST).write_text(listed, encoding="utf-8", newline="\n")


def _text_of(name: str, source: Path, html: Path) -> str:
    page = source / f"{name}.md"
    original = ROOT / "docs" / f"{name}.md"
    if name == _PYTHON:
        return _python_reference(html)
    if not original.is_file():
        # Made by TypeDoc, whose links are between pages of the folder.
        return _FRONT_MATTER.sub("", page.read_text(encoding="utf-8"))
    place = included(original) or f"docs/{name}.md"

    def link(label: str, target: str, anchor: str) -> str:
        found = _site_path(target)
        if found is None:
            return without_link(label, target)
        return f"{label}({posixpath.relpath(found, posixpath.dirname(name) or '.')}{anchor})"

    return _HIDDEN.sub(_toctree_links, page_with_links(place, link))


def _site_path(target: str) -> str | None:
    """Return where the site has a file of the repository; None if it does not have it."""
    if target == "index.html":
        return "../index.html"
    if target == "README.md":
        return _README
    for page in (ROOT / "docs").glob("*.md"):
        if included(page) == target:
            return page.name
    is_page = target.startswith("docs/") and target.endswith(".md")
    return target.removeprefix("docs/") if is_page else None


def _toctree_links(toctree: re.Match[str]) -> str:
    # With a pattern for names, it lists what TypeDoc makes; these pages list each other.
    entries = [line for line in toctree["body"].splitlines() if line and not line.startswith(":")]
    return "".join(f"- [{entry}]({entry}.md)\n" for entry in entries if "*" not in entry)


def _python_reference(html: Path) -> str:
    pages = json.loads((html / "search.json").read_text(encoding="utf-8"))
    (page,) = [found for found in pages if found["address"] == f"{_PYTHON}.html"]
    sections = "\n".join(f"## {name}\n\n{text}\n" for _, name, text in page["sections"][1:])
    return f"# {page['title']}\n\n{page['sections'][0][2]}\n\n{sections}"


def _children(name: str, source: Path) -> list[str]:
    """Return the pages that the tables of contents of a page name, without those by a pattern."""
    folder = posixpath.dirname(name)
    text = (source / f"{name}.md").read_text(encoding="utf-8")
    lines = [line for toctree in _HIDDEN.finditer(text) for line in toctree["body"].splitlines()]
    entries = [line for line in lines if line and not line.startswith(":") and "*" not in line]
    return [posixpath.join(folder, entry) for entry in entries]


def _below(name: str, source: Path) -> Iterator[str]:
    yield name
    for child in _children(name, source):
        yield from _below(child, source)


def _list(texts: dict[str, str], parts: dict[str, list[str]]) -> str:
    front = _about(texts["index"])
    text = f"# {front.title}\n\n> {front.sentence}\n"
    for part, names in parts.items():
        text += f"\n## {_about(texts[part]).title}\n\n"
        for name in names:
            page = _about(texts[name])
            text += f"- [{page.title}]({name}.md)"
            text += f": {page.sentence}\n" if page.sentence else "\n"
    return text


def _about(text: str) -> _Page:
    found = _TITLE.search(text)
    if not found:
        return _Page("", "")
    sentence = found["sentence"]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    return _Page(found["title"], "" if sentence.startswith(("#", "-", "|", "`" * 3)) else plain)
