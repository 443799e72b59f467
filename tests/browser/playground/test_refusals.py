"""A visitor names a tree that cannot be opened, or stops, or follows a stranger's link."""

import re
import socket
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, Locator, expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import SAMPLE_NAME, Playground
from tests.browser.playground.slow_host import serve_held_back

_LINK = "#npm=tiny%401.2.3&tool=list_dir&arguments=%7B%22dir_path%22%3A%22%2Frepo%22%7D"
_FOLLOW = "(hash) => { location.hash = ''; location.hash = hash; }"


def _type_address(playground: Playground, text: str) -> Locator:
    """Type into the box of trees on the web, press Enter, and return the box."""
    box = playground.open_sources().get_by_role("textbox", name="A GitHub address")
    box.fill(text)
    box.press("Enter")
    return box


def _expect_sample(playground: Playground) -> None:
    expect(playground.source_button).to_contain_text(SAMPLE_NAME)
    expect(playground.tree_item("pyproject.toml")).to_be_visible()
    playground.wait_until_ready()


_WORDS = {
    "what I want": "Paste the address of a GitHub repository or of an archive, or write npm: "
    "and the name of a package.",
    "npm:no such name": "Write the name of a package, optionally with a version: fflate@0.8.2.",
    "https://me:secret@example.org/a.zip": "Remove the user name and the password: browsers "
    "refuse an address that has them.",
}
"""What is said of a text that names no tree."""


def test_a_text_that_names_no_tree_gets_words_at_its_field(playground: Playground) -> None:
    for text, words in _WORDS.items():
        box = _type_address(playground, text)
        expect(box).to_have_accessible_description(words)
        expect(box).to_have_attribute("aria-invalid", "true")
        box.fill("npm:tiny")
        expect(box).to_have_attribute("aria-invalid", "false")
        playground.page.keyboard.press("Escape")
        expect(box).to_be_hidden()

    assert playground.other_origins() == set()
    _expect_sample(playground)


@pytest.mark.each_browser
def test_a_host_that_does_not_answer_is_named_and_asked_again_from_the_same_dialog(
    playground: Playground,
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/tree.zip"
        box = _type_address(playground, address)
        expect(box).to_have_accessible_description(
            f"{address} was not mounted: no readable reply from {urlsplit(address).netloc}; check "
            "the address and your connection, and that the host lets this page read it (CORS)."
        )
    # Each browser reports the failed request by itself.
    playground.forget_failed_requests()
    expect(playground.alert).to_be_hidden()
    expect(box).to_have_value(address)
    expect(playground.tree_item("pyproject.toml")).to_be_visible()
    headers = {"Access-Control-Allow-Origin": "*"}
    archive = zip_of({"a.txt": "a\n"})
    playground.page.route(address, lambda route: route.fulfill(body=archive, headers=headers))
    playground.page.get_by_role("button", name="Try again").click()

    playground.wait_for_tree(address)
    expect(box).to_be_hidden()
    playground.page.unroute(address)


_BROKEN = {
    b"no archive\n": "The file is not an archive that can be read; choose a zip archive or a tar "
    "archive, plain or compressed by gzip, bzip2 or xz.",
    zip_of({"a.txt": "a\n"})[:-10]: "The zip archive has no table of contents at its end; it may "
    "have been cut short; make it again and retry.",
}
"""What is said of a file that is no whole archive."""


def test_a_file_that_is_no_whole_archive_is_refused_and_the_former_tree_stays(
    playground: Playground,
) -> None:
    for content, words in _BROKEN.items():
        broken: FilePayload = {
            "name": "tree.zip",
            "mimeType": "application/zip",
            "buffer": content,
        }
        playground.choose_files("archive", broken)
        expect(playground.alert).to_have_text(f"tree.zip was not mounted: {words}")
        _expect_sample(playground)
    playground.mount_archive("a.zip", zip_of({"a.txt": "a\n"}))

    expect(playground.alert).to_be_hidden()


@pytest.mark.each_browser
def test_a_download_shows_how_far_it_is_and_a_cancel_leaves_the_former_tree(
    playground: Playground,
) -> None:
    with serve_held_back() as slow:
        _type_address(playground, f"{slow}/tree.zip")
        dialog = playground.page.get_by_role("dialog", name="Open a tree")
        amount = dialog.locator(".figure")
        expect(amount).to_have_text(re.compile(r"^(\d+ bytes?|[\d.]+ [kM]B) of 3\.0 MB$"))
        cancel = dialog.get_by_role("button", name="Cancel")
        cancel.click()
        expect(cancel).to_be_hidden()
        playground.page.keyboard.press("Escape")

    _expect_sample(playground)
    expect(playground.alert).to_be_hidden()


def test_the_status_of_a_mount_covers_no_button_of_a_phone(
    playground: Playground,
) -> None:
    page = playground.page
    with serve_held_back() as slow:
        _type_address(playground, f"{slow}/tree.zip")
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 320, "height": 640})
        cancel = page.locator(".status").get_by_role("button", name="Cancel")
        expect(cancel).to_be_in_viewport(ratio=1)
        menus = page.locator(".masthead-menus")
        bottom, top = (
            place.evaluate(f"(element) => element.getBoundingClientRect().{side}")
            for place, side in ((menus, "bottom"), (cancel, "top"))
        )
        assert bottom <= top
        cancel.click()
        expect(cancel).to_be_hidden()


def test_a_link_asks_before_it_fetches_and_a_no_leaves_the_tree(playground: Playground) -> None:
    playground.page.evaluate(_FOLLOW, _LINK)
    offer = playground.page.get_by_role("region", name="Linked tree")
    expect(offer.get_by_role("status")).to_have_text(
        "This link names a tree on the web: npm package tiny@1.2.3. To open it, the page has to "
        "contact data.jsdelivr.com and cdn.jsdelivr.net."
    )
    offer.get_by_role("button", name="Not now").click()

    expect(offer).to_be_hidden()
    assert playground.other_origins() == set()
    _expect_sample(playground)


@pytest.mark.each_browser
def test_a_page_that_is_opened_by_a_link_waits_and_opens_the_sample_for_a_no(
    playground: Playground,
) -> None:
    playground.page.goto("about:blank")
    playground.page.goto(f"{playground.origin}/{_LINK}")
    offer = playground.page.get_by_role("region", name="Linked tree")
    expect(offer.get_by_role("button", name="Fetch from jsDelivr")).to_be_visible()
    expect(playground.tree.get_by_role("treeitem")).to_have_count(0)
    offer.get_by_role("button", name="Not now").click()
    _expect_sample(playground)

    assert playground.other_origins() == set()
    expect(playground.calls).to_have_count(0)
    playground.page.wait_for_function("() => !location.hash.includes('npm')")


def test_a_link_that_names_no_tree_says_so_beside_the_sample(playground: Playground) -> None:
    playground.page.goto("about:blank")
    playground.open("#url=ftp%3A%2F%2Fexample.org%2Fa.zip")

    expect(playground.alert).to_have_text(
        "The tree in the address was not opened: "
        "Write a full address that begins with https:// or http://."
    )
    _expect_sample(playground)
