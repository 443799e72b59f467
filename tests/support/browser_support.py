"""Find a browser, serve a folder on loopback, and open pages that may not misbehave.

A pytest plugin for every folder of tests that drives a browser, and plain
functions for scripts that do.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    WebError,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError

from build_steps.programs import runs_as_root
from build_steps.testing.browsers import NAMES, VARIABLE

BROWSERS = tuple(NAMES)
"""The browsers that tests drive."""

_DISABLED_FEATURES = (
    # Two pages behind the address bar of each window, a third of a test's processor time.
    *("WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
    # Chromium heeds the last list alone, so that of Playwright follows, as it stands there.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("DialMediaRouteProvider", "GlobalMediaControls", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("BlockOriginHeaderModificationOnRedirect", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("Translate", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
)

CHROMIUM_ARGUMENTS = (
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    # Requests of the browser itself could not be told from the page's.
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 60_000
"""Much longer than anything takes: a machine that runs many browsers at once is slow."""

expect.set_options(timeout=PATIENCE_MS)

_LOOPBACK = {"127.0.0.1", "localhost", "[::1]", "::1"}
_NO_NETWORK_SCHEMES = {"about", "blob", "data", "file"}

_CUT_OFF_IMPORT = "error loading dynamically imported module: blob:"
"""What Firefox reports of a worker that ends while it imports a Blob."""


class BrowserNotFound(Exception):
    """No browser of that kind is installed; the text says how to name one."""


def launch_browser(playwright: Playwright, name: str) -> Browser:
    """Return a running browser; the caller closes it.

    Args:
        playwright: The driver.
        name: One of `BROWSERS`.

    Raises:
        BrowserNotFound: No such browser is installed.
    """
    kind: BrowserType = getattr(playwright, name)
    program = _find_browser(kind)
    if name == "chromium":
        arguments = [*CHROMIUM_ARGUMENTS, *chromium_arguments_here()]
        return kind.launch(executable_path=program, args=arguments)
    # An ordinary Firefox speaks WebDriver BiDi, which this channel stands for.
    is_ordinary = program != kind.executable_path
    return kind.launch(executable_path=program, channel="moz-firefox" if is_ordinary else None)


def find_chromium(chromium: BrowserType) -> str:
    """Return the path of the Chromium that tests drive.

    Raises:
        BrowserNotFound: No Chromium is installed.
    """
    return _find_browser(chromium)


def _find_browser(kind: BrowserType) -> str:
    named = os.environ.get(VARIABLE) if kind.name == "chromium" else None
    places = [named] if named else [*NAMES[kind.name], kind.executable_path]
    if found := next(filter(None, map(shutil.which, places)), None):
        return found
    message = (
        f"{kind.name} is not there to run: put one of {', '.join(NAMES[kind.name])} on the PATH"
    )
    if named:
        message = f"{VARIABLE} names {named!r}, which is not there to run: correct or unset it"
    raise BrowserNotFound(message)


def chromium_arguments_here() -> list[str]:
    """Return the arguments without which Chromium does not start for this user."""
    # Chromium's own sandbox refuses to work for root.
    return ["--no-sandbox"] if runs_as_root() else []


@contextmanager
def open_watched_page(
    browser: Browser,
    *,
    answered_hosts: frozenset[str] = frozenset(),
    faults: list[str] | None = None,
) -> Iterator[Page]:
    """Yield a page of a fresh profile that must behave while the context lasts.

    Args:
        browser: Where the page is opened.
        answered_hosts: Hosts whose requests the caller answers itself, so that
            none of them leaves the machine.
        faults: Takes what the page does wrong when it happens. A caller that
            shares the page between tests can so fail the right one, and clear it.

    Raises:
        AssertionError: At the end, if the page or a worker of it wrote an error
            to the console, left an exception or a rejection unhandled, or asked
            a host for something that is not loopback.
    """
    faults = [] if faults is None else faults

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "assert"}:
            faults.append(f"console {message.type}: {message.text}")

    def on_error(web_error: WebError) -> None:
        if _CUT_OFF_IMPORT not in str(web_error.error):
            faults.append(f"unhandled: {web_error.error}")

    def on_request(request: Request) -> None:
        url = urlsplit(request.url)
        known_hosts = _LOOPBACK | answered_hosts
        if url.scheme not in _NO_NETWORK_SCHEMES and url.hostname not in known_hosts:
            faults.append(f"request to another host: {request.url}")

    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    try:
        context.on("console", on_console)
        context.on("weberror", on_error)
        context.on("request", on_request)
        yield context.new_page()
    except BaseException as error:
        # What the page complained of is often why the test failed.
        for fault in faults:
            error.add_note(fault)
        raise
    finally:
        for page in context.pages:
            keep_notes(page)
        context.close()
    raise_faults(faults)


def expect_console_error(page: Page) -> AbstractContextManager[object]:
    """Wait, when the context ends, for the first error in the page's console.

    What a page answers can arrive before what its browser wrote to the console, so a test
    that provokes a complaint must not close the page before the complaint is there.
    """
    return page.context.expect_event("console", lambda message: message.type == "error")


def keep_notes(page: Page) -> None:
    """Write down which functions have run, if `build.py profile` runs the tests."""
    folder = os.environ.get("TREEGLASS_NOTES")
    if folder is None:
        return
    for worker in page.workers:
        # A worker may have ended by now.
        with suppress(PlaywrightError):
            notes = worker.evaluate("() => globalThis.treeglassNotes?.()")
            if notes is not None:
                Path(folder, f"{uuid4()}.json").write_text(notes, "utf-8")


def raise_faults(faults: list[str]) -> None:
    """Raise what a watched page did wrong, and forget it.

    Raises:
        AssertionError: There is something in the list, which is empty afterwards.
    """
    told = list(faults)
    faults.clear()
    if told:
        raise AssertionError("\n".join(["the page misbehaved:", *told]))


class Browsers:
    """The browsers of one session, each launched when it is first asked for."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._driver: Playwright | None = None
        self._launched: dict[str, Browser] = {}

    def get(self, name: str) -> Browser:
        """Return the running browser of that name, one of `BROWSERS`.

        Raises:
            BrowserNotFound: No such browser is installed.
        """
        if name not in self._launched:
            browser = launch_browser(self._started_driver(), name)
            self._stack.callback(browser.close)
            self._launched[name] = browser
        return self._launched[name]

    @contextmanager
    def launch_anew(self, name: str) -> Iterator[Browser]:
        """Yield a browser of its own while the context lasts.

        For what depends on the browser's cache: Firefox goes without one for good
        as soon as a page of its has had a request answered by a test.
        """
        browser = launch_browser(self._started_driver(), name)
        try:
            yield browser
        finally:
            browser.close()

    @contextmanager
    def launch_with_extension(self, extension: Path, profile: Path) -> Iterator[BrowserContext]:
        """Yield a Chromium that has loaded an extension, with a profile in an empty folder."""
        chromium = self._started_driver().chromium
        context = chromium.launch_persistent_context(
            str(profile),
            executable_path=find_chromium(chromium),
            # Playwright's own headless mode loads no extensions.
            headless=False,
            args=[
                "--headless=new",
                f"--disable-extensions-except={extension}",
                f"--load-extension={extension}",
                *chromium_arguments_here(),
            ],
        )
        context.set_default_timeout(PATIENCE_MS)
        try:
            yield context
        finally:
            context.close()

    def _started_driver(self) -> Playwright:
        if self._driver is None:
            # One driver for a whole session: a second one cannot start beside it.
            self._driver = self._stack.enter_context(sync_playwright())
        return self._driver

    def close(self) -> None:
        """Close every browser and the driver."""
        self._stack.close()


@pytest.fixture(scope="session")
def browsers() -> Iterator[Browsers]:
    """Browsers by name, shared by every test of the session."""
    shared = Browsers()
    yield shared
    shared.close()


def use_browser_support(config: pytest.Config) -> None:
    """Register this plugin from a `conftest.py`, once however many ask for it."""
    if not config.pluginmanager.has_plugin(__name__):
        config.pluginmanager.register(sys.modules[__name__], __name__)
