"""What a page's scripts and frameworks do to a demo: odd values, early runs, a life outside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.element.element_page import LIST, SHOP, answers_of, demo_of, open_demos
from tests.support.browser_support import BROWSERS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.cpython_answers import CPythonAnswers
    from tests.support.browser_support import Browsers

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the tree of the demos."""
    return answers_of(SHOP, tmp_path_factory.mktemp("shop"))


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_undefined_takes_an_attribute_away_and_a_source_that_is_none_is_refused_by_a_rejection(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        expect(demos.demo().run_button).to_be_visible()
        told = demos.page.evaluate(
            """async () => {
                const demo = document.querySelector("treeglass-demo");
                demo.readonly = undefined;
                demo.label = undefined;
                demo.maxOutputBytes = undefined;
                demo.source = undefined;
                const first = await demo.run();
                demo.source = "shop.zip";
                const second = await demo.run().then(() => "answered", ({ kind }) => kind);
                return [demo.getAttributeNames(), first.isError, demo.readonly, second];
            }"""
        )

    assert told == [["src", "tool", "arguments"], False, False, "BadRequest"]


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_an_attribute_that_is_set_to_what_it_was_leaves_the_readers_edit(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        demo.edit('{"dir_path": "/repo/src"}')
        same = "(demo) => demo.setAttribute('arguments', demo.getAttribute('arguments'))"
        demo.element.evaluate(same)
        kept = demo.arguments.input_value()
        demo.element.evaluate("(demo) => { demo.arguments = '{}'; }")
        changed = demo.arguments.input_value()

    assert (kept, changed) == ('{"dir_path": "/repo/src"}', "{}")


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_a_demo_outside_the_page_answers_and_frees_the_worker(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        expect(demos.demo().run_button).to_be_visible()
        with demos.page.expect_worker() as starting:
            demos.page.evaluate(
                """() => {
                    const demo = document.querySelector("treeglass-demo").cloneNode(true);
                    globalThis.running = demo.run();
                }"""
            )
        with starting.value.expect_event("close"):
            content = demos.page.evaluate("running.then(({ content }) => content)")

    assert content == shop.content("list_dir", LIST)


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_a_run_that_a_script_began_is_the_only_one_of_a_demo_that_waits_to_be_seen(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    written = '<div style="height: 6000px"></div>' + demo_of(loading="visible")
    with open_demos(browsers.get(browser_name), dist / "npm", written) as demos:
        expect(demos.demo().run_button).to_be_visible()
        with demos.demo().ending():
            demos.page.evaluate(
                """() => {
                    const demo = document.querySelector("treeglass-demo");
                    globalThis.running = demo.run();
                    demo.scrollIntoView();
                }"""
            )
        content = demos.page.evaluate("running.then(({ content }) => content, ({ name }) => name)")
        heard = [event["type"] for event in demos.heard()]

    assert (content, heard) == (shop.content("list_dir", LIST), ["result"])
