"""The demos of built sites, run in browsers on the pages of themes that people use."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.cpython_answers import without_duration
from tests.docs.sites.site_environment import SiteEnvironment, copy_site, make_environment
from tests.support.browser_support import BROWSERS, Browsers, open_watched_page
from tests.support.served_directory import serve_directory

PAGES = {
    "sphinx": ("index.html", "guide/deep/reading.html"),
    "mkdocs": ("index.html", "guide/deep/reading/index.html"),
}


@pytest.fixture(scope="module")
def sites(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin that serves both sites, each built with the built package."""
    folder = tmp_path_factory.mktemp("built-sites")
    environment = make_environment(folder, dist, "sphinx,mkdocs", "myst-parser", "furo")
    shutil.copytree(dist / "npm", folder / "npm")
    sphinx, mkdocs = copy_site("sphinx", folder), copy_site("mkdocs", folder)
    served = folder / "served"
    _succeed(environment, folder, "-m", "sphinx", "-W", "-q", sphinx, served / "sphinx")
    _succeed(
        *(environment, folder, "-m", "mkdocs", "build", "--strict", "--quiet"),
        *("--config-file", mkdocs / "mkdocs.yml", "--site-dir", served / "mkdocs"),
    )
    # A browser asks for this icon if the theme has none.
    with serve_directory(served, pages={"/favicon.ico": b""}) as origin:
        yield origin


def _succeed(environment: SiteEnvironment, folder: Path, *arguments: str | Path) -> None:
    ran = environment.run(*arguments, cwd=folder)
    assert (ran.returncode, ran.stderr) == (0, "")


def _open(page: Page, address: str) -> Locator:
    """Open a page, and return those demos whose trees lie in the site or in the page."""
    page.goto(address)
    page.evaluate("() => customElements.whenDefined('treeglass-demo')")
    return page.locator("treeglass-demo:not([npm])")


@pytest.mark.parametrize("browser_name", BROWSERS)
@pytest.mark.parametrize("kind", PAGES)
def test_every_demo_answers_live_what_was_recorded(
    browsers: Browsers, sites: str, kind: str, browser_name: str
) -> None:
    with open_watched_page(browsers.get(browser_name)) as page:
        for path in PAGES[kind]:
            for demo in _open(page, f"{sites}/{kind}/{path}").all():
                recorded = demo.locator("pre[data-recorded]").text_content() or ""
                demo.get_by_role("button", name="Run").click()
                page.wait_for_function(
                    "demo => demo.state === 'answered'", arg=demo.element_handle()
                )
                live = demo.evaluate("demo => demo.result.content")

                assert without_duration(live) == without_duration(recorded)


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_shows_the_recorded_answers_and_no_second_call_before_anything_is_clicked(
    browsers: Browsers, sites: str, kind: str
) -> None:
    with open_watched_page(browsers.get("chromium")) as page:
        demos = _open(page, f"{sites}/{kind}/{PAGES[kind][1]}")

        expect(demos.first.locator("pre[data-recorded]")).to_be_visible()
        expect(demos.first.locator("code.call")).to_be_hidden()
        assert set(demos.evaluate_all("demos => demos.map(demo => demo.state)")) == {"static"}
        expect(page.locator("treeglass-demo[npm] > p")).to_have_text(
            "On click, this page fetches npm:fflate@0.8.3 and shows what list_dir answers to "
            '{"dir_path": "/repo"}.'
        )


@pytest.mark.parametrize(
    ("theme", "preferred", "is_dark"),
    [
        ("light", "dark", False),
        ("dark", "light", True),
        ("auto", "light", False),
        ("auto", "dark", True),
    ],
)
def test_demos_follow_the_theme_of_furo(
    browsers: Browsers, sites: str, theme: str, preferred: str, is_dark: bool
) -> None:
    with open_watched_page(browsers.get("chromium")) as page:
        page.emulate_media(color_scheme="dark" if preferred == "dark" else "light")
        page.add_init_script(f"localStorage.setItem('theme', {theme!r})")
        demo = _open(page, f"{sites}/sphinx/index.html").first
        shown = demo.evaluate(
            "demo => getComputedStyle(demo.shadowRoot.querySelector('[part=box]')).backgroundColor"
        )

    assert shown == ("rgb(20, 25, 26)" if is_dark else "rgb(255, 255, 255)")


@pytest.mark.parametrize("kind", PAGES)
def test_without_scripts_the_call_stands_above_its_answer(
    browsers: Browsers, sites: str, kind: str
) -> None:
    context = browsers.get("chromium").new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{sites}/{kind}/{PAGES[kind][0]}")
        shown = page.locator("treeglass-demo").first.inner_text()
    finally:
        context.close()

    assert shown == (
        'list_dir {"dir_path": "/repo", "depth": 2}\n'
        "Absolute path: /repo\nREADME.md\nsrc/\n  prices.py"
    )
