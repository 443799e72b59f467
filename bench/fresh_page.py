"""A page in a browser process of its own, over a folder served on loopback."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.browser_support import launch_browser, open_watched_page
from tests.support.served_directory import serve_directory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Playwright


@contextmanager
def open_fresh_page(playwright: Playwright, site: Path, content: bytes) -> Iterator[Page]:
    """Open a page in a new Chromium with a new profile.

    Args:
        playwright: The driver.
        site: The folder that is served besides the page.
        content: The page's HTML.
    """
    with serve_directory(site, pages={"/blank.html": content}) as origin:
        browser = launch_browser(playwright, "chromium")
        try:
            with open_watched_page(browser) as page:
                page.goto(f"{origin}/blank.html")
                yield page
        finally:
            browser.close()


def browser_version(page: Page) -> str:
    """Return the browser's name and version."""
    return f"Chromium {page.context.browser.version}" if page.context.browser else ""
