"""The playground on a phone, in the dark, with reduced motion, and without a mouse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator

    from tests.browser.cpython_answers import CPythonAnswers
    from tests.browser.playground.playground_page import Playground

pytestmark = pytest.mark.browser

_SIDEWAYS_PX = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
}"""
_MOVING = """() => document.getAnimations({ subtree: true }).length"""
_COLOURS = """() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return [backgroundColor, color];
}"""
_DESCRIBE_FOCUS = """() => {
    const focused = document.activeElement;
    return focused === document.body ? null : focused.outerHTML.slice(0, 120);
}"""
_MAX_TAB_STOPS = 40


@pytest.fixture
def phone(playground: Playground) -> Playground:
    playground.page.set_viewport_size({"width": 390, "height": 844})
    return playground


@pytest.fixture
def lit(chromium_playground: Playground) -> Iterator[Playground]:
    """A page whose theme and media are put back to what a visitor begins with.

    WebDriver BiDi, by which Firefox is driven, has no way to say what a visitor prefers.
    """
    playground = chromium_playground
    yield playground
    playground.page.get_by_role("radio", name="Auto").check(force=True)
    playground.page.emulate_media(color_scheme="null", reduced_motion="null")


def test_a_phone_shows_each_section_in_turn_and_never_scrolls_sideways(phone: Playground) -> None:
    panes = {"Tree": phone.tree_pane, "Tool": phone.tool_pane, "Result": phone.result_pane}
    seen = {}
    for name in panes:
        phone.page.get_by_role("button", name=name, exact=True).click()
        visible = [other for other, pane in panes.items() if pane.is_visible()]
        seen[name] = (visible, phone.page.evaluate(_SIDEWAYS_PX))

    assert seen == {name: ([name], 0) for name in panes}


def test_a_call_works_on_a_phone(phone: Playground, sample: CPythonAnswers) -> None:
    phone.page.get_by_role("button", name="Tool", exact=True).click()
    phone.choose_tool("LS")
    phone.fill({"path": "src/treeglass"})
    content = phone.run()

    assert content == sample.content("LS", {"path": "src/treeglass"})
    expect(phone.content).to_be_visible()
    assert phone.page.evaluate(_SIDEWAYS_PX) == 0


def test_a_file_is_read_on_a_phone_by_two_taps(phone: Playground, sample: CPythonAnswers) -> None:
    phone.page.get_by_role("button", name="Tool", exact=True).click()
    phone.choose_tool("read_file")
    phone.page.get_by_role("button", name="Tree", exact=True).click()
    phone.tree.get_by_role("treeitem", name="LICENSE").click()
    with phone.answered():
        phone.page.get_by_role("button", name="Read", exact=True).click()

    expect(phone.content).to_be_visible()
    assert phone.read_content() == sample.content("read_file", {"file_path": "/repo/LICENSE"})


def test_colours_follow_the_system_until_the_toggle_says_otherwise(lit: Playground) -> None:
    def colours(system: Any, chosen: str) -> list[str]:
        lit.page.emulate_media(color_scheme=system)
        lit.page.get_by_role("radio", name=chosen).check(force=True)
        found: list[str] = lit.page.evaluate(_COLOURS)
        return found

    light, dark = colours("light", "Auto"), colours("dark", "Auto")

    assert light != dark
    assert (colours("dark", "Light"), colours("light", "Dark")) == (light, dark)


def test_nothing_moves_for_who_wants_no_motion(lit: Playground) -> None:
    def moving(motion: Any) -> int:
        lit.page.emulate_media(reduced_motion=motion)
        # The line blinks while work is under way.
        lit.page.locator("#status-line").evaluate("(line) => line.dataset.kind = 'working'")
        count: int = lit.page.evaluate(_MOVING)
        lit.page.locator("#status-line").evaluate("(line) => line.dataset.kind = 'ready'")
        return count

    assert (moving("no-preference"), moving("reduce")) == (1, 0)


def _expect_focus(target: Locator) -> None:
    """Wait until an element is the one that keys go to.

    Of the pages of a browser only one is active, and that may be another story's.
    """
    has_focus = "(element) => element === document.activeElement"
    target.page.wait_for_function(has_focus, arg=target.element_handle())


class _Keyboard:
    """A visitor who only types, from the top of the page down."""

    def __init__(self, playground: Playground) -> None:
        self._page = playground.page
        # Tab goes on from the last click, so this starts at the first stop.
        self._page.get_by_role("link", name="Skip to the result").focus()

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def type(self, text: str) -> None:
        self._page.keyboard.type(text)

    def tab_to(self, target: Locator) -> None:
        """Go forward to an element by Tab; fail if Tab does not lead to it."""
        passed = []
        for _ in range(_MAX_TAB_STOPS):
            self.press("Tab")
            if target.evaluate("(element) => element === document.activeElement"):
                return
            passed.append(self._page.evaluate(_DESCRIBE_FOCUS))
        pytest.fail("\n".join(["Tab leads only to:", *map(str, passed)]))


def test_the_keyboard_alone_leads_from_the_top_to_an_answer(
    playground: Playground, sample: CPythonAnswers
) -> None:
    page = playground.page
    for tool in ("read_file", "LS", "list_dir"):
        playground.choose_tool(tool)
    keys = _Keyboard(playground)

    keys.tab_to(page.get_by_role("button", name="Sample"))
    keys.tab_to(playground.tree.locator('[tabindex="0"]'))
    keys.press("Home", "ArrowDown")
    keys.type("pyproj")
    _expect_focus(playground.tree.get_by_role("treeitem", name="pyproject.toml"))
    with playground.answered():
        keys.press("Enter")
    read = {"file_path": "/repo/pyproject.toml"}
    assert playground.read_content() == sample.content("read_file", read)

    playground.tree.get_by_role("treeitem", name="pyproject.toml").focus()
    keys.tab_to(page.get_by_role("radio", name="read_file"))
    keys.press("ArrowDown", "ArrowDown")
    expect(page.get_by_role("radio", name="LS")).to_be_checked()
    keys.tab_to(page.get_by_role("tab", name="Fields"))
    keys.tab_to(playground.field("path"))
    keys.press("ControlOrMeta+A")
    keys.type("docs")
    keys.tab_to(playground.run_button)
    with playground.answered():
        keys.press("Enter")
    assert playground.read_content() == sample.content("LS", {"path": "docs"})


def test_arrows_open_and_close_the_tree(playground: Playground, sample: CPythonAnswers) -> None:
    listed = sample.call("LS", {"path": "docs", "include_hidden": True}).structured_content
    assert listed is not None
    names = [entry["path"].removeprefix("docs/") for entry in listed["data"]["entries"]]
    docs = playground.tree.get_by_role("treeitem", name="docs", exact=True)
    keys = _Keyboard(playground)
    keys.tab_to(playground.tree.locator('[tabindex="0"]'))
    keys.press("Home")
    keys.type("docs")
    keys.press("ArrowRight")
    expect(docs).to_have_attribute("aria-expanded", "true")
    expect(playground.tree.get_by_role("treeitem", level=3)).to_have_text(names)
    keys.press("ArrowRight")
    _expect_focus(playground.tree.get_by_role("treeitem", name=names[0]))
    keys.press("ArrowLeft")
    _expect_focus(docs)
    keys.press("ArrowLeft")

    expect(docs).to_have_attribute("aria-expanded", "false")
    expect(playground.tree.get_by_role("treeitem", level=3)).to_have_count(0)


def test_tabs_of_the_result_obey_arrows_and_any_field_runs_the_call(
    playground: Playground, sample: CPythonAnswers
) -> None:
    playground.choose_tool("LS")
    playground.fill({"path": "docs"})
    with playground.answered():
        playground.field("path").press("ControlOrMeta+Enter")
    tab = playground.page.get_by_role("tab", name="Content")
    tab.focus()
    tab.press("ArrowRight")
    structured = playground.page.get_by_role("tabpanel", name="Structured")
    shown = json.loads(structured.text_content() or "")
    tabs = playground.page.get_by_role("tablist", name="Result views").get_by_role("tab")
    # Matches, of a search alone, is between them.
    _expect_focus(tabs.nth(2))
    tabs.nth(2).press("Home")

    expected = sample.call("LS", {"path": "docs"}).structured_content
    assert expected is not None
    assert shown | {"stats": None} == expected | {"stats": None}
    _expect_focus(tab)
