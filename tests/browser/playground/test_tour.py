"""The tour: an agent's calls step by step, a proposed change, and the person's decision."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import Playground

_STEP_OF_ERROR = 4
_CALLED = ["list_dir", "grep_files", "read_file", "read_file", "apply_patch"]


def _called(playground: Playground) -> Locator:
    return playground.calls.locator(".call-line > strong")


@pytest.mark.each_browser
def test_the_tour_of_the_sample_mends_its_fault_and_ends_in_the_review(
    playground: Playground,
) -> None:
    playground.take_tour()

    expect(_called(playground)).to_have_text(_CALLED)
    expect(playground.tree_item("expiry.py")).to_contain_text("changed")
    review = playground.timeline.locator("treeglass-review")
    expect(review).to_contain_text("test_expiry.py")
    tabs = playground.file_pane.get_by_role("tab")
    expect(tabs).to_have_text(["As proposed", "As the model reads it", "Changes"])
    playground.file_pane.get_by_role("tab", name="Changes").click()
    changed = playground.file_pane.get_by_role("region", name="Changed lines")
    expect(changed).to_contain_text("item.until < today")

    review.get_by_role("button", name="Leave", exact=False).first.click()

    expect(playground.tree_item("expiry.py")).not_to_contain_text("changed")
    expect(review).to_contain_text("test_expiry.py")


@pytest.mark.parametrize("width", [1440, 1000, 390, 320])
def test_each_step_is_in_view_with_its_answer_or_the_review(
    playground: Playground, width: int
) -> None:
    page = playground.page
    page.set_viewport_size({"width": width, "height": 844})
    page.get_by_role("button", name=re.compile("^Take the tour")).click()
    card = page.get_by_role("region", name="Tour")
    for step in range(1, 6):
        expect(card).to_contain_text(f"Step {step} of 6")
        words = playground.timeline.locator(":scope > li[data-kind=note] > p").last
        expect(words).to_be_in_viewport(ratio=0.95)
        newest = playground.calls.last
        expect(newest.get_by_role("tab", name="Answer")).to_be_in_viewport()
        if step == _STEP_OF_ERROR:
            expect(newest.locator("pre")).to_be_in_viewport(ratio=1)
        expect(playground.timeline.get_by_role("tablist")).to_have_count(1)
        page.get_by_role("button", name="Next", exact=True).click()

    decision = playground.timeline.get_by_text("You decide: take what you agree with")
    expect(decision).to_be_in_viewport(ratio=0.95)
    review = playground.timeline.locator("treeglass-review")
    for name in ("Take", "Leave"):
        button = review.get_by_role("button", name=name, exact=False).first
        expect(button).to_be_in_viewport(ratio=0.95)


def test_the_tour_of_a_tree_without_marks_proposes_a_file_of_its_own(
    playground: Playground, tmp_path: Path
) -> None:
    archive = tmp_path / "plain.zip"
    archive.write_bytes(zip_of({"main.py": "import os\n"}))
    playground.choose_archive(archive)

    playground.take_tour()

    expected = ["list_dir", "grep_files", *_CALLED[1:]]
    expect(_called(playground)).to_have_text(expected)
    expect(playground.tree_item("NOTES.md")).to_contain_text("new")


def test_the_menu_has_the_tour_after_the_first_call(playground: Playground) -> None:
    playground.call("LS", '{"path": "."}')
    card = playground.page.get_by_role("region", name="Tour")
    expect(card).to_be_hidden()
    menu = playground.page.get_by_label("More", exact=True)
    start = playground.page.get_by_role("button", name=re.compile("^Take the tour"))
    menu.click()
    start.click()

    expect(card).to_contain_text("Step 1 of 6")
    expect(_called(playground)).to_have_text(["LS", "list_dir"])
    menu.click()
    expect(playground.page.get_by_role("button", name="Configuration…")).to_be_visible()
    expect(start).to_be_hidden()


def test_the_end_of_the_tour_leads_to_the_visitors_own_model(playground: Playground) -> None:
    playground.take_tour()

    playground.page.get_by_role("button", name="Ask your own model").click()

    dialog = playground.page.get_by_role("dialog", name="Choose a model")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(playground.page.locator("#agent-question")).to_be_focused()


def test_the_end_of_the_tour_names_its_next_step_once_the_changes_are_decided(
    playground: Playground,
) -> None:
    playground.take_tour()
    card = playground.page.get_by_role("region", name="Tour")
    expect(card).to_contain_text("That was the tour. The changes above wait for you.")
    expect(card.locator(".primary")).to_have_count(0)

    review = playground.timeline.locator("treeglass-review")
    review.get_by_role("button", name="Take /repo/src/larder/expiry.py").click()
    review.get_by_role("button", name="Leave /repo/tests/test_expiry.py").click()

    expect(card).to_contain_text("That was the tour. What next?")
    expect(card.locator(".primary")).to_have_text("Ask your own model")


def test_a_step_back_shows_its_words_and_answer_again_and_calls_nothing(
    playground: Playground,
) -> None:
    page = playground.page
    page.get_by_role("button", name=re.compile("^Take the tour")).click()
    card = page.get_by_role("region", name="Tour")
    back = card.get_by_role("button", name="Back")
    for step in (1, 2):
        expect(card).to_contain_text(f"Step {step} of 6")
        card.get_by_role("button", name="Next").click()
    expect(card).to_contain_text("Step 3 of 6")
    answers = playground.timeline.get_by_role("group", name=re.compile("^Answer of "))
    expect(answers).to_have_accessible_name("Answer of read_file")

    back.click()
    expect(card).to_contain_text("Step 2 of 6")
    expect(answers).to_have_accessible_name("Answer of grep_files")
    page.keyboard.press("ArrowLeft")
    expect(card).to_contain_text("Step 1 of 6")
    expect(back).to_be_disabled()
    expect(answers).to_have_accessible_name("Answer of list_dir")
    expect(playground.timeline.get_by_text("An agent begins with a look")).to_be_in_viewport()
    for step in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(card).to_contain_text(f"Step {step} of 6")
    expect(_called(playground)).to_have_text(_CALLED[:3])
    page.keyboard.press("ArrowRight")

    expect(card).to_contain_text("Step 4 of 6")
    expect(_called(playground)).to_have_text(_CALLED[:4])
