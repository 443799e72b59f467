"""The files: the tree, the filter, the quick open, and the open file."""

import struct
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, PHONE, Playground

_TOP = [
    *("config", "data", "docs", "src", "tests", "web"),
    *(".editorconfig", ".gitignore", "CHANGELOG.md", "Makefile", "README.md", "pyproject.toml"),
]


@pytest.mark.each_browser
def test_a_first_visit_shows_the_sample_and_fetches_nothing_from_elsewhere(
    playground: Playground,
) -> None:
    assert playground.tree_items() == _TOP
    assert playground.requested_origins == {playground.origin}
    assert playground.policy_violations() == []


@pytest.mark.each_browser
def test_a_click_opens_a_file_with_its_lines_and_a_highlight(playground: Playground) -> None:
    playground.open_file("src", "larder", "units.py")

    assert playground.code_lines()[0] == '"""Amounts, and the units that they can be added in."""'
    expect(playground.file_pane.locator(".cm-lineNumbers")).to_contain_text("12")
    # The language arrives after the text.
    playground.file_pane.locator(".cm-line span").nth(3).wait_for()
    colours = playground.file_pane.locator(".cm-line span").evaluate_all(
        "(parts) => new Set(parts.map((part) => getComputedStyle(part).color)).size"
    )
    assert colours > 2


def test_the_filter_leaves_the_files_with_the_text_and_their_directories(
    playground: Playground,
) -> None:
    box = playground.page.get_by_role("searchbox", name="Filter files")
    box.fill("unit")

    assert playground.tree_items() == [
        *("docs", "units.md", "src", "larder", "units.py", "tests", "test_units.py")
    ]
    box.fill("no such file")
    expect(playground.page.get_by_text("No file has “no such file” in its path.")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_text_in_a_file_is_found_from_the_filter_and_opened_at_its_line(
    playground: Playground, viewport: ViewportSize
) -> None:
    page = playground.page
    page.set_viewport_size(viewport)
    if viewport == PHONE:
        page.get_by_role("navigation", name="Sections").get_by_text("Files").click()
    page.get_by_role("searchbox", name="Filter files").fill("DEF IS_EXPIRED(")
    page.get_by_role("button", name="Search the contents for “DEF IS_EXPIRED(”").click()
    playground.calls.last.locator(".found-line").click()

    playground.expect_open("src/larder/expiry.py")
    expect(playground.file_pane.locator(".tg-marked")).to_contain_text("def is_expired(")


def test_the_tree_has_all_its_rows_after_a_file_was_opened_while_it_was_hidden(
    playground: Playground,
) -> None:
    page = playground.page
    page.set_viewport_size({"width": 768, "height": 1024})
    playground.take_tour()
    page.get_by_role("navigation", name="Sections").get_by_text("Files").click()

    expect(playground.tree_item("expiry.py")).to_be_in_viewport()
    expect(playground.tree_item("pyproject.toml")).to_be_in_viewport()


def test_letters_that_fit_no_path_search_the_contents_and_the_file_opens_at_its_match(
    playground: Playground,
) -> None:
    playground.page.keyboard.press("Control+p")
    playground.page.get_by_role("combobox", name="Letters of the path").fill("def is_expired")
    playground.page.keyboard.press("Enter")

    expect(playground.page.get_by_role("dialog", name="Go to file")).to_be_hidden()
    playground.calls.last.locator(".found-file").click()
    playground.expect_open("src/larder/expiry.py")
    expect(playground.file_pane.locator(".tg-marked")).to_contain_text("def is_expired(")


@pytest.mark.each_browser
@pytest.mark.parametrize("by", ["Enter", "button"])
def test_a_word_that_names_no_tool_searches_the_contents(playground: Playground, by: str) -> None:
    playground.tool_box.fill("is_expired(")
    if by == "Enter":
        playground.tool_box.press("Enter")
    else:
        playground.page.get_by_text("No tool has this name.").locator("..").get_by_role(
            "button", name="Search the contents for “is_expired(”"
        ).click()

    expect(playground.tool_box).to_have_value("")
    playground.calls.last.locator(".found-line").first.click()
    playground.expect_open("src/larder/expiry.py")


@pytest.mark.each_browser
def test_letters_of_a_path_open_a_file_and_the_tree_shows_it(playground: Playground) -> None:
    playground.page.keyboard.press("Control+p")
    playground.page.get_by_role("combobox", name="Letters of the path").fill("exppy")
    playground.page.keyboard.press("ArrowDown")
    playground.page.keyboard.press("ArrowUp")
    playground.page.keyboard.press("Enter")

    heading = playground.file_pane.get_by_role("heading")
    expect(heading).to_have_text("src/larder/expiry.py")
    expect(playground.tree_item("expiry.py")).to_have_attribute("aria-selected", "true")


@pytest.mark.each_browser
def test_the_button_for_a_file_is_used_by_the_keyboard_and_leads_to_the_file(
    playground: Playground,
) -> None:
    keyboard = playground.page.keyboard
    playground.page.get_by_role("button", name="Go to file…").focus()
    keyboard.press("Enter")
    keyboard.type("exppy")
    keyboard.press("Enter")

    expect(playground.file_pane).to_be_focused()
    expect(playground.page.get_by_role("dialog", name="Go to file")).to_be_hidden()


def test_an_image_is_shown_and_other_bytes_are_said_to_be_no_text(
    playground: Playground, tmp_path: Path
) -> None:
    archive = tmp_path / "bytes.zip"
    archive.write_bytes(zip_of({"dot.png": _png(), "data.bin": b"\0\1\2"}))
    playground.choose_archive(archive)

    playground.open_file("dot.png")
    image = playground.file_pane.get_by_role("img", name="dot.png")
    expect(image).to_have_js_property("naturalWidth", 2)
    said = playground.file_pane.get_by_text("A model that calls read_file would get about")
    tokens = (said.text_content() or "").split("about ")[1].split(" of this")[0]
    view = playground.view("As the model reads it")
    expect(view.get_by_text(f"{tokens}, the whole file", exact=True)).to_be_visible()
    playground.open_file("data.bin")
    expect(playground.file_pane).to_contain_text("This file is no text: 3 bytes.")


def _png() -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", 2, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" + b"\xff\0\0" * 2)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def test_a_large_file_comes_in_parts_and_bytes_that_are_no_text_are_said(
    playground: Playground, tmp_path: Path
) -> None:
    archive = tmp_path / "large.zip"
    large = b"".join(b"line %d\n" % number for number in range(400_000))
    archive.write_bytes(zip_of({"large.txt": large, "latin.txt": b"caf\xe9\n"}))
    playground.choose_archive(archive)

    playground.open_file("large.txt")
    expect(playground.file_pane).to_contain_text("the first 2.1 MB of 4.7 MB")
    playground.file_pane.get_by_role("button", name="Show more").click()
    expect(playground.file_pane).to_contain_text("400,000 lines")
    playground.open_file("latin.txt")
    expect(playground.file_pane).to_contain_text("Some bytes are no UTF-8")


@pytest.mark.each_browser
def test_a_directory_of_many_files_has_few_rows_and_its_last_file_is_reached(
    playground: Playground, tmp_path: Path
) -> None:
    archive = tmp_path / "many.zip"
    archive.write_bytes(zip_of({f"f{number:05}.txt": "x" for number in range(3_000)}))
    playground.choose_archive(archive)

    assert len(playground.tree_items()) < 100
    playground.tree.focus()
    playground.page.keyboard.press("End")
    playground.page.keyboard.press("Enter")
    heading = playground.file_pane.get_by_role("heading")
    expect(heading).to_have_text("f02999.txt")
