"""What a button of the documentation opens in StackBlitz installs and starts."""

import shlex
from pathlib import Path

import pytest
from playwright.sync_api import expect

from build_steps.site.stackblitz import EXAMPLES
from tests.bundlers.built_project import run, served
from tests.docs.site_pages import Page, stackblitz_projects
from tests.support.browser_support import Browsers, open_watched_page


@pytest.mark.network
@pytest.mark.parametrize("title", EXAMPLES.values(), ids=EXAMPLES)
def test_project_of_a_button_starts_in_an_empty_folder(
    browsers: Browsers, dist: Path, tarball: Path, tmp_path: Path, title: str
) -> None:
    page_of_adapters = Page(dist / "site" / "docs" / "adapters.html")
    for name, text in stackblitz_projects(page_of_adapters)[title].items():
        (tmp_path / name).write_text(text, "utf-8")

    # npm gets the published version from the tarball, as it gets it from a registry.
    run(f"npm install --no-audit --no-fund {shlex.quote(str(tarball))}", tmp_path)

    with (
        served("npm start", tmp_path) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(origin)
        # The page enables it once it has the tools.
        expect(page.locator("button[type=submit]")).to_be_enabled()
