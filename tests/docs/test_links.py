"""Every link leads somewhere: in the sources as a code host shows them, and in the built site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

from build_steps.programs import find_program
from tests.docs.code_blocks import DOCS, ROOT
from tests.docs.site_pages import Link, dead_links, read_pages
from tests.support.programs import printed_by

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from markdown_it.token import Token

    from tests.docs.site_pages import Page

_PARSER = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=6)

# Served beside the documentation, and built of other sources.
_PLAYGROUND = ROOT / "index.html"

# Only pages that people write: the links of TypeDoc, Sphinx and Furo are theirs.
_EXTERNAL = re.compile(
    r"https://[a-z0-9.-]+\.[a-z]{2,}(?:/[\w./@%~+-]*)?(?:#[\w.-]+)?"
    r"|http://(?:localhost|127\.0\.0\.1):\d+/"
)


def _sources() -> list[str]:
    listing = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md")
    listed = printed_by(find_program("git"), *listing, folder=ROOT)
    names = sorted(filter(None, listed.split("\0")))
    # The trees of demos and of tests are data.
    return [
        name
        for name in names
        if (ROOT / name).is_file() and not re.match(r"(?:docs/trees|tests)/", name)
    ]


def _tokens(name: str) -> Iterator[Token]:
    for token in _PARSER.parse((ROOT / name).read_text("utf-8")):
        yield token
        yield from token.children or []


def _anchors(path: Path) -> set[str]:
    name = path.relative_to(ROOT).as_posix()
    tokens = list(_tokens(name))
    anchors = {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}
    for token in tokens:
        if token.type == "fence" and token.info.startswith("{include} "):
            anchors |= _anchors((path.parent / token.info.removeprefix("{include} ")).resolve())
    return anchors


def _links(name: str) -> list[str]:
    return [str(token.attrs["href"]) for token in _tokens(name) if token.type == "link_open"]


@pytest.mark.parametrize("name", _sources())
def test_every_link_of_a_source_leads_to_a_file_and_a_heading(name: str) -> None:
    dead = []
    for link in _links(name):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = ((ROOT / name).parent / unquote(parts.path)).resolve()
        target = target if parts.path else ROOT / name
        if target == _PLAYGROUND:
            continue
        if not target.exists() or (parts.fragment and parts.fragment not in _anchors(target)):
            dead.append(link)

    assert dead == []


def test_external_links_of_the_sources_are_plain_https_addresses_or_of_this_machine() -> None:
    external = {link for name in _sources() for link in _links(name) if urlsplit(link).scheme}

    assert {link for link in external if not _EXTERNAL.fullmatch(link)} == set()


@pytest.fixture(scope="module")
def site(dist: Path) -> dict[Path, Page]:
    """Every page of the site: the documentation's, and the playground."""
    return read_pages(dist / "site")


def test_every_link_and_anchor_of_the_site_is_there(site: dict[Path, Page]) -> None:
    assert list(dead_links(site)) == []


def test_no_page_of_the_site_loads_from_another_host(site: dict[Path, Page]) -> None:
    loaded = {link for page in site.values() for link in page.loaded if link.is_external}

    assert loaded == set[Link]()


def test_every_page_of_the_sources_is_a_page_of_the_site(
    site: dict[Path, Page], dist: Path
) -> None:
    sources = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    wanted = {path.with_suffix(".html") for path in sources if path.parts[0] != "trees"}

    built = {
        path.relative_to((dist / "site" / "docs").resolve())
        for path in site
        if "docs" in path.parts
    }
    assert wanted - built == set()
