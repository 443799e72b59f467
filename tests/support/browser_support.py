"""Find a browser, serve a folder on loopback, and open pages that may not misbehave.

A pytest plugin for every folder of tests that drives a browser, and plain
functions for scripts that do.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from build_steps.programs import runs_as_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager

    from playwright.sync_api import (
        Browser,
        BrowserContext,
        BrowserType,
        ConsoleMessage,
        Page,
        Playwright,
        Request,
    )

BROWSERS = ("chromium", "firefox")
"""The browsers that tests drive."""

_CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FIREFOX_NAMES = ("firefox-esr", "firefox")
_CHROMIUM_ARGUMENTS = (
    # Requests of the browser itself could not be told from the page's.
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_LOOPBACK = {"127.0.0.1", "localhost", "[::1]", "::1"}
_NO_NETWORK_SCHEMES = {"about", "blob", "data", "file"}

# The system's table differs from machine to machine, and a browser refuses a
# module or a wasm stream of the wrong type.
_MIME_TYPES = {
    "": "application/octet-stream",
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".toml": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
}


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
    return _launch_firefox(playwright) if name == "firefox" else _launch_chromium(playwright)


def _launch_chromium(playwright: Playwright) -> Browser:
    program = find_chromium(playwright.chromium)
    arguments = [*_CHROMIUM_ARGUMENTS, *chromium_arguments_here()]
    return playwright.chromium.launch(executable_path=program, args=arguments)


def find_chromium(chromium: BrowserType) -> str:
    """Return the path of the Chromium that tests drive.

    Raises:
        BrowserNotFound: No Chromium is installed.
    """
    named = os.environ.get("TREEGLASS_CHROMIUM")
    found = shutil.which(named) if named else _first_on_path(_CHROMIUM_NAMES)
    found = found or (None if named else _own(chromium))
    if found is None:
        asked = f"TREEGLASS_CHROMIUM names {named!r}, which" if named else "Chromium"
        message = (
            f"{asked} is not there to run: set TREEGLASS_CHROMIUM to its path, "
            f"or put one of {', '.join(_CHROMIUM_NAMES)} on the PATH"
        )
        raise BrowserNotFound(message)
    return found


def chromium_arguments_here() -> list[str]:
    """Return the arguments without which Chromium does not start for this user."""
    # Chromium's own sandbox refuses to work for root.
    return ["--no-sandbox"] if runs_as_root() else []


def _launch_firefox(playwright: Playwright) -> Browser:
    if found := _first_on_path(_FIREFOX_NAMES):
        # An ordinary Firefox speaks WebDriver BiDi, which this channel stands for.
        return playwright.firefox.launch(channel="moz-firefox", executable_path=found)
    if _own(playwright.firefox) is None:
        message = f"Firefox is not there to run: put one of {', '.join(_FIREFOX_NAMES)} on the PATH"
        raise BrowserNotFound(message)
    return playwright.firefox.launch()


def _first_on_path(names: tuple[str, ...]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def _own(browser_type: BrowserType) -> str | None:
    path = browser_type.executable_path
    return path if Path(path).exists() else None


class _Handler(SimpleHTTPRequestHandler):
    """Files of one folder and pages from memory, uncached, without a log."""

    protocol_version = "HTTP/1.1"
    extensions_map = _MIME_TYPES

    def __init__(
        self,
        *args: object,
        directory: str,
        pages: Mapping[str, bytes],
        headers: Mapping[str, str],
        own_headers: Mapping[str, Mapping[str, str]],
        asked: list[str],
        missing: AbstractSet[str],
    ) -> None:
        self._own_headers = own_headers
        self._missing = missing
        self._pages = pages
        self._headers = headers
        self._asked = asked
        super().__init__(*args, directory=directory)  # type: ignore[arg-type]  # socketserver's three

    def handle(self) -> None:
        """Answer until the browser leaves, which may be in the middle of a file."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self._asked.append(path)
        if path in self._missing:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        page = self._pages.get(path)
        if page is None:
            super().do_GET()
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(self.path.removesuffix("/") or "x.html"))
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return the type by the name's last suffix and nothing else."""
        suffix = Path(path).suffix.lower()
        return self.extensions_map.get(suffix, self.extensions_map[""])

    def end_headers(self) -> None:
        if "Cache-Control" not in self._headers:
            self.send_header("Cache-Control", "no-store")
        path = urlsplit(self.path).path
        for name, value in self._own_headers.get(path, self._headers).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing: a test's output is its own."""


@contextmanager
def serve_directory(
    directory: Path,
    *,
    pages: Mapping[str, bytes] | None = None,
    headers: Mapping[str, str] | None = None,
    own_headers: Mapping[str, Mapping[str, str]] | None = None,
    asked: list[str] | None = None,
    missing: AbstractSet[str] = frozenset(),
) -> Iterator[str]:
    """Serve a folder on loopback while the context lasts; yields its origin.

    Args:
        directory: The folder at `/`.
        pages: Path to content of what is served besides, such as `/blank.html`;
            looked up at each request, so the caller may change it.
        headers: Added to every response, such as a Content-Security-Policy; a
            Cache-Control takes the place of the usual `no-store`.
        own_headers: By a path, the headers that its response has instead.
        asked: Takes the path of every request, in the order of their arrival.
        missing: Paths that are not served although the folder has them.
    """
    handler = partial(
        _Handler,
        directory=str(directory),
        pages={} if pages is None else pages,
        headers=dict(headers or {}),
        own_headers=dict(own_headers or {}),
        asked=[] if asked is None else asked,
        missing=missing,
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


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

    def on_request(request: Request) -> None:
        url = urlsplit(request.url)
        known_hosts = _LOOPBACK | answered_hosts
        if url.scheme not in _NO_NETWORK_SCHEMES and url.hostname not in known_hosts:
            faults.append(f"request to another host: {request.url}")

    context = browser.new_context()
    try:
        context.on("console", on_console)
        context.on("weberror", lambda web_error: faults.append(f"unhandled: {web_error.error}"))
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


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of tests that drive a browser."""
    config.addinivalue_line("markers", "browser: drives a real browser over the built dist/")


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
