"""Every view and dialog of the playground, by the machine-checkable rules of WCAG 2.2 AA."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility_rules import FINE, check_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.playground.playground_page import Playground

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


@pytest.fixture(params=["light", "dark"])
def themed(request: pytest.FixtureRequest, chromium_playground: Playground) -> Iterator[Playground]:
    """A page in the light or in the dark."""
    playground = chromium_playground
    playground.page.emulate_media(color_scheme=request.param)
    yield playground
    playground.page.emulate_media(color_scheme="null")


def _resize(playground: Playground, screen: str) -> None:
    width, height = _SCREENS[screen]
    playground.page.set_viewport_size({"width": width, "height": height})


@pytest.mark.parametrize("screen", _SCREENS)
def test_no_view_breaks_a_rule(themed: Playground, screen: str) -> None:
    themed.compare("/repo/src")
    _resize(themed, screen)
    bar = themed.page.get_by_role("navigation", name="Sections")
    checked = {}
    for view in ("Console", "Agent", "Compare"):
        themed.open_view(view)
        checked[view] = check_rules(themed.page)
        for section in bar.get_by_role("button").all():
            section.click()
            checked[f"{view}, {section.text_content()}"] = check_rules(themed.page)

    sections = ["Console, Tree", "Console, Tool", "Console, Result"]
    sections += ["Agent, Tree", "Agent, Agent", "Compare, Tree", "Compare, Compare"]
    views = ["Console", "Agent", "Compare"]
    expected = views if screen == "desktop" else [*views, *sections]
    assert checked == dict.fromkeys(expected, FINE)


@pytest.mark.parametrize("screen", _SCREENS)
def test_no_answer_breaks_a_rule(themed: Playground, screen: str) -> None:
    checked = {}
    for name, call in {
        "an error": ("list_dir", "{}"),
        "no JSON": ("LS", "{"),
        "a file": ("read_file", '{"file_path": "/repo/build.py"}'),
    }.items():
        themed.call(*call)
        _resize(themed, screen)
        checked[name] = check_rules(themed.page)
        _resize(themed, "desktop")
    for tab in ("Structured", "Call"):
        themed.call("LS", "{}")
        themed.page.get_by_role("tab", name=tab).click()
        checked[tab] = check_rules(themed.page)
        themed.page.get_by_role("tab", name="Content").click()
    themed.compare("/repo/build.py")
    _resize(themed, screen)
    checked["a comparison of a file"] = check_rules(themed.page)

    names = ["an error", "no JSON", "a file", "Structured", "Call", "a comparison of a file"]
    assert checked == dict.fromkeys(names, FINE)


@pytest.mark.parametrize("screen", _SCREENS)
def test_no_dialog_and_no_question_breaks_a_rule(themed: Playground, screen: str) -> None:
    checked = {}
    _resize(themed, screen)
    tree = themed.page.get_by_role("button", name="Tree", exact=True)
    if screen == "phone":
        tree.click()
    dialog = themed.open_more_sources()
    checked["more sources"] = check_rules(themed.page)
    # The address of another story would be fetched.
    dialog.get_by_label("Kind").select_option("npm")
    dialog.get_by_label("Package").fill("")
    dialog.get_by_role("button", name="Fetch").click()
    checked["what is wrong with an address"] = check_rules(themed.page)
    dialog.get_by_role("button", name="Close").click()
    themed.page.evaluate("location.hash = '#npm=tiny@1.2.3'")
    offer = themed.page.get_by_role("region", name="Linked tree")
    offer.wait_for()
    checked["a link's question"] = check_rules(themed.page)
    offer.get_by_role("button", name="Not now").click()

    names = ["more sources", "what is wrong with an address", "a link's question"]
    assert checked == dict.fromkeys(names, FINE)
