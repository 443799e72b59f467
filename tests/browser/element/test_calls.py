"""A click runs the tool: CPython's bytes, one runtime, edited arguments, and the way back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import without_duration
from tests.browser.element.element_page import (
    LIST,
    RECORDED,
    SHOP,
    answers_of,
    demo_of,
    open_demos,
)
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import BROWSERS
from treeglass import Config, ToolRegistry, Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.cpython_answers import CPythonAnswers
    from tests.support.browser_support import Browsers

pytestmark = pytest.mark.browser

_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 3}),
    ("read_file", {"file_path": "/repo/README.md"}),
    ("LS", {"path": "/repo"}),
    ("list_directory", {"path": ".", "recursive": True}),
]

_DESCRIBED = """(box) => {
    const named = (box.getAttribute("aria-describedby") ?? "").split(" ");
    const words = named.map((id) => box.getRootNode().getElementById(id)?.textContent.trim());
    return [box.getAttribute("aria-invalid"), words.join("") !== ""];
}"""

_NOTE_COPIES = """() => {
    globalThis.copied = [];
    const clipboard = { writeText: async (text) => void copied.push(text) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
}"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the tree of the demos."""
    return answers_of(SHOP, tmp_path_factory.mktemp("shop"))


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_a_click_gives_the_bytes_of_cpython_and_further_demos_start_no_second_worker(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    written = [demo_of(tool, arguments) for tool, arguments in _CALLS]
    with open_demos(browsers.get(browser_name), dist / "npm", *written) as demos:
        workers = demos.note_workers()
        shown = []
        for number in range(len(_CALLS)):
            demo = demos.demo(number)
            shown.append(demo.run())
            assert (demo.recorded.is_visible(), demo.state) == (False, "answered")
        asked = list(demos.asked)
        results = demos.heard("result")

    assert shown == [shop.content(tool, arguments) for tool, arguments in _CALLS]
    assert len(workers) == 1
    assert [path for path in asked if path in {"/worker.js", "/shop.zip", "/index.js"}] == [
        "/index.js",
        "/worker.js",
        "/shop.zip",
    ]
    assert [
        (
            event["detail"]["tool"],
            event["detail"]["arguments"],
            without_duration(event["detail"]["result"]["content"]),
            event["bubbles"],
            event["composed"],
        )
        for event in results
    ] == [
        (tool, arguments, shop.content(tool, arguments), True, True) for tool, arguments in _CALLS
    ]


def test_ten_demos_that_start_at_once_share_one_worker(
    browsers: Browsers, dist: Path, shop: CPythonAnswers
) -> None:
    written = [demo_of(loading="eager") for _ in range(10)]
    with open_demos(browsers.get("chromium"), dist / "npm", *written) as demos:
        expect(demos.page.locator("html")).to_have_attribute("data-ended", "10")
        shown = {demos.demo(number).content for number in range(10)}
        workers = len(demos.page.workers)
        fetched = demos.asked.count("/shop.zip")

    assert (shown, workers, fetched) == ({shop.content("list_dir", LIST)}, 1, 1)


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_edited_arguments_run_and_reset_brings_back_what_was_written(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        first = demo.run()
        edited = {"dir_path": "/repo/src", "depth": 1}
        demo.edit(json.dumps(edited))
        second = demo.run()
        demo.reset_button.click()
        after = (demo.state, demo.recorded.is_visible(), demo.recorded.text_content())
        arguments = json.loads(demo.arguments.input_value())
        heard = [event["type"] for event in demos.heard()]

    assert [first, second] == [shop.content("list_dir", LIST), shop.content("list_dir", edited)]
    assert (after, arguments) == (("static", True, RECORDED), LIST)
    assert heard == ["result", "result", "reset"]


def test_arguments_that_are_no_json_are_told_of_and_not_sent(
    browsers: Browsers, dist: Path
) -> None:
    with open_demos(browsers.get("chromium"), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        told = {}
        for text in ("{", "[1]", ""):
            demo.edit(text)
            demo.run_button.click()
            told[text] = demo.arguments.evaluate(_DESCRIBED)
        asked = list(demos.asked)
        heard = demos.heard("result")

    assert told == {text: ["true", True] for text in ("{", "[1]", "")}
    assert (heard, "/worker.js" in asked) == ([], False)


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_an_answer_of_the_tool_that_is_an_error_is_shown_as_its_answer(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    arguments = {"dir_path": "/repo/nothing"}
    with open_demos(
        browsers.get(browser_name), dist / "npm", demo_of("list_dir", arguments)
    ) as demos:
        demo = demos.demo()
        content = demo.run()
        (event,) = demos.heard()
        state = demo.state

    result = shop.call("list_dir", arguments)
    assert (content, state, event["type"]) == (result.content, "answered", "result")
    assert event["detail"]["result"]["isError"] is True


def test_next_page_continues_the_answer(
    browsers: Browsers, dist: Path, shop: CPythonAnswers
) -> None:
    arguments = {"file_path": "/repo/src/prices/long.txt", "limit": 200}
    with open_demos(
        browsers.get("chromium"), dist / "npm", demo_of("read_file", arguments)
    ) as demos:
        demo = demos.demo()
        pages = [demo.run()]
        while demo.next_page_button.is_visible():
            with demo.ending():
                demo.next_page_button.click()
            pages.append(demo.content)

    assert pages == shop.pages("read_file", arguments)


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_copy_puts_exactly_the_answer_on_the_clipboard(
    browsers: Browsers, dist: Path, shop: CPythonAnswers, browser_name: str
) -> None:
    with open_demos(browsers.get(browser_name), dist / "npm", demo_of()) as demos:
        demos.page.evaluate(_NOTE_COPIES)
        demo = demos.demo()
        demo.copy_button.click()
        demo.run()
        demo.copy_button.click()
        copied = demos.page.evaluate("copied")

    assert copied == [RECORDED, shop.content("list_dir", LIST)]


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_demos_of_other_trees_and_settings_do_not_mix(
    browsers: Browsers, dist: Path, tmp_path: Path, browser_name: str
) -> None:
    other = {"other.txt": "1\n"}
    (tmp_path / "shop").mkdir()
    (tmp_path / "other").mkdir()
    shop, others = answers_of(SHOP, tmp_path / "shop"), answers_of(other, tmp_path / "other")
    ls = {"path": "/repo"}
    written = [
        demo_of(),
        demo_of(src="/other.zip"),
        demo_of("LS", ls, config=json.dumps({"tools": {"offered": []}})),
        demo_of(mount_path="/elsewhere", arguments={"dir_path": "/elsewhere"}),
        demo_of(arguments={"dir_path": "/"}),
        demo_of(max_output_bytes="50"),
    ]
    files = {"/other.zip": zip_of(other)}
    with open_demos(browsers.get(browser_name), dist / "npm", *written, files=files) as demos:
        # In both orders, so that no demo sees what the one before it left.
        shown = [[demos.demo(number).run() for number in range(6)]]
        shown.append([demos.demo(number).run() for number in reversed(range(6))][::-1])
        workers = len(demos.page.workers)

    listing = shop.content("list_dir", LIST)
    elsewhere = listing.replace("Absolute path: /repo", "Absolute path: /elsewhere")
    without_ls = Config.model_validate({"tools": {"offered": []}})
    registry = ToolRegistry(Workspace({"/repo": tmp_path / "shop" / "tree"}), without_ls)
    assert shown[0] == [
        listing,
        others.content("list_dir", LIST),
        registry.call_tool("LS", ls).content,
        elsewhere,
        shop.content("list_dir", {"dir_path": "/"}),
        registry.call_tool("list_dir", LIST, max_output_bytes=50).content,
    ]
    assert (shown[1], workers) == (shown[0], 1)
