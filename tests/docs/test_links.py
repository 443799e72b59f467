"""Every link leads somewhere: in the sources as a code host shows them, and in the built site."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from build_steps.programs import find_program
from tests.docs.blocks.code_blocks import DOCS, ROOT
from tests.docs.site_pages import Link, Page, dead_links, read_pages
from tests.support.markdown_links import ADDRESS, is_there, links_of
from tests.support.programs import printed_by

# Served beside the documentation, and built of other sources.
_PLAYGROUND = ROOT / "index.html"


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


def _links(name: str) -> list[str]:
    return links_of((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("name", _sources())
def test_every_link_of_a_source_leads_to_a_file_and_a_heading(name: str) -> None:
    page = ROOT / name
    inside = [link for link in _links(name) if not urlsplit(link).scheme]

    elsewhere = [link for link in inside if (page.parent / link).resolve() != _PLAYGROUND]
    assert [link for link in elsewhere if not is_there(page, link)] == []


# Only pages that people write: the links of TypeDoc, Sphinx and Furo are theirs.
def test_external_links_of_the_sources_are_plain_https_addresses_or_of_this_machine() -> None:
    external = {link for name in _sources() for link in _links(name) if urlsplit(link).scheme}

    assert {link for link in external if not ADDRESS.fullmatch(link)} == set()


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

    docs = (dist / "site" / "docs").resolve()
    built = {path.relative_to(docs) for path in site if path.is_relative_to(docs)}
    assert wanted - built == set()
