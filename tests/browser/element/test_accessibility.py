"""Every state of a demo by the machine-checkable rules of WCAG 2.2 AA, and its status in words."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import LIST, SharedDemoPage, demo_of, open_demos
from tests.support.browser_support import Browsers

_FOLLOWS = (
    "<style>:root { color-scheme: light dark; background: Canvas; color: CanvasText }</style>"
)

_NOTE_WORDS = """(status) => {
    globalThis.said = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) {
            said.push(...[...addedNodes].map(({ textContent }) => textContent));
        }
    }).observe(status, { childList: true });
}"""
_PHASES = {
    *("Loading Python", "Loading packages", "Downloading"),
    *("Unpacking", "Listing", "Mounting"),
}

_STATES = ["static", "answered", "an error", "failed", "no JSON", "a file", "readonly"]


@pytest.mark.each_browser
def test_a_demo_says_what_it_is_what_it_does_and_how_it_ended(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    content = shop.content("list_dir", LIST)
    written = [demo_of(), demo_of(label="The shop")]
    # A page of its own: on the shared one, the start is over before its phases can be seen.
    with open_demos(browsers.get(browser_name), dist / "npm", *written) as demos:
        page = demos.page
        groups = [
            page.get_by_role("group", name=name, exact=True).or_(
                page.get_by_role("region", name=name, exact=True)
            )
            for name in ("list_dir demo", "The shop")
        ]
        expect(groups[0]).to_have_count(1)
        named = [group.count() for group in groups]
        demo = demos.demo()
        status = demo.element.get_by_role("status").first
        before = status.text_content()
        status.evaluate(_NOTE_WORDS)
        demo.run_button.click()
        expect(demo.element.locator("[aria-busy=true]").first).to_be_attached()
        with demo.ending():
            pass
        busy = demo.element.locator("[aria-busy=true]").count()
        first, *phases, last, ended = page.evaluate("said")

    size = f"{len(content.encode())} bytes"
    assert (named, before, busy) == ([1, 1], "", 0)
    assert (first, last, re.sub(r"[\d.]+ m?s$", "TIME", ended)) == (
        "Starting",
        "Running",
        f"{size} \u00b7 TIME",
    )
    # The start decides which phases there are; none is said twice in a row.
    assert set(phases) <= _PHASES
    assert "Mounting" in phases or "Listing" in phases
    assert all(one != next_one for one, next_one in pairwise(phases))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_state_breaks_a_rule(demo_page: SharedDemoPage, scheme: str, width: int) -> None:
    written = [
        demo_of(),
        demo_of("LS", {"path": "/nothing"}),
        demo_of(src="/page.html"),
        demo_of(readonly="", label="A readonly demo"),
    ]
    checked = {}
    demo_page.show(_FOLLOWS, *written)
    page = demo_page.page
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its words
    page.set_viewport_size({"width": width, "height": 844})
    first, erring, failing, readonly = (demo_page.demo(number) for number in range(4))
    expect(readonly.run_button).to_be_visible()
    checked["static"] = check_rules(page)
    first.run()
    checked["answered"] = check_rules(page)
    erring.run()
    checked["an error"] = check_rules(page)
    with failing.ending():
        failing.run_button.click()
    checked["failed"] = check_rules(page)
    failing.edit("{")
    failing.run_button.click()
    checked["no JSON"] = check_rules(page)
    first.files_button.click()
    readme = first.element.get_by_text("README.md", exact=True).first
    readme.click()
    expect(first.element.locator("[part~=lines]")).to_contain_text("It sells")
    checked["a file"] = check_rules(page)
    readonly.run()
    checked["readonly"] = check_rules(page)

    assert checked == dict.fromkeys(_STATES, FINE)
