"""Calls side by side: a table over the chosen calls, on one tree and on two."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import PHONE, Playground

_CALLS = {"list_dir": {"dir_path": "/repo", "limit": 4}, "LS": {"path": "."}}
_COLUMNS = ["Entries", "Tokens", "Tokens per entry", "Tokens for the whole", "Calls", "Errors"]


@pytest.fixture
def dialog(chromium_playground: Playground) -> Locator:
    """The comparison of two calls on the sample."""
    for tool, call in _CALLS.items():
        chromium_playground.call(tool, json.dumps(call))
        chromium_playground.calls.last.get_by_label("Compare", exact=True).check()
    chromium_playground.page.get_by_role("button", name="Compare 2 calls").click()
    return chromium_playground.page.get_by_role("dialog", name="Compare calls")


def _row(dialog: Locator, tool: str) -> list[str]:
    row = dialog.locator("tbody tr", has_text=tool)
    return row.locator("td.figure").all_text_contents()[: len(_COLUMNS)]


def test_a_call_that_goes_on_has_no_figure_for_the_whole_until_its_pages_are_fetched(
    dialog: Locator,
) -> None:
    first = _row(dialog, "list_dir")
    dialog.get_by_role("button", name="Fetch all further pages").click()
    cells = dialog.locator("tbody tr", has_text="list_dir").locator("td.figure")
    expect(cells.nth(4)).not_to_have_text("1")
    whole = _row(dialog, "list_dir")

    assert (first[3], first[4]) == ("\N{EN DASH}", "1")
    assert int(whole[0].replace(",", "")) > int(first[0])
    assert whole[3] != "\N{EN DASH}"
    assert _row(dialog, "LS")[4:] == ["1", "0"]


def test_the_table_stays_when_a_narrow_screen_hides_the_calls(
    chromium_playground: Playground, dialog: Locator
) -> None:
    page = chromium_playground.page
    page.set_viewport_size(PHONE)
    expect(chromium_playground.timeline).to_be_hidden()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Calls", exact=True).click()

    expect(chromium_playground.timeline).to_be_visible()


def test_a_click_on_a_head_sorts_the_rows_and_another_turns_the_order(dialog: Locator) -> None:
    tools = dialog.locator("tbody th")
    head = dialog.get_by_role("button", name="Tool", exact=True)

    head.click()
    ascending = tools.all_text_contents()
    dialog.get_by_role("button", name="Tool").first.click()

    expect(tools).to_have_text(ascending[::-1])


def test_the_same_calls_run_on_another_tree_and_leave_as_csv_and_markdown(
    chromium_playground: Playground, dialog: Locator, tmp_path: Path
) -> None:
    page = chromium_playground.page
    dialog.get_by_role("button", name="Close", exact=True).click()
    archive = tmp_path / "other.zip"
    archive.write_bytes(zip_of({"one.txt": "1"}))
    chromium_playground.choose_archive(archive)
    page.get_by_role("button", name="Compare 2 calls").click()
    dialog.get_by_role("button", name="Run all on other.zip as B").click()

    entries = dialog.locator("tbody tr", has_text="LS").locator("td.figure").nth(1)
    expect(entries).to_have_text("1")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download CSV").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert [line.split(",")[0].strip('"') for line in lines[1:]] == list(_CALLS)
    page.evaluate(NOTE_COPIES)
    dialog.get_by_role("button", name="Copy as Markdown").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    rows = page.evaluate("copied[0]").splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == [r"| list\_dir", "| LS"]


def test_a_set_is_saved_loaded_and_deleted(
    chromium_playground: Playground, dialog: Locator
) -> None:
    page = chromium_playground.page
    dialog.get_by_text("Saved sets (0)").click()
    dialog.get_by_label("Name of these calls").fill("two listings")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_text("Saved sets (1)")).to_be_visible()

    page.reload()
    chromium_playground.wait_until_ready()
    page.get_by_role("button", name="Compare saved calls").click()
    dialog.get_by_text("Saved sets (1)").click()
    dialog.get_by_role("button", name="Load", exact=True).click()
    expect(dialog.locator("tbody th")).to_have_text(list(_CALLS))
    dialog.get_by_role("button", name="Delete").click()

    expect(dialog.get_by_text("Saved sets (0)")).to_be_visible()
