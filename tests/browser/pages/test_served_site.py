"""The site as `serve` sends it: compressed, and cached if its files cannot change."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response

from build_steps.site.serve import open_site_server
from tests.browser.playground.playground_page import Playground
from tests.support.browser_support import Browsers, open_watched_page

_KEPT = "public, max-age=31536000, immutable"

FIRST_ANSWER = {
    "assets/worker.js": (200, "br", "no-cache"),
    "assets/start.json": (200, "br", "no-cache"),
    "assets/PYODIDE/pyodide.mjs": (200, "br", _KEPT),
    "assets/PYODIDE/pyodide.asm.mjs": (200, "br", _KEPT),
    "assets/PYODIDE/pyodide.asm.first.wasm": (200, "br", _KEPT),
    "assets/TREEGLASS/pydantic_core.first.wasm": (200, "br", _KEPT),
    "assets/TREEGLASS/image.bin": (200, "br", _KEPT),
}
"""All that the tools need to answer: status, encoding, and for how long it is kept."""


@contextmanager
def _serving(site: Path) -> Iterator[str]:
    with open_site_server(site, host="127.0.0.1", port=0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.each_browser
def test_the_first_answer_takes_these_files_and_each_comes_compressed(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    (pyodide,) = (path.name for path in (dist / "site" / "assets").glob("pyodide-*"))
    (packages,) = (path.name for path in (dist / "site" / "assets").glob("treeglass-*"))
    came: dict[str, tuple[int, str | None, str | None]] = {}

    def note(response: Response) -> None:
        name = urlsplit(response.url).path.removeprefix("/")
        name = name.replace(pyodide, "PYODIDE").replace(packages, "TREEGLASS")
        headers = response.headers
        told = response.status, headers.get("content-encoding"), headers.get("cache-control")
        # A file that is checked and then run is asked for twice; its second reply may be 304.
        came.setdefault(name, told)

    with _serving(dist / "site") as origin, open_watched_page(browsers.get(browser_name)) as page:
        page.context.on("response", note)
        playground = Playground(page, origin)
        playground.open()
        playground.call("list_dir", '{"dir_path": "/repo"}')

    runtime = {
        name: told
        for name, told in came.items()
        # What arrives after the first answer may have come meanwhile.
        if name.startswith(("assets/", "worker")) and not name.endswith((".late.wasm", ".whl"))
    }
    assert runtime == FIRST_ANSWER
