"""A visitor opens files of the device, and packages and archives of the web."""

import base64
import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, Route, ViewportSize, expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, PHONE, Playground
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

_TREE = {"README.md": "# Hi\n", "src/app.py": "print('hello')\n", "src/deep/er/x.txt": "x\n"}
_ROWS = ["src", "README.md"]
_FIGURES = "3 files · 3 directories · 22 bytes · mounted"
_ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}

_INDEX_HOST = "data.jsdelivr.com"
_FILES_HOST = "cdn.jsdelivr.net"
_CDN_HOSTS = frozenset({_INDEX_HOST, _FILES_HOST})
_CDN_ORIGINS = {f"https://{host}" for host in _CDN_HOSTS}


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


@pytest.fixture(scope="module")
def online_playgrounds(browsers: Browsers, site: str) -> Iterator[Callable[[str], Playground]]:
    """The playground in a browser whose visitor may reach the content delivery network."""
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> Playground:
            faults: list[str] = []
            browser = browsers.get(browser_name)
            watched = open_watched_page(browser, answered_hosts=_CDN_HOSTS, faults=faults)
            page = stack.enter_context(watched)
            page.context.route(lambda url: urlsplit(url).hostname in _CDN_HOSTS, _answer_as_cdn)
            opened = Playground(page, site, faults)
            opened.open()
            return opened

        yield open_once


@pytest.fixture
def online(
    browser_name: str, online_playgrounds: Callable[[str], Playground]
) -> Iterator[Playground]:
    """The playground as at first, with the network's answers at hand."""
    opened = online_playgrounds(browser_name)
    opened.start_over()
    yield opened
    opened.raise_faults()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host of archives that any page may read."""
    directory = tmp_path_factory.mktemp("host")
    (directory / "tree.zip").write_bytes(zip_of(_TREE))
    with serve_directory(directory, headers=_ANY_ORIGIN) as origin:
        yield origin


def _expect_tree(playground: Playground, report: list[str], rows: list[str] = _ROWS) -> None:
    """Wait until a tree is mounted, and hold what the page shows of it to these words and names."""
    playground.wait_for_tree(report[0])
    playground.expect_items(rows)
    assert playground.read_report() == report
    expect(playground.alert).to_be_hidden()
    name = playground.source_button.text_content()
    assert name == f"Open another tree; this one is {report[0]} ▾"


@pytest.mark.each_browser
def test_files_that_were_chosen_one_by_one_are_a_tree(playground: Playground) -> None:
    chosen: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": name.encode()}
        for name in ("a.txt", "b.zip")
    ]
    playground.choose_files("files", chosen)

    report = ["2 files", "2 files · 0 directories · read on demand · mounted"]
    _expect_tree(playground, report, ["a.txt", "b.zip"])


@pytest.mark.each_browser
def test_two_files_that_are_dropped_are_a_tree_of_both(playground: Playground) -> None:
    playground.drop_from_script({"a.txt": b"a\n", "b.txt": b"b\n"})

    report = ["a.txt, b.txt", "2 files · 0 directories · read on demand · mounted"]
    _expect_tree(playground, report, ["a.txt", "b.txt"])


def test_what_a_mount_left_out_is_named_with_the_reason(playground: Playground) -> None:
    playground.mount_archive("mixed.zip", zip_of({"kept.txt": "kept\n", "../evil.txt": "evil\n"}))

    _expect_tree(
        playground,
        [
            "mixed.zip",
            "1 file · 0 directories · 5 bytes · mounted",
            "1 entry not as they were",
            "../evil.txt skipped: leads out of the tree with '..'",
        ],
        ["kept.txt"],
    )


_TYPED = {
    "npm:tiny": ("npm package tiny", "npm:tiny@1.2.3"),
    "https://www.npmjs.com/package/tiny/v/1.2.3": ("npm package tiny@1.2.3", "npm:tiny@1.2.3"),
    "me/tiny@v1": ("GitHub repository me/tiny@v1", "github:me/tiny@v1"),
    "https://github.com/me/tiny/tree/v1": ("GitHub repository me/tiny@v1", "github:me/tiny@v1"),
}
"""The name and the origin of what each text opens."""


def test_one_box_opens_a_package_from_the_hosts_that_it_names(online: Playground) -> None:
    for typed, (name, origin) in _TYPED.items():
        online.requested_origins.clear()
        box = online.open_sources().get_by_role("textbox", name="A GitHub address")
        box.fill(typed)
        expect(box).to_have_accessible_description(
            f"Opens {name} from {_INDEX_HOST} and {_FILES_HOST}."
        )
        before = online.other_origins()
        box.press("Enter")
        expect(box).to_be_hidden()

        _expect_tree(online, [name, f"from {origin}", _FIGURES])
        assert online.code_lines() == ["# Hi", ""]
        assert (before, online.other_origins()) == (set(), _CDN_ORIGINS)
        online.open_file("src", "app.py")
        assert online.code_lines() == ["print('hello')", ""]


def _type_address(playground: Playground, below: str) -> None:
    """Open what a GitHub address names below the name of its repository."""
    box = playground.open_sources().get_by_role("textbox", name="A GitHub address")
    box.fill(f"https://github.com/me/tiny/{below}")
    box.press("Enter")
    expect(box).to_be_hidden()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_github_address_opens_the_file_that_it_names_at_its_lines(
    online: Playground, viewport: ViewportSize
) -> None:
    online.page.set_viewport_size(viewport)
    _type_address(online, "blob/v1/src/app.py?plain=1#L1-L1")

    online.expect_open("src/app.py")
    expect(online.file_pane.locator(".tg-marked")).to_have_text("print('hello')")
    named = "#github=me%2Ftiny%40v1&file=src%2Fapp.py&lines=1-1"
    expect(online.page).to_have_url(f"{online.origin}/{named}")
    expect(online.alert).to_be_hidden()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_github_address_opens_the_folder_that_it_names_in_the_tree(
    online: Playground, viewport: ViewportSize
) -> None:
    online.page.set_viewport_size(viewport)
    _type_address(online, "tree/v1/src/deep")

    online.expect_items(["src", "deep", "er", "app.py", "README.md"])
    expect(online.tree_item("deep")).to_be_in_viewport()
    expect(online.tree_item("deep")).to_have_attribute("aria-selected", "true")
    told = online.page.get_by_text("The folder of the address: src/deep")
    expect(told).to_be_in_viewport()
    assert check_rules(online.page) == FINE
    online.tree_item("deep").click()
    online.expect_items(["src", "deep", "app.py", "README.md"])

    online.tree_item("app.py").click()

    expect(told).to_have_count(0)


def test_a_path_that_the_repository_does_not_have_is_named_beside_its_readme(
    online: Playground,
) -> None:
    _type_address(online, "blob/v1/src/missing.py")

    expect(online.alert).to_have_text(
        "The address names src/missing.py, but GitHub repository me/tiny@v1 has no such file or "
        "folder. Choose a file in the tree, or check the branch and the path of the address."
    )
    online.expect_open("README.md")


@pytest.mark.each_browser
def test_a_package_that_a_link_names_is_asked_for_again_in_the_dialog(online: Playground) -> None:
    page = online.page
    index = f"https://{_INDEX_HOST}/**"
    page.route(index, lambda route: route.abort())
    page.evaluate("location.hash = '#npm=tiny%401.2.3'")
    page.get_by_role("button", name="Fetch from jsDelivr").click()
    dialog = page.get_by_role("dialog", name="Open a tree")
    box = dialog.get_by_role("textbox", name="A GitHub address")
    expect(box).to_have_value("npm:tiny@1.2.3")
    expect(box).to_have_accessible_description(
        f"npm package tiny@1.2.3 was not mounted: no readable reply from {_INDEX_HOST}; check your "
        "connection, and whether something blocks that host."
    )
    assert check_rules(page) == FINE
    page.unroute(index)
    # Each browser reports the failed request by itself.
    online.forget_failed_requests()
    dialog.get_by_role("button", name="Try again").click()

    _expect_tree(online, ["npm package tiny@1.2.3", "from npm:tiny@1.2.3", _FIGURES])
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("integrity", ["", _integrity(zip_of(_TREE))], ids=["without", "with"])
def test_the_same_box_opens_an_archive_by_its_address(
    playground: Playground, host: str, integrity: str
) -> None:
    address = f"{host}/tree.zip"
    dialog = playground.open_sources()
    dialog.get_by_role("textbox", name="A GitHub address").fill(address)
    dialog.get_by_text("Advanced").click()
    dialog.get_by_label("Expected hash of an archive").fill(integrity)
    dialog.get_by_role("button", name="Open", exact=True).click()

    _expect_tree(playground, [address, f"from {address}", _FIGURES])
