"""When a demo starts, what its properties and attributes change, and where it may be moved."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import LIST, SharedDemoPage, answers_of, demo_of, open_demos
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import Browsers

pytestmark = pytest.mark.slow

_SPACE = '<div style="height: 6000px"></div>'


@pytest.mark.each_browser
def test_a_demo_that_waits_to_be_seen_starts_when_it_is(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    written = demo_of() + _SPACE + demo_of(loading="visible")
    with open_demos(browsers.get(browser_name), dist / "npm", written) as demos:
        expect(demos.demo().run_button).to_be_visible()
        demo = demos.demo(1)
        before = (demo.state, list(demos.asked))
        with demo.ending():
            demo.element.scroll_into_view_if_needed()
        after = (demos.demo().state, demo.state, demo.content)

    assert before == ("static", ["/page.html", "/element.js"])
    assert after == ("static", "answered", shop.content("list_dir", LIST))


@pytest.mark.each_browser
def test_an_eager_demo_starts_by_itself_and_takes_no_focus(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    written = demo_of(loading="eager")
    demo_page.show(written)
    expect(demo_page.page.locator("html")).to_have_attribute("data-ended", "1")
    demo = demo_page.demo()
    told = (demo.state, demo.content, demo_page.page.evaluate("document.activeElement.localName"))

    assert told == ("answered", shop.content("list_dir", LIST), "body")


def test_properties_that_were_set_before_the_upgrade_count(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    tree = {"given.txt": "1\n"}
    arguments = {"path": "/given"}
    written = "<treeglass-demo><p>static</p></treeglass-demo>"
    with open_demos(browsers.get(browser_name), dist / "npm", written, head="") as demos:
        demos.page.evaluate(
            """([entries, text]) => {
                const demo = document.querySelector("treeglass-demo");
                Object.assign(demo, { tool: "LS", arguments: text, mountPath: "/given" });
                demo.source = { entries };
            }""",
            [tree, json.dumps(arguments)],
        )
        demos.page.add_script_tag(url="/element.js", type="module")
        demo = demos.demo()
        with demo.ending():
            demo.run_button.click()
        told = demos.page.evaluate(
            """() => {
                const { state, result, tool, mountPath } = document.querySelector("treeglass-demo");
                const { entries } = result.structuredContent.data;
                return { state, tool, mountPath, entries: entries.length };
            }"""
        )

    assert told == {"state": "answered", "tool": "LS", "mountPath": "/given", "entries": 1}


def test_run_resolves_to_the_result_and_properties_mirror_the_attributes(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    written = demo_of(
        max_output_bytes="90", files="none", theme="dark", label="The shop", readonly=""
    )
    demo_page.show(written)
    mirrored = demo_page.page.evaluate(
        """() => {
            const demo = document.querySelector("treeglass-demo");
            const { maxOutputBytes, files, theme, label, readonly, loading, result } = demo;
            return { maxOutputBytes, files, theme, label, readonly, loading, result };
        }"""
    )
    told = demo_page.page.evaluate(
        """async () => {
            const demo = document.querySelector("treeglass-demo");
            demo.removeAttribute("max-output-bytes");
            const result = await demo.run();
            return [result.content, demo.result === result, demo.state];
        }"""
    )

    assert mirrored == {
        "maxOutputBytes": 90,
        "files": "none",
        "theme": "dark",
        "label": "The shop",
        "readonly": True,
        "loading": "click",
        "result": None,
    }
    assert told == [shop.content("list_dir", LIST), True, "answered"]


@pytest.mark.each_browser
def test_attributes_that_change_count_at_the_next_run(
    demo_page: SharedDemoPage, tmp_path: Path, shop: CPythonAnswers
) -> None:
    other = {"other.txt": "1\n"}
    others = answers_of(other, tmp_path)
    files = {"/other.zip": zip_of(other)}
    demo = demo_page.show(demo_of(), files=files)
    shown = [demo.run()]
    for name, value in (
        ("src", "other.zip"),
        ("arguments", '{"file_path": "/repo/other.txt"}'),
        ("tool", "read_file"),
    ):
        demo.element.evaluate("(demo, given) => demo.setAttribute(...given)", [name, value])
        if name != "arguments":
            shown.append(demo.run())
    workers = len(demo_page.page.workers)

    assert shown == [
        shop.content("list_dir", LIST),
        others.content("list_dir", LIST),
        others.content("read_file", {"file_path": "/repo/other.txt"}),
    ]
    assert workers == 1


def test_a_demo_that_is_moved_keeps_its_answer_and_one_that_leaves_frees_the_worker(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of(), demo_of()) as demos:
        first, second = demos.demo(), demos.demo(1)
        first.run()
        first.element.evaluate("(demo) => document.querySelector('main').append(demo)")
        moved = (second.state, second.content)
        kept = len(demos.page.workers)
        (worker,) = demos.page.workers
        with worker.expect_event("close"):
            demos.page.evaluate("document.querySelectorAll('treeglass-demo')[1].remove()")
        again = first.run()

    assert (moved, kept) == (("answered", shop.content("list_dir", LIST)), 1)
    assert again == shop.content("list_dir", LIST)


@pytest.mark.each_browser
def test_a_demo_that_leaves_while_it_starts_leaves_no_noise(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of(), demo_of()) as demos:
        demos.demo().run_button.click()
        demos.page.evaluate("document.querySelector('treeglass-demo').remove()")
        content = demos.demo().run()
        heard = [event["type"] for event in demos.heard()]

    assert (content, heard) == (shop.content("list_dir", LIST), ["result"])


def test_a_run_that_another_one_overtakes_rejects_as_aborted(demo_page: SharedDemoPage) -> None:
    demo_page.show(demo_of())
    told = demo_page.page.evaluate(
        """async () => {
            const demo = document.querySelector("treeglass-demo");
            const first = demo.run().then(() => "answered", ({ name }) => name);
            const second = demo.run().then(({ isError }) => isError, ({ name }) => name);
            return [await first, await second, demo.state];
        }"""
    )
    heard = [event["type"] for event in demo_page.heard()]

    assert (told, heard) == (["AbortError", False, "answered"], ["result"])


def test_a_readonly_demo_runs_and_cannot_be_edited(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo = demo_page.show(demo_of(readonly=""))
    content = demo.run()
    editable = demo.arguments.is_editable() if demo.arguments.count() else False

    assert (content, editable) == (shop.content("list_dir", LIST), False)
