"""Every view and dialog of the playground, by the rules of WCAG 2.2 AA that a machine can check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.playground import Playground

pytestmark = pytest.mark.browser

_AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"

_CHECK = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const runOnly = { type: "tag", values: tags };
    const { violations, passes } = await axe.run(document, { runOnly });
    const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any }) => `${id}: ${target} ${any.map(({ message }) => message)}`),
    );
    return { found, hasChecked: passes.length > 0 };
}"""
_FINE = {"found": [], "hasChecked": True}

_SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


@pytest.fixture(params=["light", "dark"])
def themed(request: pytest.FixtureRequest, chromium_playground: Playground) -> Iterator[Playground]:
    """A page in the light or in the dark, with the checker in it."""
    playground = chromium_playground
    playground.page.emulate_media(color_scheme=request.param)
    playground.page.evaluate(_AXE.read_text("utf-8"))
    yield playground
    playground.page.emulate_media(color_scheme="null")


def _check(playground: Playground) -> Any:
    return playground.page.evaluate(_CHECK)


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
        checked[view] = _check(themed)
        for section in bar.get_by_role("button").all():
            section.click()
            checked[f"{view}, {section.text_content()}"] = _check(themed)

    sections = ["Console, Tree", "Console, Tool", "Console, Result"]
    sections += ["Agent, Tree", "Agent, Agent", "Compare, Tree", "Compare, Compare"]
    views = ["Console", "Agent", "Compare"]
    expected = views if screen == "desktop" else [*views, *sections]
    assert checked == dict.fromkeys(expected, _FINE)


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
        checked[name] = _check(themed)
        _resize(themed, "desktop")
    for tab in ("Structured", "Call"):
        themed.call("LS", "{}")
        themed.page.get_by_role("tab", name=tab).click()
        checked[tab] = _check(themed)
        themed.page.get_by_role("tab", name="Content").click()
    themed.compare("/repo/build.py")
    _resize(themed, screen)
    checked["a comparison of a file"] = _check(themed)

    names = ["an error", "no JSON", "a file", "Structured", "Call", "a comparison of a file"]
    assert checked == dict.fromkeys(names, _FINE)


@pytest.mark.parametrize("screen", _SCREENS)
def test_no_dialog_and_no_question_breaks_a_rule(themed: Playground, screen: str) -> None:
    checked = {}
    _resize(themed, screen)
    tree = themed.page.get_by_role("button", name="Tree", exact=True)
    if screen == "phone":
        tree.click()
    dialog = themed.open_more_sources()
    checked["more sources"] = _check(themed)
    # What another story typed there would be fetched.
    dialog.get_by_label("Kind").select_option("npm")
    dialog.get_by_label("Package").fill("")
    dialog.get_by_role("button", name="Fetch").click()
    checked["what is wrong with an address"] = _check(themed)
    dialog.get_by_role("button", name="Close").click()
    themed.page.evaluate("location.hash = '#npm=tiny@1.2.3'")
    offer = themed.page.get_by_role("region", name="Linked tree")
    offer.wait_for()
    checked["a link's question"] = _check(themed)
    offer.get_by_role("button", name="Not now").click()

    names = ["more sources", "what is wrong with an address", "a link's question"]
    assert checked == dict.fromkeys(names, _FINE)
