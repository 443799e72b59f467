"""A visitor decides about the change that the tour proposes, or ends the tour before."""

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import Playground

_FILE = "src/larder/expiry.py"
_ADD = {"input": "*** Begin Patch\n*** Add File: new.md\n+# New\n*** End Patch\n"}


@pytest.fixture
def playground(playground: Playground) -> Playground:
    """Chromium alone: other stories hold what browsers do differently."""
    return playground


def _tour(playground: Playground) -> Locator:
    return playground.page.get_by_role("region", name="Tour", exact=True)


def test_one_change_is_taken_and_the_rest_stays_to_decide(playground: Playground) -> None:
    playground.take_tour()
    page = playground.page
    page.get_by_role("button", name=f"Take /repo/{_FILE}", exact=True).click()

    taken = page.get_by_role("button", name=f"Taken /repo/{_FILE}", exact=True)
    expect(taken).to_be_visible()
    expect(page.get_by_role("button", name="Take /repo/tests/test_expiry.py")).to_be_visible()
    expect(page.get_by_text("An export holds")).to_have_text(
        "An export holds 2 of 2 proposed changes, taken or not: 1 not taken."
    )
    taken.click()
    expect(page.get_by_role("button", name=f"Take /repo/{_FILE}", exact=True)).to_be_visible()


def test_a_change_that_is_left_is_gone_and_undo_brings_it_back(playground: Playground) -> None:
    playground.take_tour()
    page = playground.page
    leave = page.get_by_role("button", name=f"Leave /repo/{_FILE}", exact=True)
    leave.click()
    reason = page.get_by_placeholder("Reason for the agent (optional)")
    expect(reason).to_be_focused()
    expect(playground.tree_item("expiry.py")).not_to_contain_text("changed")
    expect(playground.file_pane.get_by_role("tab", name="Changes")).to_be_hidden()
    title = playground.timeline.locator("treeglass-review .bar > b").first
    expect(title).to_have_text("1 proposed change, you left 1+4")
    page.get_by_role("button", name=re.compile("^Undo ")).click()
    expect(title).to_have_text("2 proposed changes+5\u22122")

    expect(playground.tree_item("expiry.py")).to_contain_text("changed")


def test_a_change_by_hand_ends_in_the_review_and_a_button_leads_there(
    playground: Playground,
) -> None:
    playground.take_tour()
    playground.end_tour()
    playground.call("apply_patch", json.dumps(_ADD))
    last = playground.timeline.locator(":scope > li").last
    expect(last.get_by_role("button", name="Take /repo/new.md", exact=True)).to_be_visible()
    playground.call("LS", '{"path": "."}')
    expect(last.get_by_role("button", name="Export patch")).to_be_hidden()
    playground.page.get_by_role("button", name="3 proposed changes").click()

    expect(playground.timeline.locator("treeglass-review")).to_be_focused()


def test_clear_drops_the_calls_and_keeps_the_review_of_what_is_proposed(
    playground: Playground,
) -> None:
    playground.take_tour()
    clear = playground.page.get_by_role("button", name="Clear", exact=True)
    clear.click()
    expect(playground.timeline.locator(":scope > li")).to_have_count(1)
    expect(playground.page.get_by_role("button", name="Export patch")).to_be_visible()

    expect(clear).to_be_hidden()


def test_another_tree_takes_the_place_of_proposed_changes_only_if_the_visitor_says_so(
    playground: Playground,
) -> None:
    playground.take_tour()
    page = playground.page
    playground.drop_from_script({"note.txt": b"hello\n"})
    dialog = page.get_by_role("dialog", name="Open note.txt?")
    expect(dialog).to_contain_text("2 proposed changes would be lost")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Export the patch").click()
    assert download.value.suggested_filename == "changes.patch"
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(playground.tree_item("expiry.py")).to_contain_text("changed")
    playground.drop_from_script({"note.txt": b"hello\n"})
    dialog.get_by_role("button", name="Open anyway").click()

    playground.expect_items(["note.txt"])


def test_another_tree_ends_the_tour_and_offers_it_again(playground: Playground) -> None:
    tour = _tour(playground)
    tour.get_by_role("button", name="Take the tour").click()
    expect(tour.get_by_text("Step 1 of 6")).to_be_visible()
    playground.mount_archive("plain.zip", zip_of({"a.txt": "a\n"}))

    expect(tour.get_by_role("button", name="Take the tour")).to_be_enabled()
    expect(playground.calls).to_have_count(0)


def test_the_tour_can_be_ended_at_each_step(playground: Playground) -> None:
    tour = _tour(playground)
    tour.get_by_role("button", name="Take the tour").click()
    tour.get_by_role("button", name="End the tour").click()
    expect(tour).to_be_hidden()

    expect(playground.calls).to_have_count(1)
