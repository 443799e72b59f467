"""The package on one origin and the page on another, as from a delivery network."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.loopback_hosts import READABLE
from tests.support.browser_support import PATIENCE_MS, Browsers, open_watched_page
from tests.support.served_directory import serve_directory

pytestmark = pytest.mark.slow


_PAGE = b'<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">'

_FRAMED = b"""<!doctype html><title>frame</title><link rel="icon" href="data:,">
<iframe sandbox="allow-scripts" src="/page.html"></iframe>"""

_CONNECT = """async (origin) => {
    const { connect, TreeglassError } = await import(`${origin}/index.js`);
    try {
        const client = await connect();
        await client.mount("/repo", { entries: { "a.txt": "1\\n" } });
        const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
        await client.close();
        return { content, way: client.start.way, reason: client.start.reason };
    } catch (error) {
        return error instanceof TreeglassError
            ? { name: error.name, message: error.message }
            : { name: error.name };
    }
}"""

_ANSWERED = {"content": "Absolute path: /repo\na.txt", "way": "image", "reason": None}

_BLOB_URLS = """() => {
    globalThis.blobUrls = { made: [], revoked: [] };
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (blob) => {
        const address = createObjectURL.call(URL, blob);
        globalThis.blobUrls.made.push(address);
        return address;
    };
    URL.revokeObjectURL = (address) => {
        globalThis.blobUrls.revoked.push(address);
        revokeObjectURL.call(URL, address);
    };
}"""


def _refusal(package: str) -> dict[str, str]:
    message = (
        f"The worker did not start from {package}/assets/worker.js, which is not of the page's own "
        "origin; send it with Access-Control-Allow-Origin, and where the page has a "
        "Content-Security-Policy, allow blob: in its worker-src and "
        f"{package} in its script-src."
    )
    return {"name": "StartFailed", "message": message}


def _policy(package: str, *, workers: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": f"default-src 'none'; img-src data:; connect-src {package}; "
        f"script-src 'wasm-unsafe-eval' {package}; worker-src {workers}"
    }


@pytest.fixture
def elsewhere(dist: Path) -> Iterator[str]:
    """The origin of the package, which any page may read."""
    with serve_directory(dist / "npm", headers=READABLE) as origin:
        yield origin


@pytest.fixture
def open_page(browsers: Browsers, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a page of an origin that has nothing else; by the browser's name and the headers."""
    with ExitStack() as stack:

        def open_one(browser_name: str, headers: dict[str, str] | None = None) -> Page:
            pages = {"/page.html": _PAGE, "/framed.html": _FRAMED}
            served = serve_directory(tmp_path, pages=pages, headers=headers)
            origin = stack.enter_context(served)
            page = stack.enter_context(open_watched_page(browsers.get(browser_name)))
            page.goto(f"{origin}/page.html")
            return page

        yield open_one


@pytest.mark.each_browser
def test_a_page_uses_the_package_of_another_origin(
    open_page: Callable[..., Page], elsewhere: str, browser_name: str
) -> None:
    page = open_page(browser_name)
    page.evaluate(_BLOB_URLS)

    assert page.evaluate(_CONNECT, elsewhere) == _ANSWERED

    blob_urls: dict[str, Any] = page.evaluate("() => globalThis.blobUrls")
    assert (len(blob_urls["made"]), blob_urls["revoked"]) == (1, blob_urls["made"])


@pytest.mark.each_browser
def test_a_policy_that_names_the_other_origin_and_blobs_lets_it_start(
    open_page: Callable[..., Page], elsewhere: str, browser_name: str
) -> None:
    page = open_page(browser_name, _policy(elsewhere, workers="blob:"))

    assert page.evaluate(_CONNECT, elsewhere) == _ANSWERED


@pytest.mark.each_browser
def test_a_sandboxed_frame_has_no_origin_and_starts_from_the_image_all_the_same(
    open_page: Callable[..., Page], elsewhere: str, browser_name: str
) -> None:
    page = open_page(browser_name)
    page.goto(page.url.replace("page.html", "framed.html"))
    (_, frame) = page.frames

    told = frame.evaluate(_CONNECT, elsewhere)

    assert (frame.evaluate("() => globalThis.origin"), told) == ("null", _ANSWERED)


def _connect_in_vain(browser: Browser, page_origin: str, package: str) -> Any:
    # Not watched: the browser complains as well, and a page cannot prevent that.
    context = browser.new_context()
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{page_origin}/page.html")
        return page.evaluate(_CONNECT, package)
    finally:
        context.close()


@pytest.mark.each_browser
def test_a_policy_without_blobs_is_told_what_to_allow(
    browsers: Browsers, elsewhere: str, tmp_path: Path, browser_name: str
) -> None:
    headers = _policy(elsewhere, workers="'self'")
    with serve_directory(tmp_path, pages={"/page.html": _PAGE}, headers=headers) as origin:
        told = _connect_in_vain(browsers.get(browser_name), origin, elsewhere)

    assert told == _refusal(elsewhere)


@pytest.mark.each_browser
def test_a_worker_that_no_other_origin_may_read_is_told_of(
    browsers: Browsers, dist: Path, tmp_path: Path, browser_name: str
) -> None:
    with (
        _serve_all_but_the_worker(dist / "npm") as package,
        serve_directory(tmp_path, pages={"/page.html": _PAGE}) as origin,
    ):
        told = _connect_in_vain(browsers.get(browser_name), origin, package)

    assert told == _refusal(package)


@contextmanager
def _serve_all_but_the_worker(folder: Path) -> Iterator[str]:
    """Serve a folder whose files other origins may read, except one; yields its origin."""

    class Handler(SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012  # typed so by its base
            ".js": "text/javascript",
            "": "application/octet-stream",
        }

        def end_headers(self) -> None:
            if self.path != "/assets/worker.js":
                for name, value in READABLE.items():
                    self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing: a test's output is its own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
