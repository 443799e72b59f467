"""Demos under a page's scripts and frameworks: odd values, early runs, demos outside the page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import LIST, SharedDemoPage, demo_of, open_demos
from tests.support.browser_support import Browsers


@pytest.mark.each_browser
def test_undefined_takes_an_attribute_away_and_a_source_that_is_none_is_refused_by_a_rejection(
    demo_page: SharedDemoPage,
) -> None:
    demo_page.show(demo_of())
    expect(demo_page.demo().run_button).to_be_visible()
    told = demo_page.page.evaluate(
        """async () => {
            const demo = document.querySelector("treeglass-demo");
            demo.readonly = undefined;
            demo.label = undefined;
            demo.maxOutputBytes = undefined;
            demo.source = undefined;
            const first = await demo.run();
            demo.source = "shop.zip";
            const second = await demo.run().then(() => "answered", ({ name }) => name);
            return [demo.getAttributeNames(), first.isError, demo.readonly, second];
        }"""
    )

    assert told == [["src", "tool", "arguments", "source"], False, False, "BadRequest"]


@pytest.mark.each_browser
def test_an_attribute_that_is_set_to_what_it_was_leaves_the_readers_edit(
    demo_page: SharedDemoPage,
) -> None:
    demo = demo_page.show(demo_of())
    demo.edit('{"dir_path": "/repo/src"}')
    same = "(demo) => demo.setAttribute('arguments', demo.getAttribute('arguments'))"
    demo.element.evaluate(same)
    kept = demo.arguments.input_value()
    demo.element.evaluate("(demo) => { demo.arguments = '{}'; }")
    changed = demo.arguments.input_value()

    assert (kept, changed) == ('{"dir_path": "/repo/src"}', "{}")


@pytest.mark.each_browser
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


@pytest.mark.each_browser
def test_a_run_that_a_script_began_is_the_only_one_of_a_demo_that_waits_to_be_seen(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    written = '<div style="height: 6000px"></div>' + demo_of(loading="visible")
    demo_page.show(written)
    expect(demo_page.demo().run_button).to_be_visible()
    with demo_page.demo().ending():
        demo_page.page.evaluate(
            """() => {
                const demo = document.querySelector("treeglass-demo");
                globalThis.running = demo.run();
                demo.scrollIntoView();
            }"""
        )
    content = demo_page.page.evaluate("running.then(({ content }) => content, ({ name }) => name)")
    heard = [event["type"] for event in demo_page.heard()]

    assert (content, heard) == (shop.content("list_dir", LIST), ["result"])
