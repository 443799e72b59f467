"""A demo by keyboard alone: the order of its stops, and the focus that stays where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.element.element_page import LIST, SHOP, answers_of, demo_of, open_demos
from tests.support.browser_support import BROWSERS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.cpython_answers import CPythonAnswers
    from tests.support.browser_support import Browsers

pytestmark = pytest.mark.browser

_FOCUSED = """() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const label = focused.getAttribute("aria-label") ?? focused.labels?.[0]?.textContent;
    return (label ?? focused.textContent).trim();
}"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the tree of the demos."""
    return answers_of(SHOP, tmp_path_factory.mktemp("shop"))


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


_STOPS = ["Files", "Copy", "Reset", "Run", "Arguments", "Answer", "After"]

_AROUND = '<button id="before">Before</button>{}<button>After</button>'


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_tab_leads_through_the_controls_in_the_order_of_their_places(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    written = _AROUND.format(demo_of())
    with open_demos(browsers.get(browser_name), dist / "npm", written) as demos:
        expect(demos.demo().run_button).to_be_visible()
        static = _stops(demos.page)
        demos.demo().run()
        answered = _stops(demos.page)

    assert static == _STOPS
    assert answered == _STOPS


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_control_and_enter_runs_and_the_focus_stays_in_the_arguments(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    edited = {"dir_path": "/repo/src"}
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        demo.arguments.focus()
        demos.page.keyboard.press("ControlOrMeta+a")
        demos.page.keyboard.insert_text(json.dumps(edited))
        with demo.ending():
            demos.page.keyboard.press("Control+Enter")
        focused, content = _focused(demos.page), demo.content
        text = demo.arguments.input_value()

    assert (focused, json.loads(text), content) == (
        "Arguments",
        edited,
        shop.content("list_dir", edited),
    )


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_enter_on_run_keeps_the_focus_on_it(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        demo.run_button.focus()
        told = []
        for key in ("Enter", "Space"):
            with demo.ending():
                demos.page.keyboard.press(key)
            told.append((_focused(demos.page), demo.content))

    assert told == [("Run", shop.content("list_dir", LIST))] * 2


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_reset_by_key_leaves_the_focus_in_the_demo(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        demo.run()
        demo.reset_button.focus()
        demos.page.keyboard.press("Enter")
        inside = demos.page.evaluate("document.activeElement?.localName")
        state = demo.state

    assert (inside, state) == ("treeglass-demo", "static")
