"""The pages of a built site as its tests read them: what they link to, load and anchor."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_LOADING = {
    ("iframe", "src"),
    ("img", "src"),
    ("link", "href"),
    ("script", "src"),
    ("treeglass-demo", "src"),
}


class Link(NamedTuple):
    """What an element names."""

    element: str
    address: str

    @property
    def is_external(self) -> bool:
        """True if it names a host."""
        return bool(urlsplit(self.address).netloc)


class Page(HTMLParser):
    """One page, read as a whole."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.anchors: set[str] = set()
        self.links: list[Link] = []
        self.loaded: list[Link] = []
        self.texts_by_element: dict[str, list[str]] = {}
        self.hidden_fields: list[dict[str, str]] = []
        self._element = ""
        self.feed(path.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._element = tag
        self.texts_by_element.setdefault(tag, []).append("")
        # It names the published page, and no browser loads it.
        is_loaded = ("rel", "canonical") not in attrs
        if tag == "form":
            self.hidden_fields.append({})
        elif tag == "input" and ("type", "hidden") in attrs:
            given = {name: value or "" for name, value in attrs}
            self.hidden_fields[-1][given["name"]] = given["value"]
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if is_loaded and value is not None and (tag, name) in _LOADING:
                self.loaded.append(Link(tag, value))
            elif value is not None and (tag, name) == ("a", "href"):
                self.links.append(Link(tag, value))

    def handle_data(self, data: str) -> None:
        if self._element:
            self.texts_by_element[self._element][-1] += data


def stackblitz_projects(page: Page) -> dict[str, dict[str, str]]:
    """Return the projects that a page opens in StackBlitz: their files, by the project's title."""
    return {
        fields["project[title]"]: {
            match[1]: text
            for field, text in fields.items()
            if (match := re.fullmatch(r"project\[files\]\[(.+)\]", field))
        }
        for fields in page.hidden_fields
        if "project[title]" in fields
    }


def read_pages(folder: Path) -> dict[Path, Page]:
    """Return every page below a folder by its resolved path."""
    return {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}


def dead_links(pages: dict[Path, Page]) -> Iterator[str]:
    """Yield a sentence for each address within the site at which there is nothing."""
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link.address)
            if link.is_external or parts.scheme in {"data", "mailto"}:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{path.name}: {link.address} leads nowhere"
            elif parts.fragment and not _has_anchor(pages, target, unquote(parts.fragment)):
                yield f"{path.name}: {link.address} names no place of that page"


def _has_anchor(pages: dict[Path, Page], target: Path, name: str) -> bool:
    return target in pages and name in pages[target].anchors
