"""The playground under a strict policy, with a tree of hostile names and contents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers, extract_zip
from tests.browser.hostile.tree import DRAWN, HOSTILE
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import PATIENCE_MS
from tests.support.browser_support import BROWSERS, open_watched_page
from tests.support.served_directory import serve_directory

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.support.browser_support import Browsers

pytestmark = pytest.mark.browser

_STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types default"
)

# Kept in the page's own tree: under this policy a driver can evaluate nothing in the page.
_NOTE_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  const { dataset } = document.documentElement;
  dataset.violations = `${dataset.violations ?? ""}${event.effectiveDirective} ${event.sample};`;
});
"""


def _content(page: Page, view: str, name: str) -> str:
    region = page.locator(view).get_by_role("region", name=name, exact=True)
    return region.text_content() or ""


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_a_hostile_tree_is_text_in_every_view_and_violates_nothing(
    browsers: Browsers, dist: Path, tmp_path: Path, browser_name: str
) -> None:
    archive = tmp_path / "hostile.zip"
    archive.write_bytes(zip_of(HOSTILE))
    answers = CPythonAnswers(extract_zip(archive, tmp_path / "hostile"))
    with (
        serve_directory(dist / "site", headers={"Content-Security-Policy": _STRICT}) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(_NOTE_VIOLATIONS)
        page.goto(f"{origin}/")
        calls = page.locator("#call-history li")
        expect(calls).to_have_count(1, timeout=PATIENCE_MS)
        page.locator("#archive-input").set_input_files(archive)
        expect(calls).to_have_count(2, timeout=PATIENCE_MS)
        listed = _content(page, "#console-view", "Content")
        names = page.get_by_role("tree", name="Tree").get_by_role("treeitem")
        drawn = [name.text_content() for name in names.all()]
        page.get_by_role("treeitem", name="README.md").click()
        page.get_by_role("button", name="Read", exact=True).click()
        expect(calls).to_have_count(3, timeout=PATIENCE_MS)
        page.get_by_label("Show invisibles").uncheck()
        read = _content(page, "#console-view", "Content")
        page.get_by_role("tab", name="Compare", exact=True).click()
        outcome = page.locator("#compare-view [role=status]")
        expect(outcome).to_have_text(re.compile("^list_dir .+, LS .+, list_directory .+$"))
        compared = _content(page, "#compare-view", "Content of list_dir")
        for summary in page.locator("#compare-view .missing summary").all():
            summary.click()
        page.get_by_role("tab", name="Agent", exact=True).click()
        page.get_by_role("button", name="Start the tour").click()
        expect(page.get_by_role("button", name="Stop", exact=True)).to_be_disabled(
            timeout=PATIENCE_MS
        )
        elements = page.locator("img, main script, main svg[onload]").count()
        noted = {
            name: page.locator("html").get_attribute(f"data-{name}")
            for name in ("violations", "ran")
        }

    listing = answers.content("list_dir", {"dir_path": "/repo"})
    assert (listed, compared) == (listing, listing)
    assert read == answers.content("read_file", {"file_path": "/repo/README.md"})
    assert drawn == ["/repo", *DRAWN]
    assert (elements, noted) == (0, {"violations": None, "ran": None})
