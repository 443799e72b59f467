"""Trees: from the device, from the web, by a drop, by a link, and again after a reload."""

import os
import re
import secrets
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.packed_trees import tar_of, zip_of
from tests.browser.playground.playground_page import Playground

_TREE = {"README.md": "# Mine\n", "src/app.py": "print('hello')\n"}
_PATCH = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch\n"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    file = tmp_path / "mine.zip"
    file.write_bytes(zip_of(_TREE))
    return file


def test_an_archive_that_is_dropped_is_opened(playground: Playground) -> None:
    for name, packed in {"mine.zip": zip_of(_TREE), "mine.tar.gz": tar_of(_TREE, "gz")}.items():
        playground.drop_from_script({name: packed})

        playground.wait_for_tree(name)
        assert playground.tree_items() == ["src", "README.md"]
        report = playground.page.locator(".mount-report")
        expect(report).to_contain_text(re.compile("2 files · 1 directory"))


def test_the_start_of_the_page_leads_to_the_visitors_own_files(playground: Playground) -> None:
    playground.page.get_by_role("button", name="Open your own files…").click()

    dialog = playground.page.get_by_role("dialog", name="Open a tree")
    expect(dialog.get_by_role("button", name="Archive…")).to_be_visible()


_READMES = {
    "readme.md": ["readme.md", "README.txt"],
    "README": ["README", "README.rst", "main.py"],
    "README.rst": ["README.rst", "README.html"],
    "only/README.txt": ["only/README.txt", "only/main.py"],
}
"""The file that is shown first, and the files of its tree."""

# `history.length` grows no more once a browser has 50 entries.
_NOTE_ENTRIES = """() => {
    globalThis.entries = 0;
    const { pushState } = history;
    history.pushState = (...entry) => {
        entries += 1;
        pushState.apply(history, entry);
    };
}"""


def test_a_tree_of_the_visitor_shows_its_readme_as_one_entry_of_the_history(
    playground: Playground,
) -> None:
    playground.page.evaluate(_NOTE_ENTRIES)
    for shown, names in _READMES.items():
        playground.mount_archive("mine.zip", zip_of(dict.fromkeys(names, "words\n")))

        playground.expect_open(shown)
        address = re.compile(f"#elsewhere=yes&file={re.escape(quote(shown, safe=''))}$")
        expect(playground.page).to_have_url(address)
        expect(playground.calls).to_have_count(0)
    assert playground.page.evaluate("entries") == len(_READMES)


def test_a_tree_without_a_readme_says_its_name_its_files_and_what_to_do(
    playground: Playground,
) -> None:
    playground.mount_archive("mine.zip", zip_of({"main.py": "\n", "docs/README.md": "\n"}))

    start = playground.file_pane.locator(".introduction")
    lines = start.locator("h2, p, li")
    expect(lines).to_have_text(
        [
            "mine.zip",
            "2 files",
            "Open a filein the tree, or by some letters of its path.",
            "Searchfor a name, or with Enter for a text in the files.",
            "Call a toolas an agent would, or ask a model.",
        ]
    )
    start.get_by_role("button", name="Open a file").click()
    expect(playground.tree).to_be_focused()
    start.get_by_role("button", name="Search").click()
    expect(playground.page.get_by_role("searchbox", name="Filter files")).to_be_focused()
    start.get_by_role("button", name="Call a tool").click()
    expect(playground.tool_box).to_be_focused()


def test_a_file_that_is_no_archive_is_a_tree_of_one_file(playground: Playground) -> None:
    playground.drop_from_script({"note.txt": b"hello\n"})

    playground.wait_for_tree("note.txt")
    playground.open_file("note.txt")
    assert playground.code_lines()[0] == "hello"


_NAMED = {
    "https://github.com/owner/repo/tree/v1/docs": "GitHub repository owner/repo@v1 from data",
    "owner/repo": "GitHub repository owner/repo from data.jsdelivr.com",
    "npm:fflate@0.8.2": "npm package fflate@0.8.2 from data.jsdelivr.com",
    "https://example.org/a.zip": "https://example.org/a.zip from example.org",
}


def test_one_box_names_the_tree_and_its_hosts_before_anything_is_fetched(
    playground: Playground,
) -> None:
    dialog = playground.open_sources()
    for typed, named in _NAMED.items():
        dialog.get_by_label("A GitHub address, npm:name, or a link to an archive").fill(typed)

        expect(dialog.get_by_role("status")).to_contain_text(f"Opens {named}")
    assert playground.requested_origins == {playground.origin}


@pytest.mark.each_browser
def test_an_archive_at_an_address_is_opened_and_the_link_leads_to_it(
    playground: Playground, archive: Path
) -> None:
    address = f"{playground.origin}/elsewhere/mine.zip"
    playground.page.route(address, lambda route: _answer(route, archive))
    dialog = playground.open_sources()
    dialog.get_by_label("A GitHub address, npm:name, or a link to an archive").fill(address)
    playground.page.keyboard.press("Enter")
    playground.wait_for_tree(address)
    playground.open_file("src", "app.py")
    expect(playground.page).to_have_url(re.compile(r"#url=.*mine\.zip&file=src%2Fapp\.py$"))

    linked = playground.page.url
    playground.page.goto("about:blank")
    playground.page.goto(linked)
    offer = playground.page.get_by_role("region", name="Linked tree")
    expect(offer).to_contain_text("This link names a tree on the web")
    offer.get_by_role("button", name=re.compile("^Fetch from")).click()

    playground.wait_for_tree(address)
    playground.expect_open("src/app.py")
    playground.page.unroute(address)


def test_a_reload_of_a_linked_tree_asks_nothing_and_brings_its_calls_back(
    playground: Playground, archive: Path
) -> None:
    address = f"{playground.origin}/elsewhere/mine.zip"
    playground.page.route(address, lambda route: _answer(route, archive))
    playground.open_sources()
    playground.page.get_by_label("A GitHub address, npm:name, or a link").fill(address)
    playground.page.keyboard.press("Enter")
    playground.wait_for_tree(address)
    playground.call("list_dir", '{"dir_path": "/repo"}')
    playground.call("read_file", '{"file_path": "/repo/src/app.py"}')
    playground.page.wait_for_function(
        "() => JSON.parse(sessionStorage['treeglass-work'] ?? '{}').work?.items.length === 2"
    )

    playground.page.reload()

    playground.wait_for_tree(address)
    expect(playground.calls).to_have_count(2)
    playground.page.unroute(address)


def test_calls_come_back_once_a_tree_that_failed_at_the_reload_is_opened_again(
    playground: Playground, archive: Path
) -> None:
    address = f"{playground.origin}/elsewhere/mine.zip"
    page = playground.page
    page.route(address, lambda route: _answer(route, archive))
    playground.open_sources()
    page.get_by_label("A GitHub address, npm:name, or a link").fill(address)
    page.keyboard.press("Enter")
    playground.wait_for_tree(address)
    playground.call("read_file", '{"file_path": "/repo/src/app.py"}')
    playground.call("list_dir", '{"dir_path": "/repo"}')
    page.wait_for_function(
        "() => JSON.parse(sessionStorage['treeglass-work'] ?? '{}').work?.items.length === 2"
    )
    page.unroute(address)
    page.route(address, lambda route: route.abort())
    page.reload()
    again = page.get_by_role("button", name="Try again")
    again.wait_for()
    # Each browser reports the failed request by itself.
    playground.forget_failed_requests()
    page.unroute(address)
    page.route(address, lambda route: _answer(route, archive))
    again.click()

    playground.wait_for_tree(address)
    expect(playground.calls).to_have_count(2)
    page.unroute(address)


def _answer(route: Route, archive: Path) -> None:
    route.fulfill(body=archive.read_bytes(), content_type="application/zip")


@pytest.mark.parametrize("is_archive", [True, False], ids=["archive", "files"])
def test_a_link_holds_the_files_of_a_small_tree(
    playground: Playground, archive: Path, *, is_archive: bool
) -> None:
    if is_archive:
        playground.choose_archive(archive)
    else:
        files = [archive.with_name(name) for name in ("one.txt", "zw\u00f6lf.txt")]
        for file in files:
            file.write_text("1\n", "utf-8")
            # A tar archive tells whole seconds, and the answer is sorted by time.
            os.utime(file, (1_700_000_000, 1_700_000_000))
        playground.choose_files("files", files)
        playground.wait_for_tree("2 files")
    before = playground.tree_items()
    answer = playground.call("grep_files", '{"pattern": "1", "path": "/repo"}')

    playground.page.evaluate(NOTE_COPIES)
    playground.page.get_by_text("Share", exact=True).click()
    copy = playground.page.get_by_role("button", name="Copy link with the files inside")
    copy.wait_for()
    said = copy.text_content()
    copy.click()
    expect(playground.page.get_by_role("button", name="Copied")).to_be_visible()
    link = playground.page.evaluate("copied.at(-1)")
    assert said == f"Copy link with the files inside ({len(link):,} characters)"
    playground.start_over()
    # A link that is opened in the page itself loads nothing anew.
    playground.page.goto("about:blank")
    playground.page.goto(link)
    playground.wait_until_ready()

    expect(playground.calls).to_have_count(1)
    assert playground.read_content() == answer
    assert playground.tree_items() == before
    assert playground.other_origins() == set()


def _share(playground: Playground) -> list[str]:
    """Open the menu, and return its lines."""
    playground.page.get_by_text("Share", exact=True).click()
    menu = playground.page.locator(".menu[open] .menu-box")
    expect(menu.get_by_role("button", name="Copy calls as Markdown")).to_be_visible()
    expect(menu.get_by_text("Packing the files")).to_be_hidden()
    return menu.locator(":is(button, p)").all_text_contents()


def test_a_tree_that_fits_no_link_says_its_size_and_the_other_ways(playground: Playground) -> None:
    playground.mount_archive("large.zip", zip_of({"noise.bin": secrets.token_bytes(50_000)}))

    assert _share(playground) == [
        "50 kB do not fit into a link, which holds 40 kB of packed files.",
        (
            "The tree is on your device. You can also make one HTML file with the tree inside "
            "(about 18 MB), or copy the calls."
        ),
        "Copy calls as Markdown",
    ]


def test_a_long_link_says_that_it_may_be_cut(playground: Playground) -> None:
    playground.mount_archive("long.zip", zip_of({"noise.bin": secrets.token_bytes(30_000)}))
    copy, warning, *_ = _share(playground)

    assert re.fullmatch(r"Copy link with the files inside \(40,\d{3} characters\)", copy)
    assert warning == "Some chats and mail programs cut a link of this length."


def test_the_link_of_the_larger_sample_leads_to_it(playground: Playground) -> None:
    dialog = playground.open_sources()
    dialog.get_by_role("button", name="The sources of treeglass").click()
    playground.wait_for_tree("The sources of treeglass")
    playground.page.evaluate(NOTE_COPIES)

    assert _share(playground) == ["Copy link", "Copy calls as Markdown"]
    playground.page.get_by_role("button", name="Copy link").click()
    expect(playground.page.get_by_role("button", name="Copied")).to_be_visible()
    (link,) = playground.page.evaluate("copied")
    assert link.split("#")[1].startswith(f"url={quote(playground.origin, safe='')}%2Fsample.zip")


def test_a_damaged_link_is_named_and_the_sample_opens(playground: Playground) -> None:
    playground.page.goto("about:blank")
    playground.open("#inside=cut.zip%3AA")

    expect(playground.alert).to_have_text(
        re.compile("The tree in the address was not opened: The link is damaged")
    )
    expect(playground.tree_item("README.md")).to_be_visible()


@pytest.mark.each_browser
def test_back_and_forward_go_through_the_files(playground: Playground) -> None:
    heading = playground.file_pane.get_by_role("heading")
    playground.open_file("README.md")
    expect(playground.page).to_have_url(re.compile(r"#file=README\.md$"))
    playground.open_file("Makefile")
    expect(playground.page).to_have_url(re.compile(r"#file=Makefile$"))

    playground.page.go_back()
    expect(heading).to_have_text("README.md")
    playground.page.go_forward()
    expect(heading).to_have_text("Makefile")


@pytest.mark.each_browser
def test_a_kept_tree_comes_back_with_its_file_calls_and_proposals(
    playground: Playground, archive: Path
) -> None:
    playground.choose_archive(archive)
    playground.page.get_by_role("button", name="Keep", exact=True).click()
    playground.take_tour()
    expect(playground.tree_item("NOTES.md")).to_contain_text("new")
    playground.open_file("README.md")
    count = playground.calls.count()
    playground.page.evaluate(_WAIT_UNTIL_KEPT, count)

    playground.page.reload()

    playground.wait_for_tree("mine.zip")
    expect(playground.file_pane.get_by_role("heading")).to_have_text("README.md")
    expect(playground.calls).to_have_count(count)
    expect(playground.tree_item("NOTES.md")).to_contain_text("new")


_WAIT_UNTIL_KEPT = """async (count) => {
    const opened = (request) => new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
    });
    const store = await opened(indexedDB.open("treeglass-playground"));
    for (let work; ; await new Promise(requestAnimationFrame)) {
        work = await opened(store.transaction("kept").objectStore("kept").get("work"));
        const calls = work?.items.filter(({ kind }) => kind === "call") ?? [];
        if (calls.length === count && work.openFile !== null && work.state !== null) {
            break;
        }
    }
    store.close();
}"""
