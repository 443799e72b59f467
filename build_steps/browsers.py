"""Browsers for the tests: told, found, or installed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from build_steps.failure import BuildFailed
from build_steps.programs import run_quietly

VARIABLE = "TREEGLASS_CHROMIUM"
"""The environment variable that names a Chromium, to this module and to the tests."""

_NAMES = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}


def make_sure_of_browsers() -> None:
    """Leave a Chromium and a Firefox where the tests look for them.

    They look at the variable (Chromium only), then on the PATH, then where
    Playwright keeps its own; what is in none of these is installed there.

    Raises:
        BuildFailed: One is missing and could not be installed.
    """
    told = os.environ.get(VARIABLE)
    if told and shutil.which(told) is None:
        raise BuildFailed(f"{VARIABLE} names {told!r}, which cannot be run: correct or unset it.")
    missing = [
        browser
        for browser, names in _NAMES.items()
        if not (told and browser == "chromium") and not any(map(shutil.which, names))
    ]
    for browser in missing:
        if not _playwrights_own(browser).is_file():
            _install(browser)


def _playwrights_own(browser: str) -> Path:
    # Not at the top: it takes longer than everything that `bundle` imports.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only this road needs it

    with sync_playwright() as playwright:
        browser_type = playwright.chromium if browser == "chromium" else playwright.firefox
        return Path(browser_type.executable_path)


def _install(browser: str) -> None:
    print(f"No {browser} was found: installing Playwright's own.", flush=True)
    run_quietly(
        [sys.executable, "-m", "playwright", "install", browser],
        log_name=f"playwright-install-{browser}",
        otherwise=f"The browser tests need {browser}, and it could not be installed: "
        f"put one of {', '.join(_NAMES[browser])} on the PATH.",
    )
