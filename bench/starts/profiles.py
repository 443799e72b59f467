"""Browsers with a profile that is kept, so that a second visit finds the caches of the first."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from build_steps.programs import runs_as_root
from tests.support.browser_support import launch_browser, open_watched_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Playwright

_CHROMIUM_ARGUMENTS = (
    # Otherwise the browser's requests to its maker would be measured too.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def open_visit(playwright: Playwright, browser: str, profile: Path) -> Iterator[Page]:
    """Open a page in a new browser process.

    Args:
        playwright: The driver.
        browser: "chromium" or "firefox".
        profile: A folder that Chromium keeps its cache in, made when it is not
            there. Firefox gets a new profile each time.

    Raises:
        AssertionError: At the end, if the page misbehaved.
    """
    if browser == "firefox":
        launched = launch_browser(playwright, browser)
        try:
            with open_watched_page(launched) as page:
                yield page
        finally:
            launched.close()
    else:
        with _open_chromium(playwright, profile) as page:
            yield page


@contextmanager
def _open_chromium(playwright: Playwright, profile: Path) -> Iterator[Page]:
    named = os.environ.get("TREEGLASS_CHROMIUM", "chromium")
    root = ["--no-sandbox"] if runs_as_root() else []
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=shutil.which(named), args=[*_CHROMIUM_ARGUMENTS, *root]
    )
    faults: list[str] = []
    context.on("console", lambda said: faults.extend([said.text] * (said.type == "error")))
    context.on("weberror", lambda web_error: faults.append(f"unhandled: {web_error.error}"))
    try:
        yield context.new_page()
    finally:
        context.close()
    assert not faults, f"the page misbehaved: {faults}"
