"""A visitor reads a file as a model would, and what is proposed for it."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import Playground

_FILE = "src/larder/expiry.py"


def test_a_file_shows_as_each_tool_gives_it_to_a_model(
    playground: Playground, sample: CPythonAnswers
) -> None:
    playground.open_file(*_FILE.split("/"))
    view = playground.view("As the model reads it")
    for tool, argument in (("Read", "path"), ("read_file", "file_path")):
        view.get_by_label("Tool").select_option(tool)
        answer = sample.content(tool, {argument: f"/repo/{_FILE}"})

        expect(view.get_by_text("tokens, the whole file")).to_be_visible()
        expect(view.locator("pre")).to_contain_text(answer[:60])
        assert without_duration(view.locator("pre").text_content() or "") == answer
    # The visitor has read it, and no model.
    expect(playground.calls).to_have_count(0)
    expect(playground.tree_item("expiry.py")).to_have_text("expiry.py")


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
    playground.end_tour()
    patch = "*** Begin Patch\n*** Delete File: Makefile\n*** End Patch\n"
    playground.call("apply_patch", json.dumps({"input": patch}))
    playground.open_file("Makefile")

    expect(playground.file_pane.get_by_role("tab")).to_have_text(["Changes"])
    expect(playground.file_pane.locator(".change-line").first).to_contain_text("removed: ")


@pytest.mark.each_browser
def test_the_keys_for_the_ends_reach_the_ends_of_a_long_file(playground: Playground) -> None:
    lines = "".join(f"line {number}\n" for number in range(1, 5001))
    playground.mount_archive("long.zip", zip_of({"long.txt": lines}))
    playground.open_file("long.txt")
    playground.code.click()
    playground.page.keyboard.press("Control+End")
    expect(playground.file_pane.get_by_text("line 5000", exact=True)).to_be_in_viewport()

    playground.page.keyboard.press("Control+Home")
    expect(playground.file_pane.get_by_text("line 1", exact=True)).to_be_in_viewport()
