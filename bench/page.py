"""A page in a browser process of its own, over a folder served on loopback."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build_steps.programs import find_node_tool
from tests.support.browser_support import launch_browser, open_watched_page
from tests.support.served_directory import serve_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Playwright

_HERE = Path(__file__).parent
_BUNDLED = _HERE / "bundled"

BLANK_PAGE = b'<!doctype html><title>bench</title><link rel="icon" href="data:,">'

JUST_BASH = "just-bash.js"
"""The bundle of just-bash; pages import it from the root of their site."""

# Replacements for modules of Node.js that a browser lacks, as bundlers' manuals name them.
_ALIASES = {
    "node:buffer": "buffer",
    "node:events": "events",
    "node:path": "path-browserify",
    "node:stream": "readable-stream",
    "stream": "readable-stream",
    "node:url": str(_BUNDLED / "browser_url.mjs"),
    "node:zlib": str(_BUNDLED / "no_zlib.cjs"),
}


@contextmanager
def open_fresh_page(
    playwright: Playwright, site: Path, content: bytes = BLANK_PAGE, *, name: str = "chromium"
) -> Iterator[Page]:
    """Open a page in a new browser with a new profile.

    Args:
        playwright: The driver.
        site: The folder that is served besides the page.
        content: The page's HTML.
        name: "chromium" or "firefox".
    """
    with serve_directory(site, pages={"/blank.html": content}) as origin:
        browser = launch_browser(playwright, name)
        try:
            with open_watched_page(browser) as page:
                page.goto(f"{origin}/blank.html")
                yield page
        finally:
            browser.close()


def browser_version(page: Page) -> str:
    """Return the browser's name and version."""
    browser = page.context.browser
    return f"{browser.browser_type.name.capitalize()} {browser.version}" if browser else ""


def in_page(page: Page, module: str, expression: str, given: object = None) -> Any:
    """Return what an expression of a script in the page's site gives."""
    return page.evaluate(f"async (given) => (await import('/{module}')).{expression}", given)


def bundle(script: Path, target: Path) -> None:
    """Write a script with the packages that it imports as one script for a page.

    Raises:
        subprocess.CalledProcessError: Something that it imports cannot be in a page.
    """
    command = [
        *(find_node_tool("esbuild"), str(script), "--bundle", "--format=esm"),
        *("--platform=browser", "--target=es2022", "--minify", "--log-level=error"),
        *(f"--alias:{name}={stand_in}" for name, stand_in in _ALIASES.items()),
        *(f"--external:/{JUST_BASH}", f"--outfile={target}"),
    ]
    subprocess.run(command, cwd=_HERE, capture_output=True, text=True, check=True)


def bundle_just_bash(site: Path) -> None:
    """Put just-bash into a site."""
    bundle(_BUNDLED / "just_bash.mjs", site / JUST_BASH)


def pinned(*names: str) -> list[str]:
    """Return packages of the benchmark with their versions."""
    pins = json.loads((_HERE / "package.json").read_text("utf-8"))["dependencies"]
    return [f"{name} {pins[name]}" for name in names]
