"""Each page of the documentation is Markdown too, and `llms.txt` lists the pages."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.markdown_links import is_there, links_of


@pytest.fixture(scope="module")
def docs(dist: Path) -> Path:
    """The documentation of the site."""
    return dist / "site" / "docs"


def test_every_page_has_its_markdown_beside_it(docs: Path) -> None:
    pages = {path.relative_to(docs) for path in docs.rglob("*.html")}
    texts = {path.relative_to(docs).with_suffix(".html") for path in docs.rglob("*.md")}

    assert {path.as_posix() for path in pages ^ texts} == {"search.html"}


def test_every_link_of_the_markdown_leads_to_a_file_of_the_site(docs: Path) -> None:
    written = sorted(docs.rglob("*.md"))
    dead = [
        f"{page.relative_to(docs)}: {link}"
        for page in written
        for link in links_of(page.read_text("utf-8"))
        if not urlsplit(link).scheme and not is_there(page, link)
    ]

    assert dead == []


def test_markdown_has_the_recorded_answers_and_nothing_for_sphinx_alone(docs: Path) -> None:
    texts = {path: path.read_text("utf-8") for path in docs.rglob("*.md")}

    tool = texts[docs / "tools" / "list_dir.md"]
    assert tool.startswith(
        "# `list_dir`\n\n"
        "Lists a directory and the directories below it as indented lines, page by page.\n"
        "It copies Codex's `list_dir`; [where it comes from](origins.md#codex) "
        "has the source and what was compared.\n\n"
        "A directory, two levels deep:\n\n"
        '```text\nlist_dir {"dir_path": "/repo"}\n```\n\n'
        "```text\nAbsolute path: /repo\n"
    )
    directives = {
        path.relative_to(docs).as_posix()
        for path, text in texts.items()
        # The pages about demos show how a directive is written, in a longer fence.
        if re.search(r"^```\{(?!treeglass-demo)", text, re.MULTILINE) or "orphan:" in text
    }
    assert directives == set()


def test_list_for_machines_names_every_page_that_the_navigation_has(docs: Path) -> None:
    text = (docs / "llms.txt").read_text("utf-8")
    listed = set(re.findall(r"^- \[.+\]\(([^)]+)\.md\)", text, re.MULTILINE))
    navigation = (docs / "search.html").read_text("utf-8")
    linked = set(re.findall(r'<li class="toctree-.*?href="([^".#][^"#]*)\.html"', navigation))

    by_pattern = {name for name in linked if name.startswith("reference/javascript/")}
    assert (linked - by_pattern, linked >= listed) == (listed - by_pattern, True)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Start",
        "Guides",
        "The tools",
        "Reference",
        "About",
    ]
