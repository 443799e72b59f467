"""The page at every width, in both schemes, by the rules of accessibility and under its policy."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, PHONE, Playground

_HOSTILE = {
    "<img src=x onerror=alert(1)>.md": "<script>alert(1)</script>\n",
    "a.md": "# `<b>` [x](javascript:alert(1))\n",
}


@pytest.mark.each_browser
def test_the_first_picture_says_what_the_page_is_and_offers_the_tour(
    playground: Playground,
) -> None:
    page = playground.page
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        expect(
            page.get_by_role("heading", name="File tools for an AI agent in a web page")
        ).to_be_in_viewport()
        expect(page.get_by_text("who build agents into web pages")).to_be_in_viewport()
        for command in ("npm install treeglass", "pip install treeglass"):
            expect(page.get_by_role("code").get_by_text(command)).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Take the tour")).to_be_in_viewport(ratio=1)

    page.get_by_role("button", name="Take the tour").click()

    expect(playground.calls).to_have_count(1)
    expect(playground.calls.first).to_be_in_viewport()


def test_the_commands_that_install_the_library_are_copied(playground: Playground) -> None:
    page = playground.page
    page.evaluate(NOTE_COPIES)
    for command in ("npm install treeglass", "pip install treeglass"):
        page.get_by_role("button", name=f"Copy {command}").click()
        page.wait_for_function("(command) => copied.at(-1) === command", arg=command)

    link = playground.file_pane.get_by_role("link", name="Read how to use it")
    expect(link).to_have_attribute("href", "./docs/")


def test_each_screen_has_one_accent(playground: Playground) -> None:
    page = playground.page
    accents = page.locator("button.primary:visible:enabled")
    tour = re.compile("^Take the tour")
    expect(accents).to_have_text([tour])
    playground.choose_tool("Grep")
    expect(accents).to_have_text(["Run"])
    page.get_by_role("button", name="Close", exact=True).click()
    playground.mount_archive("mine.zip", zip_of({"README.md": "words\n"}))
    expect(page.get_by_role("region", name="Keep this tree")).to_be_visible()
    expect(accents).to_have_text([tour])
    playground.choose_tool("LS")
    expect(accents).to_have_text(["Run"])
    playground.run_button.click()
    expect(playground.calls).to_have_count(1)
    expect(accents).to_have_text(["Run"])
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name=tour).click()
    expect(accents).to_have_text(["Next"])
    for step in range(1, 6):
        expect(page.get_by_role("region", name="Tour")).to_contain_text(f"Step {step} of 6")
        accents.click()
    # The review leads, which has buttons of its own.
    expect(page.get_by_text("The changes above wait for you.")).to_be_visible()
    expect(accents).to_have_count(0)
    playground.timeline.get_by_role("button", name="Take /repo/NOTES.md").click()
    expect(accents).to_have_text(["Ask your own model"])
    page.get_by_role("button", name="End the tour").click()
    expect(accents).to_have_text(["Run"])
    page.evaluate("location.hash = '#npm=tiny@1.2.3'")
    expect(accents).to_have_text(["Fetch from jsDelivr"])
    page.get_by_role("button", name="Not now").click()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_question_of_a_link_stands_where_the_visitor_looks_first(
    playground: Playground, viewport: ViewportSize
) -> None:
    page = playground.page
    page.set_viewport_size(viewport)
    if viewport == DESKTOP:
        playground.open_file("README.md")
    else:
        page.get_by_role("navigation", name="Sections").get_by_text("Calls").click()
    page.evaluate("location.hash = '#npm=tiny@1.2.3'")
    offer = playground.file_pane.get_by_role("region", name="Linked tree")

    expect(offer).to_be_in_viewport(ratio=1)
    offer.get_by_role("button", name="Not now").click()

    shown = "README.md" if viewport == DESKTOP else "File tools for an AI agent in a web page"
    expect(playground.file_pane.get_by_role("heading")).to_have_text(shown)


def test_a_small_screen_marks_the_section_beside_the_calls(playground: Playground) -> None:
    page = playground.page
    page.set_viewport_size({"width": 768, "height": 1024})
    sections = page.get_by_role("navigation", name="Sections")
    current = sections.locator("[aria-current]")
    expect(current).to_have_text("Start")
    expect(sections.get_by_role("button", name="Calls")).to_be_hidden()
    expect(playground.tool_box).to_be_visible()

    sections.get_by_role("button", name="Files").click()

    expect(current).to_have_text("Files")
    expect(playground.tree).to_be_visible()
    expect(playground.tool_box).to_be_visible()


@pytest.mark.each_browser
def test_a_phone_shows_one_section_and_opens_the_file_that_was_chosen(
    playground: Playground,
) -> None:
    page = playground.page
    page.set_viewport_size(PHONE)
    sections = page.get_by_role("navigation", name="Sections")
    expect(sections.get_by_role("button")).to_have_text(["Files", "Start", "Calls"])
    expect(playground.tree).to_be_hidden()

    sections.get_by_role("button", name="Files").click()
    playground.tree_item("README.md").click()

    expect(playground.file_pane.get_by_role("heading")).to_have_text("README.md")
    expect(playground.tree).to_be_hidden()
    sections.get_by_role("button", name="Calls").click()
    expect(playground.tool_box).to_be_visible()


def test_a_phone_shows_the_files_of_the_tree_that_was_opened(playground: Playground) -> None:
    playground.page.set_viewport_size(PHONE)
    expect(playground.tree).to_be_hidden()

    playground.mount_archive("mine.zip", zip_of({"mine.txt": "1\n", "README.md": "words\n"}))

    expect(playground.tree_item("mine.txt")).to_be_in_viewport()
    page_sections = playground.page.get_by_role("navigation", name="Sections")
    page_sections.get_by_role("button", name="File", exact=True).click()
    playground.expect_open("README.md")


def test_the_documentation_is_one_link_away_and_in_the_menu_of_a_phone(
    playground: Playground,
) -> None:
    page = playground.page
    link = page.get_by_role("banner").get_by_role("link", name="Docs", exact=True)
    expect(link).to_be_visible()
    assert link.get_attribute("href") == "./docs/"
    page.set_viewport_size(PHONE)
    expect(link).to_be_hidden()
    page.get_by_label("More", exact=True).click()

    expect(page.get_by_role("link", name="Documentation")).to_have_attribute("href", "./docs/")
    explained = page.get_by_role("link", name="How this page works")
    expect(explained).to_have_attribute("href", "./docs/playground.html")


@pytest.mark.each_browser
def test_the_chosen_colours_stay_after_a_reload(playground: Playground) -> None:
    page = playground.page
    for _ in range(2):
        page.get_by_label("More", exact=True).click()
        page.get_by_label("Dark", exact=True).check()
        colour = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(colour) == "rgb(14, 18, 17)"
        page.reload()
        playground.wait_until_ready()
        assert page.evaluate(colour) == "rgb(14, 18, 17)"


def test_a_hostile_tree_is_text_everywhere_and_violates_nothing(
    playground: Playground, tmp_path: Path
) -> None:
    archive = tmp_path / "hostile.zip"
    archive.write_bytes(zip_of(_HOSTILE))
    playground.choose_archive(archive)
    for row in playground.tree.get_by_role("treeitem").all():
        row.click()
        playground.code_lines()
    playground.call("read_file", '{"file_path": "/repo/a.md"}')
    playground.calls.last.get_by_role("tab", name="Answer", exact=True).click()
    playground.call("Grep", '{"pattern": "."}')
    playground.calls.last.get_by_role("tab", name="Answer", exact=True).click()

    made = playground.page.locator("main :is(script, img, b), main a[href^=javascript]")
    expect(made).to_have_count(0)
    assert playground.policy_violations() == []


def test_a_low_screen_leaves_half_of_its_height_to_the_review(playground: Playground) -> None:
    playground.take_tour()
    page = playground.page
    page.set_viewport_size({"width": 640, "height": 400})
    calls = page.get_by_role("navigation", name="Sections").get_by_role("button", name="Calls")
    calls.click()
    expect(page.get_by_role("region", name="Tour")).to_be_in_viewport()
    box = page.locator(".timeline").bounding_box()

    assert box is not None
    assert box["height"] >= 200


def test_the_offer_to_keep_a_tree_moves_nothing(playground: Playground) -> None:
    playground.mount_archive("mine.zip", zip_of({"mine.txt": "1\n"}))
    panes = playground.page.get_by_role("main")
    offer = playground.page.get_by_role("region", name="Keep this tree")
    expect(offer).to_be_visible()
    offered = panes.bounding_box()
    offer.get_by_role("button", name="Do not keep").click()
    expect(offer).to_be_hidden()

    assert panes.bounding_box() == offered
