"""The playground under a strict policy, with a tree of hostile names and contents."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers, extract_zip
from tests.browser.hostile.tree import DRAWN, HOSTILE
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, Playground
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

_STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
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


@pytest.mark.each_browser
def test_a_hostile_tree_is_text_in_every_pane_and_violates_nothing(
    browsers: Browsers, dist: Path, tmp_path: Path, browser_name: str
) -> None:
    archive = tmp_path / "hostile.zip"
    archive.write_bytes(zip_of(HOSTILE))
    answers = CPythonAnswers(extract_zip(archive, tmp_path / "hostile"))
    read = '{"file_path": "/repo/README.md"}'
    with (
        serve_directory(dist / "site", headers={"Content-Security-Policy": _STRICT}) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        opened = Playground(page, origin)
        page.set_viewport_size(DESKTOP)
        page.add_init_script(_NOTE_VIOLATIONS)
        opened.open()
        opened.choose_files("archive", archive)
        expect(opened.source_button).to_contain_text("hostile.zip")
        expect(opened.tree_item("__proto__")).to_be_visible()
        drawn = opened.tree_items()
        opened.open_file("README.md")
        expect(opened.code).to_contain_text("red")
        expect(opened.view("As the model reads it").locator("pre")).to_contain_text("red")
        shown = opened.view("As the model reads it").locator("pre").text_content()
        opened.call("read_file", read)
        page.get_by_role("button", name="Clear", exact=True).click()
        opened.take_tour()
        expect(page.get_by_role("button", name="Export patch")).to_be_visible()
        elements = page.locator("main img, main script, main svg[onload]").count()
        noted = {
            name: page.locator("html").get_attribute(f"data-{name}")
            for name in ("violations", "ran")
        }

    assert shown == answers.content("read_file", read)
    assert sorted(drawn) == sorted(DRAWN)
    assert (elements, noted) == (0, {"violations": None, "ran": None})
