"""Before a demo runs, the page shows the recorded answer and fetches nothing else."""

import json
from html import escape
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.element.element_page import (
    LIST,
    RECORDED,
    SharedDemoPage,
    demo_of,
    open_demos,
    page_of,
)
from tests.support.browser_support import Browsers
from tests.support.served_directory import serve_directory

_CALL = f"list_dir {json.dumps(LIST)}"
_WITH_CALL = (
    f'<code class="call">{escape(_CALL, quote=False)}</code>\n<pre data-recorded>{RECORDED}</pre>'
)
"""What `treeglass record` writes into a demo."""

_TEN = [
    demo_of(
        tool, {"path": "/repo"} if tool == "LS" else {"dir_path": "/repo"}, src=f"/{number}.zip"
    )
    for number in range(5)
    for tool in ("list_dir", "LS")
]

_WAIT_FOR_IDLE = """async () => {
    await customElements.whenDefined("treeglass-demo");
    for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
}"""


def test_a_page_of_ten_demos_fetches_the_page_and_the_script(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    browser = browsers.get(browser_name)
    with open_demos(browser, dist / "npm", *_TEN) as demos:
        page = demos.page
        page.evaluate(_WAIT_FOR_IDLE)
        for number in range(10):
            page.locator("treeglass-demo").nth(number).scroll_into_view_if_needed()
        page.evaluate(_WAIT_FOR_IDLE)
        buttons = sum(demos.demo(number).run_button.count() for number in range(10))
        states = {demos.demo(number).state for number in range(10)}
        workers = page.workers

    assert (demos.asked, buttons, states, workers) == (
        ["/page.html", "/element.js"],
        10,
        {"static"},
        [],
    )


@pytest.mark.each_browser
def test_the_recorded_answer_shows_before_the_script_comes_and_after_and_the_call_before(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    written = demo_of(inside=_WITH_CALL)
    with open_demos(browsers.get(browser_name), dist / "npm", written, head="") as demos:
        demo = demos.demo()
        call = demo.element.locator("code.call")
        before = (demo.element.inner_text(), demo.run_button.count())
        demos.page.add_script_tag(url="/element.js", type="module")
        expect(demo.run_button).to_be_visible()
        after = (demo.recorded.is_visible(), demo.recorded.text_content(), demo.run_button.count())
        told = (call.is_visible(), demo.arguments.input_value(), demo.state)

    assert before == (f"{_CALL}\n{RECORDED}", 0)
    assert after == (True, RECORDED, 1)
    assert told == (False, json.dumps(LIST), "static")


@pytest.mark.each_browser
def test_without_javascript_the_call_and_the_answer_are_on_the_page(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    written = demo_of(inside=_WITH_CALL), demo_of("LS", {"path": "/repo"})
    pages = {"/page.html": page_of(*written)}
    # The driver of Firefox cannot switch JavaScript off; this header does it for the page.
    headers = {"Content-Security-Policy": "sandbox"}
    with serve_directory(dist / "npm", pages=pages, headers=headers) as origin:
        context = browsers.get(browser_name).new_context()
        try:
            page = context.new_page()
            page.goto(f"{origin}/page.html")
            demos = page.locator("treeglass-demo")
            shown = [demo.inner_text() for demo in demos.all()]
            defined = page.locator("treeglass-demo:defined").count()
        finally:
            context.close()

    assert (shown, defined) == ([f"{_CALL}\n{RECORDED}", RECORDED], 0)


@pytest.mark.each_browser
def test_bare_text_serves_as_the_fallback_and_is_nothing_to_copy(demo_page: SharedDemoPage) -> None:
    demo = demo_of(inside="Lists the shop.", id="bare")
    demo_page.show(demo, demo_of())
    bare, recorded = demo_page.demo(), demo_page.demo(1)
    expect(recorded.copy_button).to_be_visible()
    before = (
        bare.element.get_by_role("group", name="Answer").count(),
        bare.copy_button.count(),
    )
    bare.run()
    after = (bare.element.get_by_role("group", name="Answer").count(), bare.copy_button.count())

    assert (before, after) == ((1, 0), (1, 1))


@pytest.mark.each_browser
def test_any_other_content_serves_as_the_fallback(demo_page: SharedDemoPage) -> None:
    demo = demo_of(inside="<p>Lists the shop.</p><p>Runs on click.</p>")
    demo_page.show(demo)
    fallback = [demo_page.page.get_by_text(text) for text in ("Lists the shop.", "Runs on click.")]
    before = [paragraph.is_visible() for paragraph in fallback]
    demo_page.demo().run()
    after = [paragraph.is_visible() for paragraph in fallback]

    assert (before, after) == ([True, True], [False, False])


def test_print_shows_tool_arguments_and_answer_without_controls(
    demo_page: SharedDemoPage,
) -> None:
    printed = {}
    # The driver of Firefox cannot emulate printing.
    demo = demo_page.show(demo_of())
    expect(demo.run_button).to_be_visible()
    for when in ("static", "answered"):
        demo_page.page.emulate_media(media="print")
        answer = demo.recorded if when == "static" else demo.answer
        printed[when] = (
            [button.is_visible() for button in demo.element.get_by_role("button").all()],
            demo.element.get_by_text("list_dir", exact=True).first.is_visible(),
            demo.arguments.is_visible(),
            answer.is_visible(),
        )
        demo_page.page.emulate_media(media="screen")
        if when == "static":
            demo.run()

    assert printed == dict.fromkeys(("static", "answered"), ([], True, True, True))


def test_a_demo_in_a_page_that_comes_late_is_upgraded(demo_page: SharedDemoPage) -> None:
    demo_page.show(demo_of())
    late = demo_of(inside="<pre data-recorded>late</pre>", id="late")
    demo_page.page.evaluate("(html) => document.body.insertAdjacentHTML('beforeend', html)", late)
    demo = demo_page.demo(1)
    shown = demo.recorded.text_content()
    demo.run()
    states = [demo_page.demo(number).state for number in range(2)]

    assert (shown, states) == ("late", ["static", "answered"])
