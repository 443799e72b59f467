"""A click runs the tool: CPython's bytes, one runtime, edited arguments, and reset."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.element.element_page import (
    LIST,
    RECORDED,
    SHOP,
    SharedDemoPage,
    answers_of,
    demo_of,
    open_demos,
)
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import Browsers
from treeglass import ToolRegistry, Workspace

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


@pytest.mark.each_browser
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
    # The page reads the worker once more, to check it.
    assert [path for path in asked if path in {"/assets/worker.js", "/shop.zip", "/index.js"}] == [
        "/index.js",
        "/assets/worker.js",
        "/assets/worker.js",
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


@pytest.mark.each_browser
def test_edited_arguments_run_and_reset_brings_back_what_was_written(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo = demo_page.show(demo_of())
    first = demo.run()
    edited = {"dir_path": "/repo/src", "depth": 1}
    demo.edit(json.dumps(edited))
    second = demo.run()
    demo.reset_button.click()
    after = (demo.state, demo.recorded.is_visible(), demo.recorded.text_content())
    arguments = json.loads(demo.arguments.input_value())
    heard = [event["type"] for event in demo_page.heard()]

    assert [first, second] == [shop.content("list_dir", LIST), shop.content("list_dir", edited)]
    assert (after, arguments) == (("static", True, RECORDED), LIST)
    assert heard == ["result", "result", "reset"]


def test_arguments_that_are_no_json_are_told_of_and_not_sent(
    demo_page: SharedDemoPage,
) -> None:
    demo = demo_page.show(demo_of())
    told = {}
    for text in ("{", "[1]", ""):
        demo.edit(text)
        demo.run_button.click()
        told[text] = demo.arguments.evaluate(_DESCRIBED)
    heard = demo_page.heard("result")

    assert told == {text: ["true", True] for text in ("{", "[1]", "")}
    # A call would have fetched the tree. A late module of the wheel may still come for the story
    # before.
    assert (heard, "/shop.zip" in demo_page.asked) == ([], False)


def test_an_answer_of_the_tool_that_is_an_error_is_shown_as_its_answer(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    arguments = {"dir_path": "/repo/nothing"}
    demo = demo_page.show(demo_of("list_dir", arguments))
    content = demo.run()
    (event,) = demo_page.heard()
    state = demo.state

    result = shop.call("list_dir", arguments)
    assert (content, state, event["type"]) == (result.content, "answered", "result")
    assert event["detail"]["result"]["isError"] is True


def test_next_page_continues_the_answer(demo_page: SharedDemoPage, shop: CPythonAnswers) -> None:
    arguments = {"file_path": "/repo/src/prices/long.txt", "limit": 200}
    demo = demo_page.show(demo_of("read_file", arguments))
    pages = [demo.run()]
    while demo.next_page_button.is_visible():
        with demo.ending():
            demo.next_page_button.click()
        pages.append(demo.content)

    assert pages == shop.pages("read_file", arguments)


@pytest.mark.each_browser
def test_copy_puts_exactly_the_answer_on_the_clipboard(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo_page.show(demo_of())
    demo_page.page.evaluate(NOTE_COPIES)
    demo = demo_page.demo()
    demo.copy_button.click()
    demo.run()
    demo.copy_button.click()
    copied = demo_page.page.evaluate("copied")

    assert copied == [RECORDED, shop.content("list_dir", LIST)]


def test_demos_of_other_trees_and_settings_do_not_mix(
    demo_page: SharedDemoPage, tmp_path: Path
) -> None:
    other = {"other.txt": "1\n"}
    (tmp_path / "shop").mkdir()
    (tmp_path / "other").mkdir()
    shop, others = answers_of(SHOP, tmp_path / "shop"), answers_of(other, tmp_path / "other")
    written = [
        demo_of(),
        demo_of(src="/other.zip"),
        # Under its settings no tool has the name of the others.
        demo_of("ls", LIST, config=json.dumps({"tools": {"names": {"list_dir": "ls"}}})),
        demo_of(mount_path="/elsewhere", arguments={"dir_path": "/elsewhere"}),
        demo_of(arguments={"dir_path": "/"}),
        demo_of(max_output_bytes="50"),
    ]
    files = {"/other.zip": zip_of(other)}
    demo_page.show(*written, files=files)
    # In both orders, so that no demo sees what the one before it left.
    shown = [[demo_page.demo(number).run() for number in range(6)]]
    shown.append([demo_page.demo(number).run() for number in reversed(range(6))][::-1])
    workers = len(demo_page.page.workers)

    listing = shop.content("list_dir", LIST)
    elsewhere = listing.replace("Absolute path: /repo", "Absolute path: /elsewhere")
    registry = ToolRegistry(Workspace({"/repo": tmp_path / "shop" / "tree"}))
    assert shown[0] == [
        listing,
        others.content("list_dir", LIST),
        listing,
        elsewhere,
        shop.content("list_dir", {"dir_path": "/"}),
        registry.call_tool("list_dir", LIST, max_output_bytes=50).content,
    ]
    assert (shown[1], workers) == (shown[0], 1)
