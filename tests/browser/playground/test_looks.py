"""The page at every width, in both schemes, by the rules of accessibility and under its policy."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, PHONE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.playground.playground_page import Playground

_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

_HOSTILE = {
    "<img src=x onerror=alert(1)>.md": "<script>alert(1)</script>\n",
    "a.md": "# `<b>` [x](javascript:alert(1))\n",
}


def test_it_breaks_no_rule_of_accessibility_at_the_end_of_the_tour(
    chromium_playground: Playground,
) -> None:
    page = chromium_playground.page
    chromium_playground.take_tour()
    checked = {}
    for scheme, size in product(_SCHEMES, (DESKTOP, PHONE)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        checked[scheme, size["width"]] = check_rules(page)
    page.emulate_media(color_scheme="null")

    assert checked == dict.fromkeys(product(_SCHEMES, (1280, 390)), FINE)


def test_its_dialogs_and_forms_break_no_rule_either(chromium_playground: Playground) -> None:
    page = chromium_playground.page
    found = {"first": check_rules(page)}
    chromium_playground.choose_tool("Grep")
    page.get_by_role("button", name="Choose a model").click()
    found["model"] = check_rules(page)
    page.keyboard.press("Escape")
    found["forms"] = check_rules(page)
    chromium_playground.open_sources()
    found["sources"] = check_rules(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Use in…").click()
    found["programs"] = check_rules(page)
    page.keyboard.press("Escape")
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="Configuration…").click()
    found["configuration"] = check_rules(page)

    assert found == dict.fromkeys(found, FINE)


@pytest.mark.parametrize(
    ("width", "height"), [(320, 640), (390, 844), (720, 450), (768, 1024), (1280, 800), (1600, 900)]
)
def test_nothing_is_wider_than_the_window(playground: Playground, width: int, height: int) -> None:
    page = playground.page
    playground.take_tour()
    page.set_viewport_size({"width": width, "height": height})

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
        expect(page.get_by_role("button", name="Take the tour")).to_be_in_viewport(ratio=1)

    page.get_by_role("button", name="Take the tour").click()

    expect(playground.calls).to_have_count(1)
    expect(playground.calls.first).to_be_in_viewport()


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

    playground.mount_archive("mine.zip", zip_of({"mine.txt": "1\n"}))

    expect(playground.tree_item("mine.txt")).to_be_in_viewport()


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
