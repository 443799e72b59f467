"""A demo by keyboard alone: the order of its stops, and a focus that stays."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import LIST, SharedDemoPage, demo_of

_FOCUSED = """() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const label = focused.getAttribute("aria-label") ?? focused.labels?.[0]?.textContent;
    return (label ?? focused.textContent).trim();
}"""


def _focused(page: Page) -> str:
    return str(page.evaluate(_FOCUSED))


def _stops(page: Page) -> list[str]:
    """Press Tab from the top of the page to its end; return what had the focus."""
    page.locator("#before").focus()
    stops: list[str] = []
    while not stops or stops[-1] != "After":
        page.keyboard.press("Tab")
        stops.append(_focused(page))
    return stops


_STOPS = ["Files", "Copy", "More", "Run", "Arguments", "Answer", "After"]

_AROUND = '<button id="before">Before</button>{}<button>After</button>'


@pytest.mark.each_browser
def test_tab_leads_through_the_controls_in_the_order_of_their_places(
    demo_page: SharedDemoPage,
) -> None:
    written = _AROUND.format(demo_of())
    demo_page.show(written)
    expect(demo_page.demo().run_button).to_be_visible()
    static = _stops(demo_page.page)
    demo_page.demo().run()
    answered = _stops(demo_page.page)

    assert [stop.removesuffix(" 4.2 MB") for stop in static] == _STOPS
    assert answered == ["Reset", *_STOPS]


@pytest.mark.each_browser
def test_control_and_enter_runs_and_the_focus_stays_in_the_arguments(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    edited = {"dir_path": "/repo/src"}
    demo = demo_page.show(demo_of())
    demo.arguments.focus()
    demo_page.page.keyboard.press("ControlOrMeta+a")
    demo_page.page.keyboard.insert_text(json.dumps(edited))
    with demo.ending():
        demo_page.page.keyboard.press("Control+Enter")
    focused, content = _focused(demo_page.page), demo.content
    text = demo.arguments.input_value()

    assert (focused, json.loads(text), content) == (
        "Arguments",
        edited,
        shop.content("list_dir", edited),
    )


@pytest.mark.each_browser
def test_enter_on_run_keeps_the_focus_on_it(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo = demo_page.show(demo_of())
    demo.run_button.focus()
    told = []
    for key in ("Enter", "Space"):
        with demo.ending():
            demo_page.page.keyboard.press(key)
        told.append((_focused(demo_page.page), demo.content))

    assert told == [("Run", shop.content("list_dir", LIST))] * 2


@pytest.mark.each_browser
def test_reset_by_key_leaves_the_focus_in_the_demo(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of())
    demo.run()
    demo.reset_button.focus()
    demo_page.page.keyboard.press("Enter")
    inside = demo_page.page.evaluate("document.activeElement?.localName")
    state = demo.state

    assert (inside, state) == ("treeglass-demo", "static")
