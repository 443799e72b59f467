"""A page in a browser process of its own, over a folder served on loopback."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build_steps.folders import NPM
from build_steps.programs import find_node_tool
from tests.support.browser_support import (
    CHROMIUM_ARGUMENTS,
    chromium_arguments_here,
    find_chromium,
    launch_browser,
    open_watched_page,
)
from tests.support.served_directory import serve_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Playwright

_HERE = Path(__file__).parent
_BUNDLED = _HERE / "bundled"

BLANK_PAGE = b'<!doctype html><title>bench</title><link rel="icon" href="data:,">'

_JUST_BASH = "just-bash.js"
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
def open_page(
    playwright: Playwright, name: str = "chromium", profile: Path | None = None
) -> Iterator[Page]:
    """Open a page in a new browser process, in a new profile or, in Chromium, in a kept one.

    Raises:
        AssertionError: At the end, if the page misbehaved.
    """
    if profile is None:
        browser = launch_browser(playwright, name)
        try:
            with open_watched_page(browser) as page:
                yield page
        finally:
            browser.close()
        return
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=find_chromium(playwright.chromium),
        args=[*CHROMIUM_ARGUMENTS, *chromium_arguments_here()],
    )
    faults: list[str] = []
    context.on("console", lambda said: faults.extend([said.text] * (said.type == "error")))
    context.on("weberror", lambda web_error: faults.append(f"unhandled: {web_error.error}"))
    try:
        yield context.new_page()
    finally:
        context.close()
    assert not faults, f"the page misbehaved: {faults}"


@contextmanager
def open_fresh_page(
    playwright: Playwright, site: Path, content: bytes = BLANK_PAGE, *, name: str = "chromium"
) -> Iterator[Page]:
    """Open a page of this HTML in a new browser with a new profile, beside a served folder."""
    with (
        serve_directory(site, pages={"/blank.html": content}) as origin,
        open_page(playwright, name) as page,
    ):
        page.goto(f"{origin}/blank.html")
        yield page


def browser_version(page: Page) -> str:
    """Return the browser's name and version."""
    browser = page.context.browser
    return f"{browser.browser_type.name.capitalize()} {browser.version}" if browser else ""


def in_page(page: Page, module: str, expression: str, given: object = None) -> Any:
    """Return what an expression of a script in the page's site gives."""
    return page.evaluate(f"async (given) => (await import('/{module}')).{expression}", given)


def lay_out(site: Path, *scripts: Path) -> Path:
    """Make a folder with copies of the package, of just-bash and of scripts; return it.

    No build can change what is measured then.
    """
    shutil.copytree(NPM, site / "npm")
    for script in scripts:
        shutil.copyfile(script, site / script.name)
    bundle(_BUNDLED / "just_bash.mjs", site / _JUST_BASH)
    return site


def bundle(script: Path, target: Path) -> None:
    """Write a script with the packages that it imports as one script for a page."""
    command = [
        *(find_node_tool("esbuild"), str(script), "--bundle", "--format=esm"),
        *("--platform=browser", "--target=es2022", "--minify", "--log-level=error"),
        *(f"--alias:{name}={stand_in}" for name, stand_in in _ALIASES.items()),
        *(f"--external:/{_JUST_BASH}", f"--outfile={target}"),
    ]
    subprocess.run(command, cwd=_HERE, check=True)


def pinned(*names: str) -> list[str]:
    """Return packages of the benchmark with their versions."""
    pins = json.loads((_HERE / "package.json").read_text("utf-8"))["dependencies"]
    return [f"{name} {pins[name]}" for name in names]
