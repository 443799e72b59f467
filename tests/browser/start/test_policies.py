"""A policy or a place that forbids a start: it ends within seconds, and says what to allow."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import Browsers
from tests.support.served_directory import serve_directory

_WORKER = "/assets/worker.js"
_MAX_START_MS = 20_000
"""A start that hangs would take minutes."""

_START = f"""
    const story = async () => {{
        const client = await connect();
        await client.mount("/repo", {{ entries: {{ "a.txt": "needle" }} }});
        const found = await client.callTool("grep_files", {{ pattern: "needle", path: "/repo" }});
        return [client.start.way, found.content];
    }};
    const late = new Promise((resolve) => setTimeout(resolve, {_MAX_START_MS}, "still waiting"));
    return outcome(Promise.race([story(), late]));
"""

_NO_WEBASSEMBLY = (
    "The tools are WebAssembly, which the policy (Content-Security-Policy) of the page or of the "
    "assets' worker.js forbids; allow 'wasm-unsafe-eval' in the script-src of both. A browser "
    "extension allows it in its manifest, in content_security_policy.extension_pages."
)

_NO_WORKERS = (
    "This place has no workers, and the tools run in one: a service worker can start none, and a "
    "shared worker can in some browsers only. Connect in a page or in a dedicated worker; in a "
    "browser extension, in an offscreen document or in the side panel."
)

_ELSEWHERE = "script-src 'self' 'wasm-unsafe-eval'; connect-src https://elsewhere.example"

_OTHER_PLACE = b"""\
import { connect } from "/index.js";

export const told = connect({ assets: "/assets/" }).then(
  () => ({ value: null }),
  ({ name, message }) => ({ name, message }),
);
"""

_SHARED_WORKER = b"""\
import { told } from "/place.mjs";

self.addEventListener("connect", async ({ ports: [port] }) => port.postMessage(await told));
"""

_SERVICE_WORKER = b"""\
import { told } from "/place.mjs";

self.addEventListener("message", async ({ ports: [port] }) => port.postMessage(await told));
"""


def _start(
    browsers: Browsers,
    package: Path,
    browser_name: str,
    *,
    page_policy: str | None = None,
    worker_policy: str | None = None,
) -> Any:
    """Return what becomes of a start, without the server's origin in it."""
    headers = {"Content-Security-Policy": page_policy} if page_policy else {}
    own = {_WORKER: {"Content-Security-Policy": worker_policy} if worker_policy else {}}
    with ExitStack() as stack:
        served = serve_directory(package, pages=PACKAGE_PAGES, headers=headers, own_headers=own)
        origin = stack.enter_context(served)
        # Not watched: the browser complains as well, and a page cannot prevent that.
        context = browsers.get(browser_name).new_context()
        stack.callback(context.close)
        told = PackagePage(context.new_page(), origin).run(_START)
    message = str(told.get("message", "")).replace(origin, "")
    return {**told, "message": message} if message else told


@pytest.mark.each_browser
@pytest.mark.parametrize("page_policy", [None, "script-src 'self'", "default-src 'self'"])
def test_a_worker_that_may_not_compile_says_what_to_allow(
    browsers: Browsers, dist: Path, browser_name: str, page_policy: str | None
) -> None:
    told = _start(
        browsers,
        dist / "npm",
        browser_name,
        page_policy=page_policy,
        worker_policy=page_policy or "script-src 'self'",
    )

    assert told == {"name": "StartFailed", "message": _NO_WEBASSEMBLY}


@pytest.mark.each_browser
def test_a_page_that_may_not_compile_starts_from_the_image_all_the_same(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    told = _start(browsers, dist / "npm", browser_name, page_policy="script-src 'self'")

    assert told == {"value": ["image", "/repo/a.txt"]}


@pytest.mark.each_browser
def test_a_policy_that_forbids_the_worker_is_named(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    policy = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'"

    told = _start(browsers, dist / "npm", browser_name, page_policy=policy)

    assert told == {
        "name": "StartFailed",
        "message": "The page's policy (Content-Security-Policy) keeps /assets/worker.js from being "
        "loaded; allow 'self' in its worker-src.",
    }


@pytest.mark.each_browser
def test_a_policy_that_forbids_the_page_to_fetch_is_named(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    told = _start(browsers, dist / "npm", browser_name, page_policy=_ELSEWHERE)

    assert told == {
        "name": "StartFailed",
        "message": "The page's policy (Content-Security-Policy) keeps /assets/start.json from "
        "being loaded; allow 'self' in its connect-src.",
    }


@pytest.mark.each_browser
def test_a_policy_that_forbids_the_worker_to_fetch_is_named(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    told = _start(browsers, dist / "npm", browser_name, worker_policy=_ELSEWHERE)

    name, message = told["name"], told["message"]
    opening, _, ending = message.partition(" keeps /assets/pyodide-")
    assert (name, opening) == ("StartFailed", "The worker's policy (Content-Security-Policy)")
    assert ending.split(".mjs ")[-1] == "from being loaded; allow 'self' in its connect-src."


def test_a_shared_worker_that_has_no_workers_says_where_to_connect(
    browsers: Browsers, dist: Path
) -> None:
    told = _ask_place(
        browsers,
        dist / "npm",
        {"/shared.mjs": _SHARED_WORKER},
        """() => new Promise((resolve) => {
            const { port } = new SharedWorker("/shared.mjs", { type: "module" });
            port.onmessage = ({ data }) => resolve(data);
        })""",
    )

    assert told == {"name": "StartFailed", "message": _NO_WORKERS}


def test_a_service_worker_says_where_to_connect(browsers: Browsers, dist: Path) -> None:
    told = _ask_place(
        browsers,
        dist / "npm",
        {"/service.mjs": _SERVICE_WORKER},
        """async () => {
            await navigator.serviceWorker.register("/service.mjs", { type: "module" });
            const { active } = await navigator.serviceWorker.ready;
            const { port1, port2 } = new MessageChannel();
            active.postMessage(null, [port2]);
            return new Promise((resolve) => {
                port1.onmessage = ({ data }) => resolve(data);
            });
        }""",
    )

    assert told == {"name": "StartFailed", "message": _NO_WORKERS}


def _ask_place(browsers: Browsers, package: Path, pages: dict[str, bytes], ask: str) -> Any:
    served = {**PACKAGE_PAGES, **pages, "/place.mjs": _OTHER_PLACE}
    with ExitStack() as stack:
        origin = stack.enter_context(serve_directory(package, pages=served))
        context = browsers.get("chromium").new_context()
        stack.callback(context.close)
        page = context.new_page()
        page.goto(f"{origin}/blank.html")
        return page.evaluate(ask)
