"""A visitor reloads the page, and goes back and forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground_next.page import SAMPLE, SAMPLE_FILES, SAMPLE_FOLDERS

if TYPE_CHECKING:
    from tests.browser.playground_next.page import Playground

pytestmark = pytest.mark.browser

_TREE = zip_of({"README.md": "# Hi\n", "src/app.py": "print('hello')  # TODO\n"})
_LISTING = '{"dir_path": "/repo"}'

# A predicate of the driver cannot await, so the page itself looks again and again.
_WAIT_UNTIL_KEPT = """async (wanted) => {
    const open = indexedDB.open("treeglass-playground");
    const database = await new Promise((resolve) => {
        open.onsuccess = () => resolve(open.result);
    });
    const read = () => new Promise((resolve) => {
        const request = database.transaction("kept").objectStore("kept").get("work");
        request.onsuccess = () => resolve(request.result);
    });
    const word = (work) => [work?.openFile?.path, work?.items.length, work?.state != null];
    let found = "";
    for (let tries = 0; tries < 1000; tries += 1) {
        found = JSON.stringify(word(await read()));
        if (found === JSON.stringify(wanted)) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    database.close();
    return JSON.parse(found);
}"""


def _answer_offer(playground: Playground, button: str) -> None:
    offer = playground.page.get_by_role("region", name="Keep this tree")
    offer.get_by_role("button", name=button, exact=True).click()
    expect(offer).to_be_hidden()


def _wait_until_kept(playground: Playground, work: list[object]) -> None:
    """Wait until this is kept: the open file, the number of items, and whether proposals are."""
    assert playground.page.evaluate(_WAIT_UNTIL_KEPT, work) == work


def _answers(playground: Playground) -> list[str]:
    """Return the lines of the calls, with their figures."""
    return [call.get_by_role("button").first.inner_text() for call in playground.calls.all()]


def test_a_kept_tree_comes_back_with_its_file_calls_and_proposals(fresh: Playground) -> None:
    fresh.open()
    fresh.mount_archive("mine.zip", _TREE)
    _answer_offer(fresh, "Keep")
    fresh.take_tour()
    fresh.call("list_dir", _LISTING)
    fresh.open_file("NOTES.md")
    items = fresh.timeline.get_by_role("listitem").filter(visible=True).count()
    before = (_answers(fresh), fresh.row_names())
    _wait_until_kept(fresh, ["NOTES.md", fresh.timeline.locator("> li").count(), True])
    fresh.page.reload()
    fresh.wait_until_ready()
    fresh.expect_open("NOTES.md")

    expect(fresh.source_button).to_contain_text("mine.zip")
    expect(fresh.row("NOTES.md")).to_contain_text("new")
    assert (_answers(fresh), fresh.row_names()) == before
    assert fresh.timeline.get_by_role("listitem").filter(visible=True).count() == items
    expect(fresh.code.locator(".cm-line").first).to_have_text("# Notes of the tour")
    expect(fresh.page.get_by_role("button", name="Leave /repo/NOTES.md", exact=True)).to_be_visible()


def test_a_tree_that_is_not_kept_gives_way_to_the_sample_and_no_call_runs(
    fresh: Playground,
) -> None:
    fresh.open()
    fresh.mount_archive("mine.zip", _TREE)
    _answer_offer(fresh, "Do not keep")
    fresh.call("list_dir", _LISTING)
    fresh.page.wait_for_function("() => location.hash.includes('tool=list_dir')")
    fresh.page.reload()
    fresh.wait_until_ready()

    fresh.expect_rows([*SAMPLE_FOLDERS, *SAMPLE_FILES])
    expect(fresh.source_button).to_contain_text(SAMPLE)
    expect(fresh.calls).to_have_count(0)


def test_a_visitor_who_changes_their_mind_leaves_nothing_behind(fresh: Playground) -> None:
    fresh.open()
    fresh.mount_archive("mine.zip", _TREE)
    _answer_offer(fresh, "Keep")
    fresh.open_file("README.md")
    _wait_until_kept(fresh, ["README.md", 0, False])
    fresh.page.get_by_label("More", exact=True).first.click()
    fresh.page.get_by_label("Keep trees in this browser for a reload").uncheck()
    _wait_until_kept(fresh, [None, None, False])
    fresh.page.reload()
    fresh.wait_until_ready()

    expect(fresh.source_button).to_contain_text(SAMPLE)


def test_a_file_of_the_sample_and_the_last_call_come_back_by_the_address(
    fresh: Playground,
) -> None:
    fresh.open()
    fresh.open_file("docs/units.md")
    fresh.call("list_dir", _LISTING)
    fresh.page.wait_for_function("() => location.hash.includes('tool=list_dir')")
    fresh.page.reload()
    fresh.wait_until_ready()
    fresh.expect_open("docs/units.md")

    expect(fresh.calls).to_have_count(1)
    expect(fresh.calls.first).to_contain_text("Absolute path: /repo")


def test_back_and_forward_lead_between_the_opened_files(fresh: Playground) -> None:
    fresh.open()
    for path in ("docs/units.md", "README.md"):
        fresh.open_file(path)
        # The address follows after a pause.
        name = path.rsplit("/", 1)[-1]
        fresh.page.wait_for_function("(name) => location.hash.includes(name)", arg=name)
    fresh.page.go_back()
    fresh.expect_open("docs/units.md")
    fresh.page.go_back()
    expect(fresh.file_pane.get_by_text("Choose a file on the left")).to_be_visible()
    fresh.page.go_forward()
    fresh.expect_open("docs/units.md")
    fresh.page.go_forward()
    fresh.expect_open("README.md")

    expect(fresh.source_button).to_contain_text(SAMPLE)
