"""The views of the playground, and links that lead to them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import BROWSERS, open_watched_page

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.cpython_answers import CPythonAnswers
    from tests.browser.playground.playground_page import Playground
    from tests.support.browser_support import Browsers

pytestmark = pytest.mark.browser

_SECTIONS = {
    "Console": ["Tree", "Tool", "Result"],
    "Agent": ["Tree", "Agent"],
    "Compare": ["Tree", "Compare"],
}

_OPENS_THE_SAMPLE = (
    "Link copied. It opens the sample, since a tree from this device has no address."
)
_NO_START = (
    "Python did not start: This browser has no WebAssembly, or the page's policy forbids it; "
    "allow 'wasm-unsafe-eval' in script-src, or use a current browser."
)


def _shown(playground: Playground) -> list[str]:
    return [
        name
        for name in _SECTIONS
        if playground.page.get_by_role("tabpanel", name=name, exact=True).is_visible()
    ]


def test_arrows_lead_from_view_to_view_and_the_first_link_into_each(
    playground: Playground,
) -> None:
    page = playground.page
    playground.open_view("Console").page.get_by_role("tab", name="Console").focus()
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "End", "Home"):
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.textContent")
        seen.append((key, focused, _shown(playground), page.locator("#skip-link").text_content()))

    assert seen == [
        ("ArrowRight", "Agent", ["Agent"], "Skip to the agent"),
        ("ArrowRight", "Compare", ["Compare"], "Skip to the comparison"),
        ("ArrowRight", "Console", ["Console"], "Skip to the result"),
        ("End", "Compare", ["Compare"], "Skip to the comparison"),
        ("Home", "Console", ["Console"], "Skip to the result"),
    ]


def test_the_skip_link_ends_in_the_view_that_is_shown(playground: Playground) -> None:
    targets = {}
    for view in _SECTIONS:
        playground.open_view(view)
        playground.page.locator("#skip-link").focus()
        playground.page.keyboard.press("Enter")
        targets[view] = playground.page.evaluate("document.activeElement.id")

    assert targets == {
        "Console": "result-pane",
        "Agent": "agent-view",
        "Compare": "compare-view",
    }


def test_a_phone_has_the_sections_of_the_view_and_each_of_them_fits(
    playground: Playground,
) -> None:
    page = playground.page
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.get_by_role("navigation", name="Sections")
    seen = {}
    for view in _SECTIONS:
        playground.open_view(view)
        buttons = bar.get_by_role("button")
        names = [button.text_content() for button in buttons.all() if button.is_visible()]
        for name in names:
            bar.get_by_role("button", name=name or "", exact=True).click()
            sideways = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert (view, name, sideways) == (view, name, 0)
        seen[view] = names

    assert seen == _SECTIONS


def test_the_address_leads_back_to_the_view_and_what_was_compared(
    playground: Playground, sample: CPythonAnswers
) -> None:
    page = playground.page
    view = playground.compare("/repo/docs")
    view.get_by_label("Depth").select_option("2")
    playground.wait_for_comparison()
    # The address waits for a pause in what changes.
    page.wait_for_url(lambda url: url.endswith("view=compare&compare=docs&compare_depth=2"))
    page.reload()
    playground.wait_for_first_answer()
    playground.wait_for_comparison()

    assert _shown(playground) == ["Compare"]
    assert playground.read_column_content("list_dir") == sample.content(
        "list_dir", {"dir_path": "/repo/docs", "depth": 2}
    )


def test_back_and_forth_between_addresses_changes_the_view(playground: Playground) -> None:
    playground.page.evaluate("location.hash = '#view=compare&compare=src'")
    playground.wait_for_comparison()
    compared = _shown(playground)
    playground.page.evaluate("location.hash = '#view=agent'")
    expect(playground.page.get_by_role("tabpanel", name="Agent", exact=True)).to_be_visible()

    assert (compared, _shown(playground)) == (["Compare"], ["Agent"])


def test_the_link_that_is_copied_names_the_view_and_says_what_it_cannot_name(
    playground: Playground, tmp_path: Path
) -> None:
    page = playground.page
    page.evaluate(NOTE_COPIES)
    # By its id: for seconds after a click, its name is the outcome.
    copy = page.locator("#copy-link")
    expect(copy).to_have_text("Copy link")
    playground.compare("/repo/src")
    copy.click()
    expect(page.locator("#status-text")).to_have_text("Link copied")
    own = tmp_path / "own.zip"
    own.write_bytes(zip_of({"a.txt": ""}))
    playground.choose_archive(own)
    expect(playground.tree_pane.get_by_text("own.zip", exact=True)).to_be_visible()
    copy.click()
    expect(page.locator("#status-text")).to_have_text(_OPENS_THE_SAMPLE)

    page.evaluate("location.hash = '#npm=tiny%401.2.3&view=compare'")
    offer = page.get_by_role("region", name="Linked tree")
    expect(offer).to_be_visible()
    copy.click()
    expect(page.locator("#status-text")).to_have_text("Link copied")
    offer.get_by_role("button", name="Not now").click()
    copy.click()
    expect(page.locator("#status-text")).to_have_text(_OPENS_THE_SAMPLE)

    addresses = [urlsplit(address).fragment for address in page.evaluate("copied")]
    assert [address.split("view=")[1] for address in addresses] == [
        "compare&compare=src",
        "compare&compare=",
        "compare&compare=",
        "compare&compare=",
    ]
    assert [address.split("&")[0] for address in addresses] == [
        "tool=list_dir",
        "tool=list_dir",
        "npm=tiny%401.2.3",
        "tool=list_dir",
    ]


def test_a_link_to_a_comparison_elsewhere_compares_nothing_before_it_is_answered(
    playground: Playground,
) -> None:
    page = playground.page
    page.evaluate("location.hash = '#npm=tiny%401.2.3&view=compare&compare=src'")
    offer = page.get_by_role("region", name="Linked tree")
    expect(offer).to_be_visible()
    playground.open_view("Console")
    # The worker answers in order: what was asked before this has its answer too.
    playground.call("list_dir", '{"dir_path": "/repo"}')
    view = playground.open_view("Compare")
    before = view.locator(".badge:visible").all_text_contents()
    offer.get_by_role("button", name="Not now").click()
    playground.wait_for_comparison()

    assert before == ["no call yet"] * 3
    assert view.get_by_label("Directory", exact=True).input_value() == "/repo/src"


@pytest.mark.parametrize("browser_name", BROWSERS)
@pytest.mark.parametrize("link", ["", "npm=tiny%401.2.3&"])
def test_a_page_where_python_does_not_start_says_so_in_the_comparison(
    browsers: Browsers, site: str, browser_name: str, link: str
) -> None:
    with open_watched_page(browsers.get(browser_name)) as page:
        page.add_init_script("delete globalThis.WebAssembly;")
        page.goto(f"{site}/#{link}view=compare&compare=src")
        expect(page.locator("#status-text")).to_have_text(_NO_START)
        page.evaluate(NOTE_COPIES)
        page.get_by_role("button", name="Copy link", exact=True).click()
        page.wait_for_function("() => copied.length === 1")
        if link:
            page.get_by_role("button", name="Not now").click()
        outcome = page.locator("#compare-view [role=status]")
        expect(outcome).to_have_text(_NO_START)


def test_enter_with_control_makes_no_call_in_another_view(playground: Playground) -> None:
    playground.call("list_dir", '{"dir_path": "/repo/before"}')
    playground.write_json('{"dir_path": "/repo/elsewhere"}')
    playground.open_view("Agent")
    playground.page.keyboard.press("ControlOrMeta+Enter")
    playground.open_view("Console")
    playground.write_json('{"dir_path": "/repo/after"}')
    with playground.answered():
        playground.page.keyboard.press("ControlOrMeta+Enter")

    # By what was called and not by how many: the list keeps the last ones only.
    calls = playground.page.locator("#call-history .history-arguments")
    assert [calls.nth(index).inner_text() for index in range(2)] == [
        '{"dir_path":"/repo/after"}',
        '{"dir_path":"/repo/before"}',
    ]
