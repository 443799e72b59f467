"""The files beside an answer: the tree, a file's lines, and names that contain markup."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.element.element_page import (
    LONG_FILE,
    SHOP,
    Demo,
    SharedDemoPage,
    answers_of,
    demo_of,
)
from tests.browser.hostile.tree import DRAWN, HOSTILE, SCRIPT
from tests.browser.packed_trees import zip_of


def _open_files(demo: Demo) -> None:
    demo.files_button.click()


def test_the_tree_opens_folder_by_folder_and_shows_a_file_with_its_line_numbers(
    demo_page: SharedDemoPage,
) -> None:
    demo = demo_page.show(demo_of())
    _open_files(demo)
    for name in ("src", "prices"):
        demo.element.get_by_text(name, exact=True).first.click()
    demo.element.get_by_text("long.txt", exact=True).first.click()
    viewer = demo.element.locator("[part~=lines]")
    expect(viewer).to_contain_text("line 200 of many")
    first = viewer.text_content() or ""
    more = demo.element.get_by_role("button", name="More lines")
    more.click()
    expect(viewer).to_contain_text("line 400 of many")
    more.click()
    expect(viewer).to_contain_text("line 450 of many")
    ended = more.is_visible()

    assert ("line 201 of many" in first, ended) == (False, False)


def test_more_lines_that_are_asked_for_twice_come_once(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of(files="open"))
    demo.edit(json.dumps({"dir_path": "/repo/src/prices"}))
    demo.run()
    for name in ("src", "prices"):
        demo.element.locator("[part~=tree]").get_by_text(name, exact=True).click()
    demo.element.locator("[part~=tree]").get_by_text("long.txt", exact=True).click()
    more = demo.element.get_by_role("button", name="More lines (from 201)")
    more.evaluate("(button) => { button.click(); button.click(); }")
    more = demo.element.get_by_role("button", name="More lines (from 401)")
    more.evaluate("(button) => { button.click(); button.click(); }")
    expect(demo.element.locator("[part~=lines]")).to_contain_text("line 450 of many")
    # Answers come in the order of the calls: this one comes after any second page.
    demo.run()
    shown = demo.element.locator("[part~=lines] code").all_text_contents()

    assert shown == LONG_FILE.splitlines()


@pytest.mark.each_browser
def test_the_focus_moves_into_the_tree_only_from_where_it_was_asked_for(
    demo_page: SharedDemoPage,
) -> None:
    focused = []
    written = [demo_of(files="open"), demo_of(files="open", mount_path="/shop")]
    demo_page.show(*written)
    for number in range(2):
        demo = demo_page.demo(number)
        demo.element.get_by_role("button", name="Load files").focus()
        demo_page.page.keyboard.press("Enter")
        if number == 1:
            demo.arguments.focus()
        expect(demo.element.get_by_text("README.md", exact=True).first).to_be_visible()
        expect(demo.element.get_by_role("button", name="Load files")).to_have_count(0)
        focused.append(
            demo.element.evaluate("({ shadowRoot }) => shadowRoot.activeElement.localName")
        )

    assert focused == ["button", "textarea"]


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ({"offered": []}, (0, 0, False)),
        ({"experimental_supported_tools": ["list_dir"]}, (1, 1, False)),
        ({}, (1, 1, True)),
    ],
    ids=["no LS", "no read_file", "all"],
)
def test_files_are_offered_by_the_tools_that_the_configuration_leaves(
    demo_page: SharedDemoPage, tools: dict[str, list[str]], told: tuple[int, int, bool]
) -> None:
    written = demo_of(files="open", config=json.dumps({"tools": tools}))
    demo = demo_page.show(written)
    demo.run()
    toggles = demo.element.get_by_role("button", name="Files", exact=True).count()
    entry = demo.element.locator("[part~=tree]").get_by_text("README.md", exact=True)
    if toggles:
        entry.click()
        expect(demo.element.locator("[aria-current=true]")).to_have_count(1)
    seen = (toggles, entry.count(), demo.element.locator("[part~=reading]").is_visible())

    assert seen == told


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("list_dir", {}, {"dir_path": "/repo/README.md"}),
        ("read_file", {"limit": 2}, {"limit": 2, "file_path": "/repo/README.md"}),
        ("LS", {"path": "/repo"}, {"path": "/repo/README.md"}),
    ],
)
def test_a_path_goes_where_the_tool_takes_one_and_nowhere_where_nothing_can_be_edited(
    demo_page: SharedDemoPage,
    tool: str,
    arguments: dict[str, object],
    told: dict[str, object],
) -> None:
    demo = demo_page.show(demo_of(tool, arguments, files="open"))
    demo.element.get_by_role("button", name="Load files").click()
    demo.element.locator("[part~=tree]").get_by_text("README.md", exact=True).click()
    use = demo.element.get_by_role("button", name="Use path")
    use.click()
    text = demo.arguments.input_value()
    demo.element.evaluate("(demo) => { demo.readonly = true; }")
    offered = use.count()

    assert (json.loads(text), offered) == (told, 0)


@pytest.mark.each_browser
def test_what_could_not_be_listed_can_be_tried_again_from_where_the_focus_is(
    demo_page: SharedDemoPage,
) -> None:
    refusing = json.dumps({"tools": {"approval": {"denylist": ["LS"]}}})
    written = demo_of(files="open", config=refusing)
    told = []
    demo = demo_page.show(written)
    demo.element.get_by_role("button", name="Load files").focus()
    for _ in range(2):
        demo_page.page.keyboard.press("Enter")
        again = demo.element.get_by_role("button", name="Try again")
        expect(again).to_be_focused()
        # Answers come in the order of the calls.
        demo.run()
        again.focus()
        told.append(demo.element.locator("[part~=tree] li > *").all_text_contents())

    sentence = told[0][0]
    assert "LS" in sentence
    assert told == [[sentence, "Try again"]] * 2


@pytest.mark.each_browser
def test_line_numbers_are_not_copied_with_the_lines(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of(files="open"))
    demo.run()
    demo.element.get_by_text("README.md", exact=True).first.click()
    viewer = demo.element.locator("[part~=lines]")
    expect(viewer).to_contain_text("It sells")
    viewer.evaluate("(viewer) => getSelection().selectAllChildren(viewer)")
    selected = demo_page.page.evaluate("getSelection().toString()")

    # Browsers leave out what an empty line would be.
    assert selected.split("\n") == [line for line in SHOP["README.md"].splitlines() if line]


def test_hostile_names_and_contents_are_text(demo_page: SharedDemoPage, tmp_path: Path) -> None:
    answers = answers_of(HOSTILE, tmp_path)
    written = [
        demo_of(src="/hostile.zip"),
        demo_of("read_file", {"file_path": "/repo/README.md"}, src="/hostile.zip"),
        demo_of("LS", {"path": "/repo"}, src="/hostile.zip"),
    ]
    files = {"/hostile.zip": zip_of(HOSTILE)}
    demo_page.show(*written, files=files)
    shown = [demo_page.demo(number).run() for number in range(3)]
    demo = demo_page.demo()
    _open_files(demo)
    for name in DRAWN:
        expect(demo.element.get_by_text(name, exact=True).first).to_be_visible()
    demo.element.get_by_text("README.md", exact=True).last.click()
    expect(demo.element.locator("[part~=lines]")).to_contain_text(SCRIPT)
    elements = demo.element.locator("img, script, svg[onload]").count()
    ran = demo_page.page.locator("html").get_attribute("data-ran")

    assert shown == [
        answers.content("list_dir", {"dir_path": "/repo"}),
        answers.content("read_file", {"file_path": "/repo/README.md"}),
        answers.content("LS", {"path": "/repo"}),
    ]
    assert (elements, ran) == (0, None)


@pytest.mark.parametrize("files", ["none", "closed", "open"])
def test_the_attribute_says_whether_files_are_offered(
    demo_page: SharedDemoPage, files: str
) -> None:
    demo = demo_page.show(demo_of(files=files))
    demo.run()
    offered = demo.files_button.is_visible()
    if files == "open":
        expect(demo.element.get_by_text("README.md", exact=True).first).to_be_visible()
    shown = demo.element.get_by_text("README.md", exact=True).count() > 0

    assert (offered, shown) == (files != "none", files == "open")
