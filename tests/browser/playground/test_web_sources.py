"""A visitor mounts trees from the web."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import re
import threading
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import PATIENCE_MS, Playground
from tests.support.browser_support import BROWSERS, open_watched_page
from tests.support.served_directory import serve_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from playwright.sync_api import Route

    from tests.support.browser_support import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_TREE = {"README.md": "# Hi\n", "src/app.py": "print('hello')\n", "src/deep/er/x.txt": "x\n"}
_TREE_ITEMS = ["/repo", "src", "README.md"]
_READ = {"file_path": "/repo/src/app.py"}
_ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}

_INDEX_HOST = "data.jsdelivr.com"
_FILES_HOST = "cdn.jsdelivr.net"
_CDN_ORIGINS = {f"https://{_INDEX_HOST}", f"https://{_FILES_HOST}"}
_PACKAGE = "tiny@1.2.3"
_NO_ADDRESS = (
    "The link does not name a tree that can be fetched. "
    "Write a full address that begins with https:// or http://."
)


def _integrity(content: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def _answer_as_cdn(route: Route) -> None:
    """Answer in the content delivery network's shape, under its hosts' names."""
    address = urlsplit(route.request.url)
    if address.hostname == _INDEX_HOST and address.path == "/v1/packages/npm/tiny/resolved":
        resolved = {"type": "npm", "name": "tiny", "version": "1.2.3"}
        route.fulfill(headers=_ANY_ORIGIN, json=resolved)
    elif address.hostname == _INDEX_HOST:
        files = [
            {
                "name": f"/{path}",
                "hash": _integrity(text.encode()).removeprefix("sha256-"),
                "size": len(text.encode()),
            }
            for path, text in _TREE.items()
        ]
        route.fulfill(headers=_ANY_ORIGIN, json={"files": files})
    else:
        path = address.path.split("@", 1)[1].split("/", 1)[1]
        route.fulfill(headers=_ANY_ORIGIN, body=_TREE[path])


@pytest.fixture(scope="session")
def online_playgrounds(browsers: Browsers, site: str) -> Iterator[Callable[[str], Playground]]:
    """The playground in a browser whose visitor may reach the content delivery network."""
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> Playground:
            hosts = frozenset({_INDEX_HOST, _FILES_HOST})
            faults: list[str] = []
            browser = browsers.get(browser_name)
            watched = open_watched_page(browser, answered_hosts=hosts, faults=faults)
            page = stack.enter_context(watched)
            page.context.route(
                lambda url: urlsplit(url).hostname in hosts,
                _answer_as_cdn,
            )
            playground = Playground(page, site, faults)
            playground.open()
            return playground

        yield open_once


@pytest.fixture(params=BROWSERS)
def online(
    request: pytest.FixtureRequest, online_playgrounds: Callable[[str], Playground]
) -> Iterator[Playground]:
    """The playground as at first, in each browser, with the network's answers at hand."""
    opened = online_playgrounds(request.param)
    opened.start_over()
    opened.requested_origins.clear()
    yield opened
    opened.raise_faults()


@pytest.fixture
def answers(make_tree: Callable[[Mapping[str, str]], Path]) -> CPythonAnswers:
    return CPythonAnswers(make_tree(_TREE))


@pytest.mark.parametrize(
    ("kind", "fields", "shown"),
    [
        pytest.param(
            "npm",
            {"Package": "tiny"},
            ["npm package tiny", "from npm:tiny@1.2.3"],
            id="npm",
        ),
        pytest.param(
            "github",
            {"Repository": "me/tiny@v1"},
            ["GitHub repository me/tiny@v1", "from github:me/tiny@v1"],
            id="github",
        ),
    ],
)
def test_a_package_is_fetched_from_the_hosts_that_were_named(
    online: Playground,
    answers: CPythonAnswers,
    kind: str,
    fields: Mapping[str, str],
    shown: list[str],
) -> None:
    fetch = online.name_tree_elsewhere(kind, fields)
    said = (fetch.text_content(), online.page.locator("#link-hosts").text_content())
    before = _other_origins(online)
    fetch.click()

    online.expect_mounted(
        answers,
        [*shown, "3 files · 3 directories · 22 bytes · mounted"],
        _TREE_ITEMS,
    )
    assert said == (
        "Fetch from jsDelivr",
        f"The button contacts {_INDEX_HOST} and {_FILES_HOST}; nothing is fetched before.",
    )
    assert (before, _other_origins(online)) == (set(), _CDN_ORIGINS)


def test_a_link_to_a_package_fetches_nothing_until_its_button_is_pressed(
    online: Playground, answers: CPythonAnswers
) -> None:
    page = online.page
    call = {"tool": "read_file", "arguments": json.dumps(_READ)}
    page.evaluate(
        "(hash) => { location.hash = ''; location.hash = hash; }", _link({"npm": _PACKAGE, **call})
    )
    offer = page.get_by_role("region", name="Linked tree")
    said = offer.get_by_role("status").text_content()
    before = _other_origins(online)
    with online.answered():
        offer.get_by_role("button", name="Fetch from jsDelivr").click()

    assert said == (
        f"This link names a tree on the web: npm package {_PACKAGE}. "
        f"To open it, the page has to contact {_INDEX_HOST} and {_FILES_HOST}."
    )
    assert (before, _other_origins(online)) == (set(), _CDN_ORIGINS)
    assert online.read_content() == answers.content("read_file", _READ)
    expect(offer).to_be_hidden()


def test_a_page_opened_by_a_link_waits_and_gives_the_sample_to_who_declines(
    online: Playground,
) -> None:
    page = online.page
    page.goto("about:blank")
    page.goto(f"{online.origin}/{_link({'npm': _PACKAGE})}")
    expect(page.locator("#status-text")).to_have_text("No tree is mounted yet", timeout=PATIENCE_MS)
    before = (online.tree_items(), _other_origins(online))
    page.get_by_role("button", name="Not now").click()
    online.wait_for_content(online.first_content)

    assert before == ([], set())
    assert online.tree_items() == online.first_tree_items
    assert _other_origins(online) == set()
    page.wait_for_function("() => !location.hash.includes('npm')")


def test_a_link_that_follows_takes_the_question_of_the_one_before_away(
    online: Playground,
) -> None:
    page = online.page
    offer = page.get_by_role("region", name="Linked tree")
    follow = "(hash) => { location.hash = ''; location.hash = hash; }"
    call = {"tool": "list_dir", "arguments": json.dumps({"dir_path": "/repo", "depth": 1})}
    page.evaluate(follow, _link({"npm": _PACKAGE}))
    expect(offer).to_be_visible()
    with online.answered():
        page.evaluate(follow, _link(call))
    expect(offer).to_be_hidden()
    page.evaluate(follow, _link({"npm": _PACKAGE}))
    expect(offer).to_be_visible()
    page.evaluate(follow, _link({"url": "ftp://example.org/a.zip"}))
    expect(offer).to_be_hidden()

    expect(online.alert).to_have_text(_NO_ADDRESS)
    assert _other_origins(online) == set()


def test_a_link_is_followed_that_comes_just_as_the_page_would_write_its_address(
    online: Playground,
) -> None:
    page = online.page
    offer = page.get_by_role("region", name="Linked tree")
    page.get_by_label("dir_path").fill("/repo/src")
    # The page is held up until its own writing is due, and hears of the link after that.
    page.evaluate(
        """(hash) => {
            const untilMs = performance.now() + 600;
            while (performance.now() < untilMs);
            location.hash = hash;
        }""",
        _link({"npm": _PACKAGE}),
    )
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="Not now").click()
    expect(offer).to_be_hidden()

    assert _other_origins(online) == set()


def test_a_link_of_any_length_leaves_its_buttons_in_sight(online: Playground) -> None:
    address = f"https://example.org/{'a' * 20_000}"
    online.page.evaluate(
        "(hash) => { location.hash = ''; location.hash = hash; }", _link({"url": address})
    )
    offer = online.page.get_by_role("region", name="Linked tree")

    expect(offer.get_by_text("If it is a manifest")).to_be_in_viewport()
    expect(offer.get_by_role("button", name="Fetch from example.org")).to_be_in_viewport()
    offer.get_by_role("button", name="Not now").click()


def test_a_page_opened_by_a_link_that_names_no_tree_says_so_beside_the_sample(
    online: Playground,
) -> None:
    page = online.page
    page.goto("about:blank")
    page.goto(f"{online.origin}/{_link({'url': 'ftp://example.org/a.zip'})}")
    online.wait_for_first_answer()

    expect(online.alert).to_have_text(_NO_ADDRESS)
    assert online.tree_items() == online.first_tree_items


def test_the_address_keeps_the_exact_version_of_a_package(online: Playground) -> None:
    online.name_tree_elsewhere("npm", {"Package": "tiny"}).click()
    online.page.wait_for_function(
        "() => location.hash.startsWith('#npm=tiny%401.2.3&tool=list_dir')"
    )
    online.page.get_by_role("button", name="Sample").click()

    online.page.wait_for_function("() => location.hash.startsWith('#tool=list_dir')")


def _other_origins(playground: Playground) -> set[str]:
    """Return whom the page has asked besides the server it came from."""
    return playground.requested_origins - {playground.origin}


def _link(parameters: Mapping[str, str]) -> str:
    return "#" + "&".join(f"{name}={value}" for name, value in parameters.items())


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host of archives that any page may read."""
    directory = tmp_path_factory.mktemp("host")
    (directory / "tree.zip").write_bytes(zip_of(_TREE))
    with serve_directory(directory, headers=_ANY_ORIGIN) as origin:
        yield origin


@pytest.mark.parametrize("integrity", ["", _integrity(zip_of(_TREE))], ids=["without", "with"])
def test_an_archive_is_fetched_from_an_address(
    playground: Playground, answers: CPythonAnswers, host: str, integrity: str
) -> None:
    fields = {"Address": f"{host}/tree.zip", "Integrity": integrity}
    fetch = playground.name_tree_elsewhere("url", fields)
    said = (fetch.text_content(), playground.page.locator("#link-hosts").text_content())
    fetch.click()

    address = f"{host}/tree.zip"
    playground.expect_mounted(
        answers,
        [address, f"from {address}", "3 files · 3 directories · 22 bytes · mounted"],
        _TREE_ITEMS,
    )
    name = urlsplit(host).netloc
    hosts = (
        f"The button contacts {name}; nothing is fetched before. "
        "If it is a manifest, its files come from the hosts that it names."
    )
    assert said == (f"Fetch from {name}", hosts)


def test_an_archive_of_another_integrity_is_refused_and_the_former_tree_stays(
    playground: Playground, host: str
) -> None:
    address = f"{host}/tree.zip"
    fields = {"Address": address, "Integrity": _integrity(b"another")}
    playground.name_tree_elsewhere("url", fields).click()

    expect(playground.alert).to_have_text(
        f"{address} was not mounted: its bytes have the integrity {_integrity(zip_of(_TREE))}, "
        "which is not the given one; check whether it was changed, and give the integrity of the "
        "bytes that you trust."
    )
    assert playground.call("list_dir", '{"dir_path": "/repo"}') == playground.first_content


def test_what_is_wrong_with_an_address_is_said_at_its_field(playground: Playground) -> None:
    fetch = playground.name_tree_elsewhere("url", {"Address": "tree.zip"})
    before = playground.requested_origins.copy()
    fetch.click()
    field = playground.page.get_by_label("Address")

    expect(field).to_have_accessible_description(
        "Write a full address that begins with https:// or http://."
    )
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    field.fill("https://example.org/tree.zip")
    expect(field).to_have_attribute("aria-invalid", "false")
    playground.page.keyboard.press("Escape")
    expect(playground.page.get_by_role("dialog")).to_be_hidden()
    assert playground.requested_origins == before


_HELD_BACK_BYTES = 3_000_000
_SENT_BYTES = 1_500_000


@contextmanager
def _serve_held_back() -> Iterator[str]:
    """Serve an archive whose second half never comes while the context lasts."""
    is_over = threading.Event()

    class HeldBack(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(_HELD_BACK_BYTES))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(bytes(_SENT_BYTES))
            self.wfile.flush()
            is_over.wait()

        def log_message(self, *_: object) -> None:
            """Say nothing: a test's output is its own."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), HeldBack) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            is_over.set()
            server.shutdown()
            thread.join()


def test_a_download_shows_how_far_it_is_and_a_cancel_leaves_the_former_tree(
    playground: Playground,
) -> None:
    page = playground.page
    report = playground.read_report()
    with _serve_held_back() as slow:
        fetch = playground.name_tree_elsewhere("url", {"Address": f"{slow}/tree.zip"})
        fetch.click()
        bar = page.get_by_role("progressbar", name="Downloading")
        expect(bar).to_have_attribute("max", str(_HELD_BACK_BYTES))
        amount = page.locator("#status-amount")
        expect(amount).to_have_text(re.compile(r"^(\d+ bytes?|[\d.]+ [kM]B) of 3\.0 MB$"))
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#status-text")).to_have_text("Cancelled")

    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(playground.alert).to_be_empty()
    assert playground.read_report() == report
    assert playground.tree_items() == playground.first_tree_items
    assert playground.call("list_dir", '{"dir_path": "/repo"}') == playground.first_content
