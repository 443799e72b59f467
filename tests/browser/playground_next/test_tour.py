"""A visitor takes the tour, and decides about the change that it proposes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground_next.page import TOUR_STEPS

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.playground_next.page import Playground

pytestmark = pytest.mark.browser

_FILE = "src/larder/expiry.py"


def _calls(playground: Playground) -> list[str]:
    """Return what each call was about, without its figures."""
    lines = playground.calls.get_by_role("button").locator("strong, .call-argument")
    texts = lines.all_text_contents()
    return [" ".join(pair) for pair in zip(texts[::2], texts[1::2], strict=True)]


def _tour(playground: Playground) -> Locator:
    return playground.page.get_by_role("region", name="Tour", exact=True)


def test_the_tour_leads_from_a_listing_to_a_review(playground: Playground) -> None:
    playground.take_tour()

    assert _calls(playground) == [
        "list_dir /repo",
        "grep_files TODO",
        f"read_file /repo/{_FILE}",
        "read_file /repo/READ-ME.txt",
        "apply_patch *** Begin Patch",
    ]
    notes = playground.timeline.locator(":scope > li[data-kind=note]")
    expect(notes).to_have_count(TOUR_STEPS)
    expect(notes.first).to_have_text(
        "An agent begins with a look around. This tool lists two levels of the tree."
    )
    playground.expect_open(_FILE)
    expect(playground.file_pane.locator(".tg-marked")).to_have_text(
        # The line of the TODO, in the file as the proposal would leave it.
        "    return item.until is not None and item.until < today"
    )
    expect(playground.row("expiry.py")).to_contain_text("changed")


def test_one_change_is_taken_and_the_rest_stays_to_decide(playground: Playground) -> None:
    playground.take_tour()
    page = playground.page
    page.get_by_role("button", name=f"Take /repo/{_FILE}", exact=True).click()

    taken = page.get_by_role("button", name=f"Taken /repo/{_FILE}", exact=True)
    expect(taken).to_be_visible()
    expect(page.get_by_role("button", name="Take /repo/tests/test_expiry.py")).to_be_visible()
    expect(page.get_by_text("An export holds")).to_have_text(
        "An export holds 2 of 2 changes; 1 not taken yet."
    )


def test_a_change_that_is_left_is_gone_and_undo_brings_it_back(playground: Playground) -> None:
    playground.take_tour()
    page = playground.page
    leave = page.get_by_role("button", name=f"Leave /repo/{_FILE}", exact=True)
    leave.click()
    reason = page.get_by_role("textbox", name="Reason (optional)")
    expect(reason).to_be_focused()
    leave.click()
    expect(playground.row("expiry.py")).not_to_contain_text("changed")
    expect(playground.file_pane.get_by_role("tab", name="Changes")).to_be_hidden()
    page.get_by_role("button", name=re.compile("^Undo ")).click()

    expect(playground.row("expiry.py")).to_contain_text("changed")


def test_the_end_of_the_tour_leads_to_the_question_for_a_model(playground: Playground) -> None:
    playground.take_tour()
    tour = _tour(playground)
    expect(tour.get_by_role("link", name="Use this in your page")).to_have_attribute(
        "href", "./docs/start/page.html"
    )
    tour.get_by_role("button", name="Ask your own model").click()

    expect(tour).to_be_hidden()
    expect(playground.page.get_by_role("textbox", name="Question for a model")).to_be_focused()


def test_a_tree_without_a_todo_has_a_tour_too(playground: Playground) -> None:
    playground.mount_archive("plain.zip", zip_of({"a.py": "def a():\n    return 1\n"}))
    playground.take_tour()

    assert _calls(playground) == [
        "list_dir /repo",
        "grep_files TODO",
        "grep_files ^(def|class|function|export|import|#) ?",
        "read_file /repo/a.py",
        "read_file /repo/READ-ME.txt",
        "apply_patch *** Begin Patch",
    ]
    expect(playground.row("NOTES.md")).to_have_text("NOTES.mdA new")
    expect(playground.page.get_by_role("button", name="Take /repo/NOTES.md", exact=True)).to_be_visible()


def test_another_tree_ends_the_tour_and_offers_it_again(playground: Playground) -> None:
    tour = _tour(playground)
    tour.get_by_role("button", name="Take the tour").click()
    expect(tour.get_by_text(f"Step 1 of {TOUR_STEPS}")).to_be_visible()
    playground.mount_archive("plain.zip", zip_of({"a.txt": "a\n"}))

    expect(tour.get_by_role("button", name="Take the tour")).to_be_enabled()
    expect(playground.calls).to_have_count(0)


def test_the_tour_can_be_ended_at_each_step(playground: Playground) -> None:
    tour = _tour(playground)
    tour.get_by_role("button", name="Take the tour").click()
    tour.get_by_role("button", name="End the tour").click()
    expect(tour).to_be_hidden()

    expect(playground.calls).to_have_count(1)
