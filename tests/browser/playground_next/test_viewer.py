"""A visitor reads a file of the tree, whatever is in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers, extract_zip, without_duration
from tests.browser.packed_trees import zip_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.playground_next.page import Playground

pytestmark = pytest.mark.browser

_FILE = "src/larder/expiry.py"
_COLOUR = "(element) => getComputedStyle(element).color"
_LINE = b"a line of text that is 40 bytes long....\n"


@pytest.fixture(scope="module")
def sample_folder(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = dist / "site" / "sample-project.zip"
    return extract_zip(archive, tmp_path_factory.mktemp("sample-project"))


def _facts(playground: Playground) -> str:
    return playground.file_pane.locator(".file-head .dim").text_content() or ""


def test_a_click_shows_a_file_with_line_numbers_and_colours(
    playground: Playground, sample_folder: Path
) -> None:
    playground.open_file(_FILE)
    text = (sample_folder / _FILE).read_text("utf-8")
    lines = text.split("\n")
    expect(playground.code.locator(".cm-line")).to_have_text(lines)
    numbers = playground.file_pane.locator(".cm-lineNumbers .cm-gutterElement")
    expect(numbers.last).to_have_text(str(len(lines)))
    keyword = playground.code.get_by_text("from", exact=True).first
    expect(keyword).to_be_visible()

    # Until the language has arrived, the word has no element of its own.
    assert keyword.evaluate(_COLOUR) != playground.code.evaluate(_COLOUR)
    assert _facts(playground) == f"{len(lines)} lines · {len(text.encode())} bytes"


@pytest.mark.parametrize(("tool", "argument"), [("read_file", "file_path"), ("Read", "path")])
def test_a_file_shows_as_each_tool_gives_it_to_a_model(
    playground: Playground, sample_folder: Path, tool: str, argument: str
) -> None:
    playground.open_file(_FILE)
    view = playground.view("As the model reads it")
    view.get_by_label("Tool").select_option(tool)
    answer = CPythonAnswers(sample_folder).content(tool, {argument: f"/repo/{_FILE}"})

    expect(view.get_by_text("tokens, the whole file")).to_be_visible()
    expect(view.locator("pre")).to_contain_text(answer[:60])
    assert without_duration(view.locator("pre").text_content() or "") == answer
    # The visitor has read it, and no model.
    expect(playground.calls).to_have_count(0)
    expect(playground.row("expiry.py")).to_have_text("expiry.py")


def test_lines_that_a_call_has_read_are_marked_in_the_file(playground: Playground) -> None:
    playground.open_file("README.md")
    read = {"file_path": "/repo/README.md", "offset": 3, "limit": 2}
    playground.call("read_file", json.dumps(read))
    marks = playground.file_pane.get_by_title("A tool has given this line to a model")

    expect(marks).to_have_count(2)


def test_an_image_shows_as_an_image(playground: Playground) -> None:
    playground.open_file("docs/shelves.png")
    image = playground.file_pane.get_by_role("img", name="docs/shelves.png")
    expect(image).to_be_visible()
    image.evaluate("(image) => image.decode()")

    assert image.evaluate("(image) => image.naturalWidth > 0") is True


def test_bytes_that_are_no_text_say_so(playground: Playground) -> None:
    playground.mount_archive("bytes.zip", zip_of({"data.bin": b"\x00\x01\x02\x03"}))
    playground.open_file("data.bin")

    expect(playground.view("File")).to_have_text(
        "This file is no text: 4 bytes. The other tab shows what a model would get of it."
    )


def test_a_text_that_is_no_utf_8_shows_with_a_remark(playground: Playground) -> None:
    playground.mount_archive("latin.zip", zip_of({"latin.txt": "caf\u00e9\n".encode("latin-1")}))
    playground.open_file("latin.txt")

    expect(playground.code.locator(".cm-line").first).to_have_text("caf\ufffd")
    expect(
        playground.file_pane.get_by_text("Some bytes are no UTF-8, and are shown as � each.")
    ).to_be_visible()


def test_a_file_of_5_mb_shows_its_beginning_and_more_on_demand(playground: Playground) -> None:
    count = 125_000
    playground.mount_archive("large.zip", zip_of({"large.txt": _LINE * count}))
    playground.open_file("large.txt")
    facts = playground.file_pane.locator(".file-head .dim")
    expect(facts).to_have_text("the first 2.1 MB of 5.1 MB")
    more = playground.file_pane.get_by_role("button", name="Show more")
    more.click()
    expect(facts).to_have_text(f"{count + 1} lines · 5.1 MB")

    expect(more).to_be_hidden()
    scroller = playground.file_pane.locator(".cm-scroller")
    scroller.evaluate("(scroller) => scroller.scrollTo(0, scroller.scrollHeight)")
    numbers = playground.file_pane.locator(".cm-lineNumbers .cm-gutterElement")
    expect(numbers.last).to_have_text(str(count + 1))


def test_a_changed_file_shows_what_is_proposed_for_it(playground: Playground) -> None:
    playground.take_tour()
    playground.expect_open(_FILE)
    changed = playground.view("Changes").get_by_role("region", name="Changed lines")

    expect(changed.locator("pre")).to_have_text(
        [
            " ",
            " def is_expired(item: Item, today: date) -> bool:",
            '     """Tell whether an item is no longer good."""',
            "-removed:     # TODO: an item is still good on its last day, so this has to be `<`.",
            "-removed:     return item.until is not None and item.until <= today",
            "+added:     return item.until is not None and item.until < today",
            " ",
            " ",
            " def soon(items: Iterable[Item], today: date, days: int = 7) -> list[Item]:",
        ]
    )


def test_a_deleted_file_shows_only_what_is_taken_away(playground: Playground) -> None:
    playground.take_tour()
    patch = "*** Begin Patch\n*** Delete File: Makefile\n*** End Patch\n"
    playground.call("apply_patch", json.dumps({"input": patch}))
    playground.open_file("Makefile")

    expect(playground.file_pane.get_by_role("tab")).to_have_text(["Changes"])
    expect(playground.file_pane.locator(".change-line").first).to_contain_text("removed: ")
