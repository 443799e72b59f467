"""Two tabs of one browser keep trees, of which the browser keeps one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, SAMPLE_NAME, Playground

_TREE = zip_of({"README.md": "# Hi\n", "src/app.py": "print('hello')  # TODO\n"})
_LISTING = '{"dir_path": "/repo"}'
_NOT_KEPT = "Another tab keeps a tree in this browser, so this one and its calls are not kept."

# Waits until the browser keeps the work on so many calls.
_CALLS_ARE_KEPT = """async (wanted) => {
    const opened = (request) => new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
    });
    const database = await opened(indexedDB.open("treeglass-playground"));
    for (let kept; kept !== wanted; ) {
        await new Promise(requestAnimationFrame);
        const work = await opened(database.transaction("kept").objectStore("kept").get("work"));
        kept = work?.items.length ?? 0;
    }
    database.close();
}"""


@pytest.fixture
def second(playground: Playground) -> Iterator[Playground]:
    """A second tab, where the first one keeps a tree with one call."""
    first = playground.page
    playground.mount_archive("mine.zip", _TREE)
    first.get_by_role("button", name="Keep", exact=True).click()
    playground.call("list_dir", _LISTING)
    first.evaluate(_CALLS_ARE_KEPT, 1)
    page = first.context.new_page()
    page.set_viewport_size(DESKTOP)
    tab = Playground(page, playground.origin)
    tab.open()
    yield tab
    page.close()
    # In Firefox, a page that is behind another one may not draw.
    first.bring_to_front()


def test_a_second_tab_has_a_copy_that_is_not_kept_and_says_so(
    playground: Playground, second: Playground
) -> None:
    expect(second.alert).to_have_text(_NOT_KEPT)
    second.call("LS", '{"path": "."}')
    expect(second.calls).to_have_count(2)
    second.page.wait_for_function("() => sessionStorage['treeglass-lost-tree'] === 'mine.zip'")
    playground.page.bring_to_front()
    playground.call("read_file", '{"file_path": "/repo/README.md"}')
    playground.page.evaluate(_CALLS_ARE_KEPT, 2)
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.calls.locator(".call-line > strong")).to_have_text(["list_dir", "read_file"])
    expect(playground.alert).to_have_count(0)
    playground.call("list_dir", _LISTING)
    playground.page.evaluate(_CALLS_ARE_KEPT, 3)


def test_a_tab_keeps_its_tree_once_the_other_one_has_left(
    playground: Playground, second: Playground
) -> None:
    expect(second.alert).to_have_text(_NOT_KEPT)
    playground.page.goto("about:blank")
    second.page.reload()
    second.wait_until_ready()
    second.call("LS", '{"path": "."}')
    second.page.evaluate(_CALLS_ARE_KEPT, 2)

    expect(second.alert).to_have_count(0)
    playground.open()
    expect(playground.alert).to_have_text(_NOT_KEPT)


def test_a_choice_in_one_tab_holds_in_the_other(playground: Playground, second: Playground) -> None:
    second.page.get_by_label("More", exact=True).first.click()
    second.page.get_by_label("Keep trees in this browser for a reload").uncheck()
    second.page.evaluate(_CALLS_ARE_KEPT, 0)
    playground.page.bring_to_front()
    playground.page.get_by_label("More", exact=True).first.click()
    kept = playground.page.get_by_label("Keep trees in this browser for a reload")
    expect(kept).not_to_be_checked()
    playground.page.keyboard.press("Escape")
    playground.call("LS", '{"path": "."}')
    playground.page.wait_for_function("() => location.hash.includes('tool=LS')")
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.source_button).to_contain_text(SAMPLE_NAME)


def test_a_kept_tree_opens_without_an_entry_in_the_history(second: Playground) -> None:
    second.page.goto("about:blank")
    before = second.page.evaluate("history.length")
    second.open()
    second.page.wait_for_function("() => location.hash.includes('elsewhere')")

    assert second.page.evaluate("history.length") == before + 1
