"""Pages with demos under a strict policy, from another origin, in two versions, or offline."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import (
    LIST,
    RECORDED,
    SHOP,
    DemoPage,
    demo_of,
    noting_complaints,
    open_demos,
    page_of,
)
from tests.browser.loopback_hosts import READABLE
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import (
    PATIENCE_MS,
    Browsers,
    chromium_arguments_here,
    find_chromium,
    open_watched_page,
)
from tests.support.served_directory import serve_directory

pytestmark = pytest.mark.slow

# Images are for the page's icon alone: Firefox asks for one whatever the policy says.
_STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "connect-src 'self'; worker-src 'self'; img-src data:"
)
_TRUSTED = f"{_STRICT}; require-trusted-types-for 'script'; trusted-types default"

_NOT_THERE = re.compile(
    # Chromium, then Firefox for the worker's module.
    "Failed to load resource: the server responded with a status of 404"
    "|/assets/worker.js” was blocked because of a disallowed MIME type"
)

_VOUCH = b"""\
const address = new URL("/assets/worker.js", location.href).href;
trustedTypes.createPolicy("default", {
  createScriptURL: (text) => (text === address ? text : null),
});
"""
_VOUCHED = '<script src="/vouch.js"></script><script type="module" src="/element.js"></script>'


def _use(demos: DemoPage) -> dict[str, Any]:
    """Run a demo, open its files, edit and reset it; return what it shows, without evaluating."""
    demo = demos.demo()
    shown = demo.run()
    demo.files_button.click()
    expect(demo.element.get_by_text("README.md", exact=True).first).to_be_visible()
    demo.edit('{"dir_path": "/repo/src"}')
    edited = demo.run()
    demo.reset_button.click()
    expect(demo.recorded).to_be_visible()
    violations = demos.page.locator("html").get_attribute("data-violations")
    return {"shown": shown, "edited": edited, "violations": violations}


@pytest.mark.each_browser
@pytest.mark.parametrize("policy", [_STRICT, _TRUSTED], ids=["strict", "trusted types"])
def test_a_strict_policy_is_kept(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str, policy: str
) -> None:
    # Trusted types ask for a policy that allows the worker's address; its script comes first.
    trusted = policy == _TRUSTED
    with open_demos(
        browsers.get(browser_name),
        dist / "npm",
        demo_of(),
        head=_VOUCHED if trusted else _VOUCHED.partition("</script>")[2],
        files={"/vouch.js": _VOUCH},
        headers={"Content-Security-Policy": policy},
    ) as demos:
        told = _use(demos)

    assert told == {
        "shown": shop.content("list_dir", LIST),
        "edited": shop.content("list_dir", {"dir_path": "/repo/src"}),
        "violations": None,
    }


@pytest.mark.each_browser
def test_the_script_and_its_runtime_may_come_from_another_origin(
    browsers: Browsers, dist: Path, tmp_path: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    asked: list[str] = []
    with serve_directory(dist / "npm", headers=READABLE, asked=asked) as elsewhere:
        policy = (
            f"default-src 'none'; script-src 'wasm-unsafe-eval' {elsewhere}; img-src data:; "
            f"connect-src 'self' {elsewhere}; worker-src blob:"
        )
        with open_demos(
            browsers.get(browser_name),
            tmp_path,
            demo_of(),
            head=f'<script type="module" src="{elsewhere}/element.js"></script>',
            headers={"Content-Security-Policy": policy},
        ) as demos:
            told = _use(demos)

    assert (told["shown"], told["violations"]) == (shop.content("list_dir", LIST), None)
    assert asked[:2] == ["/element.js", "/index.js"]
    # The tree comes from the page's origin and not from the script's.
    assert (demos.asked, "/shop.zip" in asked) == (["/page.html", "/shop.zip"], False)


def test_the_runtime_may_lie_in_a_folder_of_its_own(
    browsers: Browsers, dist: Path, tmp_path: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    for name in ("element.js", "index.js"):
        shutil.copy(dist / "npm" / name, tmp_path)
    (tmp_path / "runtime").symlink_to(dist / "npm" / "assets", target_is_directory=True)
    with open_demos(browsers.get(browser_name), tmp_path, demo_of(assets="/runtime/")) as demos:
        content = demos.demo().run()

    assert content == shop.content("list_dir", LIST)


_TWICE = """
<script type="module" src="/element.js"></script>
<script type="module" src="/older/element.js"></script>
<script type="module" src="/named.js"></script>
"""
_NAMED = b"""\
import { defineTreeglassDemo, TreeglassDemo } from "/older/element.js";
defineTreeglassDemo("other-demo");
defineTreeglassDemo("other-demo");
const first = customElements.get("treeglass-demo");
const other = customElements.get("other-demo");
globalThis.versions = [first === TreeglassDemo, other.prototype instanceof TreeglassDemo];
"""


def test_two_versions_on_one_page_leave_each_other_alone(
    browsers: Browsers, dist: Path, tmp_path: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    for folder in (tmp_path, tmp_path / "older"):
        folder.mkdir(exist_ok=True)
        for name in ("element.js", "index.js", "assets"):
            (folder / name).symlink_to(dist / "npm" / name)
    other = demo_of().replace("treeglass-demo", "other-demo")
    with open_demos(
        browsers.get(browser_name),
        tmp_path,
        demo_of(),
        other,
        head=_TWICE,
        files={"/named.js": _NAMED},
    ) as demos:
        shown = [demos.demo(number).run() for number in range(2)]
        versions = demos.page.evaluate("versions")
        workers = len(demos.page.workers)
        asked = sorted({path for path in demos.asked if path.endswith(("index.js", "worker.js"))})

    assert shown == [shop.content("list_dir", LIST)] * 2
    assert (versions, workers) == ([False, True], 2)
    assert asked == [
        "/assets/worker.js",
        "/index.js",
        "/older/assets/worker.js",
        "/older/index.js",
    ]


@contextmanager
def _open_profile(browsers: Browsers, browser_name: str, profile: Path) -> Iterator[Page]:
    """Open a page of a profile that keeps large files: Chromium's other pages keep none."""
    if browser_name == "chromium":
        chromium = browsers.get(browser_name).browser_type
        context = chromium.launch_persistent_context(
            profile, executable_path=find_chromium(chromium), args=chromium_arguments_here()
        )
        try:
            yield context.new_page()
        finally:
            context.close()
    else:
        with browsers.launch_anew(browser_name) as browser, open_watched_page(browser) as page:
            yield page


@pytest.mark.each_browser
def test_what_the_browser_kept_answers_without_a_network(
    browsers: Browsers, dist: Path, tmp_path: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    # Longer than the hosting guide says for files whose names may get another content: without a
    # network, the browser cannot ask whether they changed.
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    # A server that has stopped still answers on a connection that is kept open.
    headers = {**kept, "Connection": "close"}
    pages = {"/page.html": page_of(demo_of()), "/shop.zip": zip_of(SHOP)}
    asked: list[str] = []
    with _open_profile(browsers, browser_name, tmp_path) as page:
        page.set_default_timeout(PATIENCE_MS)
        demos = DemoPage(page, "", asked)
        served = serve_directory(dist / "npm", pages=pages, headers=headers, asked=asked)
        with served as origin:
            page.goto(f"{origin}/page.html")
            online = _answer(demos)
            page.goto("about:blank")
        asked.clear()
        page.goto(f"{origin}/page.html")
        recorded = demos.demo().recorded.text_content()
        offline = _answer(demos)

    assert [online, recorded, offline] == [
        shop.content("list_dir", LIST),
        RECORDED,
        shop.content("list_dir", LIST),
    ]
    assert asked == []


def _answer(demos: DemoPage) -> str:
    demo = demos.demo()
    demo.run_button.click()
    expect(demo.answer).to_contain_text("cart.py")
    return demo.content


def test_a_client_that_came_at_the_second_try_is_the_only_one(
    browsers: Browsers, dist: Path, tmp_path: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    for name in ("element.js", "assets"):
        (tmp_path / name).symlink_to(dist / "npm" / name)
    other = demo_of(mount_path="/shop", arguments={"dir_path": "/shop"})
    with (
        noting_complaints(),
        open_demos(browsers.get(browser_name), tmp_path, demo_of(), other) as demos,
    ):
        with demos.demo().ending():
            demos.demo().run_button.click()
        (event,) = demos.heard()
        (tmp_path / "index.js").symlink_to(dist / "npm" / "index.js")
        demos.asked.clear()
        contents = [demos.demo(number).run() for number in range(2)]
        fetched = demos.asked.count("/index.js")
        workers = len(demos.page.workers)

    listing = shop.content("list_dir", LIST)
    assert event["detail"]["name"] == "StartFailed"
    assert contents == [listing, listing.replace("path: /repo", "path: /shop")]
    assert (fetched, workers) == (1, 1)


@pytest.mark.each_browser
def test_assets_that_are_not_there_are_told_of_and_can_be_tried_again(
    browsers: Browsers, dist: Path, tmp_path: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    for name in ("element.js", "index.js"):
        (tmp_path / name).symlink_to(dist / "npm" / name)
    with (
        noting_complaints() as complaints,
        open_demos(browsers.get(browser_name), tmp_path, demo_of()) as demos,
    ):
        demo = demos.demo()
        with demo.ending():
            demo.run_button.click()
        (event,) = demos.heard()
        seen = (demo.state, demo.recorded.is_visible())
        (tmp_path / "assets").symlink_to(dist / "npm" / "assets")
        content = demo.run()

    assert seen == ("failed", True)
    assert event["detail"]["name"] == "StartFailed"
    assert content == shop.content("list_dir", LIST)
    # The browser writes these lines by itself; a page cannot prevent them.
    assert [line for line in complaints if not _NOT_THERE.search(line)] == []
