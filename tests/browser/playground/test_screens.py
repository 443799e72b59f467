"""Every state of the page by the rules of WCAG 2.2 AA, on each screen, in light and dark."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import PHONE, Playground

_LONG = "a-name-without-a-break-" * 8
_WIDE_TREE = zip_of({f"{_LONG}/{_LONG}.md": f"{'wide ' * 200}\n{'w' * 2000}\n"})

_SIDEWAYS_PX = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
}"""
_OUT_OF_SIGHT = """() => {
    const { clientWidth } = document.documentElement;
    const controls = [...document.querySelectorAll("button, input, select, summary, a")];
    return controls
        .filter((control) => control.checkVisibility({ checkVisibilityCSS: true }))
        .filter((control) => control.getBoundingClientRect().width > 1)
        .filter((control) => !control.closest(".timeline, .tree-scroll, .tabs"))
        .filter((control) => {
            const { left, right } = control.getBoundingClientRect();
            return left < -1 || right > clientWidth + 1;
        })
        .map((control) => control.outerHTML.slice(0, 120));
}"""
_COLOURS = """() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return [backgroundColor, color];
}"""
_MOVING = "() => document.getAnimations({ subtree: true }).length"


@pytest.fixture(params=["light", "dark"])
def themed(request: pytest.FixtureRequest, playground: Playground) -> Iterator[Playground]:
    """A page in the light or in the dark; only Chromium's driver can say so."""
    page = playground.page
    page.emulate_media(color_scheme=request.param)
    yield playground
    page.emulate_media(color_scheme="null", reduced_motion="null")


@pytest.fixture
def large_text(playground: Playground) -> Iterator[Playground]:
    """A page whose text is twice as large as usual."""
    playground.page.evaluate("document.documentElement.style.fontSize = '200%'")
    yield playground
    playground.page.evaluate("document.documentElement.style.fontSize = ''")


def _show_section(playground: Playground, name: str) -> None:
    """Show a pane by its tab, where the screen is too narrow for all of them."""
    tabs = playground.page.get_by_role("navigation", name="Sections")
    tab = tabs.get_by_role("button", name=re.compile(f"^({name.replace(' or ', '|')})$"))
    if tab.is_visible():
        tab.click()


def test_no_pane_breaks_a_rule(themed: Playground) -> None:
    checked = {"at first": check_rules(themed.page)}
    themed.call("LS", '{"path": "."}')
    checked["an answer"] = check_rules(themed.page)
    themed.call("read_file", "{}")
    checked["an error"] = check_rules(themed.page)
    themed.open_file("src", "larder", "expiry.py")
    expect(themed.code).to_be_visible()
    checked["a file"] = check_rules(themed.page)
    expect(themed.view("As the model reads it").locator("pre")).to_be_visible()
    checked["as the model reads it"] = check_rules(themed.page)
    themed.open_file("docs", "shelves.png")
    checked["an image"] = check_rules(themed.page)
    themed.mount_archive("bare.zip", zip_of({"main.py": "1\n"}))
    expect(themed.file_pane.get_by_role("heading")).to_have_text("bare.zip")
    checked["the start of a tree"] = check_rules(themed.page)

    assert checked == dict.fromkeys(checked, FINE)


def test_no_step_of_the_tour_and_no_review_breaks_a_rule(themed: Playground) -> None:
    themed.take_tour()
    expect(themed.page.get_by_role("button", name="Export patch")).to_be_visible()
    checked = {"the review": check_rules(themed.page)}
    expect(themed.view("Changes").get_by_role("region", name="Changed lines")).to_be_visible()
    checked["the changes of a file"] = check_rules(themed.page)
    themed.page.set_viewport_size(PHONE)
    checked["on a phone"] = check_rules(themed.page)

    assert checked == dict.fromkeys(checked, FINE)


def test_no_dialog_and_no_menu_breaks_a_rule(themed: Playground) -> None:
    page = themed.page
    checked = {}
    themed.choose_tool("Grep")
    page.get_by_role("button", name="Choose a model").click()
    checked["the forms of a call and of a model"] = check_rules(page)
    page.keyboard.press("Escape")
    box = themed.open_sources().get_by_role("textbox", name="A GitHub address")
    box.fill("no tree")
    box.press("Enter")
    checked["what is wrong with an address"] = check_rules(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Go to file…").click()
    checked["go to file"] = check_rules(page)
    page.keyboard.press("Escape")
    for name in ("Share", "More"):
        menu = (
            page.locator("header summary")
            .and_(page.get_by_label(name, exact=True))
            .or_(page.locator("header summary").get_by_text(name, exact=True))
        )
        menu.click()
        checked[name] = check_rules(page)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Use in…").click()
    checked["use in"] = check_rules(page)
    page.keyboard.press("Escape")
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="Configuration…").click()
    checked["the configuration"] = check_rules(page)
    page.keyboard.press("Escape")
    themed.call("LS", '{"path": "src"}')
    themed.calls.last.get_by_role("button", name="Compare with other tool families").click()
    comparison = page.get_by_role("dialog", name="Compare calls")
    expect(comparison.get_by_role("listitem")).to_have_count(3)
    checked["a comparison"] = check_rules(page)
    comparison.get_by_role("columnheader", name="Tokens", exact=True).get_by_role("button").click()
    checked["a sorted comparison"] = check_rules(page)
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#npm=tiny@1.2.3'")
    offer = page.get_by_role("region", name="Linked tree")
    expect(offer).to_be_visible()
    checked["a link's question"] = check_rules(page)
    offer.get_by_role("button", name="Not now").click()

    assert checked == dict.fromkeys(checked, FINE)


def test_no_section_of_a_phone_breaks_a_rule(themed: Playground) -> None:
    themed.page.set_viewport_size(PHONE)
    checked = {}
    for name in ("Files", "File or Start", "Calls"):
        _show_section(themed, name)
        checked[name] = check_rules(themed.page)

    assert checked == dict.fromkeys(checked, FINE)


def _sideways(playground: Playground, screens: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """Return by how much the page scrolls sideways, and the controls that are cut off."""
    found: dict[str, Any] = {}
    for screen, (width, height) in screens.items():
        playground.page.set_viewport_size({"width": width, "height": height})
        for section in ("Files", "File or Start", "Calls"):
            _show_section(playground, section)
            where = f"{screen}, {section}"
            found[where] = [
                playground.page.evaluate(script) for script in (_SIDEWAYS_PX, _OUT_OF_SIGHT)
            ]
    return found


_SCREENS = {
    "320": (320, 640),
    "390": (390, 844),
    "720": (720, 450),
    "768": (768, 1024),
    "1280": (1280, 800),
    "1600": (1600, 900),
    "1280 at 200 %": (640, 400),
}


@pytest.mark.each_browser
def test_the_page_never_scrolls_sideways_and_cuts_off_no_control(playground: Playground) -> None:
    playground.take_tour()
    playground.end_tour()
    playground.call("read_file", '{"file_path": "/repo/README.md"}')
    found = _sideways(playground, _SCREENS)

    assert found == {where: [0, []] for where in found}


@pytest.mark.each_browser
def test_names_and_lines_without_a_break_never_scroll_the_page(playground: Playground) -> None:
    playground.mount_archive("wide.zip", _WIDE_TREE)
    playground.tree_item(_LONG).click()
    playground.tree.get_by_role("treeitem").nth(1).click()
    expect(playground.code).to_be_visible()
    playground.call("read_file", f'{{"file_path": "/repo/{_LONG}/{_LONG}.md"}}')
    found = _sideways(playground, _SCREENS)

    assert found == {where: [0, []] for where in found}


@pytest.mark.each_browser
def test_text_of_twice_the_size_never_scrolls_the_page(large_text: Playground) -> None:
    large_text.call("read_file", '{"file_path": "/repo/README.md"}')
    large_text.open_file("README.md")
    found = _sideways(large_text, {"1280": (1280, 800)})

    assert found == {where: [0, []] for where in found}


def test_colours_follow_the_system_until_the_visitor_says_otherwise(
    playground: Playground,
) -> None:
    page = playground.page

    def colours(system: Any, chosen: str) -> list[str]:
        page.emulate_media(color_scheme=system)
        page.get_by_role("radio", name=chosen).check(force=True)
        found: list[str] = page.evaluate(_COLOURS)
        return found

    page.locator("header summary").get_by_text("⋯").click()
    light, dark = colours("light", "Like the system"), colours("dark", "Like the system")

    assert light != dark
    assert (colours("dark", "Light"), colours("light", "Dark")) == (light, dark)
    colours("null", "Like the system")
    page.keyboard.press("Escape")


def test_nothing_moves_for_who_wants_no_motion(themed: Playground) -> None:
    themed.page.emulate_media(reduced_motion="reduce")
    themed.page.locator(".status").evaluate("(line) => line.dataset.kind = 'mounting'")
    moving = themed.page.evaluate(_MOVING)
    themed.page.locator(".status").evaluate("(line) => line.dataset.kind = 'ready'")

    assert moving == 0


@pytest.mark.parametrize("width", [1440, 390])
def test_a_wide_text_scrolls_in_its_own_box(playground: Playground, width: int) -> None:
    page = playground.page
    playground.choose_tool("grep_files")
    page.set_viewport_size({"width": width, "height": 844})
    _show_section(playground, "Calls")
    page.get_by_text("What a model is told about it").click()
    expect(page.get_by_role("group", name="Input schema")).to_be_visible()
    page.get_by_role("button", name="Use in…").click()
    programs = page.get_by_role("dialog", name="Use this in your program")
    wider = """(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => box.className)"""
    for tab in programs.get_by_role("tab").all():
        tab.click()
        assert page.locator(".use-dialog, .asking, .calls-pane").evaluate_all(wider) == []
