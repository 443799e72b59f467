"""A Chromium for the browser tests: told, found, or installed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from build_steps.failure import BuildFailed
from build_steps.programs import run_quietly

VARIABLE = "TREEGLASS_CHROMIUM"
"""The environment variable that names the browser, to this module and to the tests."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_chromium() -> str:
    """Return the path of a Chromium: the variable's, the PATH's, or Playwright's own.

    Raises:
        BuildFailed: There is none, and none could be installed.
    """
    told = os.environ.get(VARIABLE)
    if told:
        if not Path(told).is_file():
            raise BuildFailed(f"{VARIABLE} names {told}, where no file is: correct or unset it.")
        return told
    on_the_path = next(filter(None, map(shutil.which, _NAMES)), None)
    if on_the_path:
        return on_the_path
    own = _playwright_chromium()
    if not own.is_file():
        print("No Chromium was found: installing Playwright's own.", flush=True)
        run_quietly(
            [sys.executable, "-m", "playwright", "install", "chromium"],
            log_name="playwright-install",
            otherwise="The browser tests need Chromium, and it could not be installed: "
            f"install Chromium or Google Chrome, or name one in {VARIABLE}.",
        )
    return os.fspath(own)


def _playwright_chromium() -> Path:
    # Not at the top: it takes longer than everything that `bundle` imports.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only this road needs it

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)
