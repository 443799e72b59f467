"""One directory as each listing tool shows it, side by side."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers, extract_zip
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import PATIENCE_MS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.playground.playground_page import Playground

pytestmark = pytest.mark.browser

_ENTRY_TIME_S = datetime(2024, 2, 29, 12, 30, 58, tzinfo=UTC).timestamp()
_TREE = {
    ".env": "",
    ".hidden/inside.txt": "",
    "node_modules/x/index.js": "",
    "src/app/main.py": "",
    "src/setup.py": "",
    "empty/": "",
    "read.md": "",
}


@pytest.fixture
def mounted(playground: Playground, tmp_path: Path) -> CPythonAnswers:
    """A tree of its own, mounted on the page, and CPython's answers about it."""
    archive = tmp_path / "small.zip"
    archive.write_bytes(zip_of(_TREE))
    extracted = extract_zip(archive, tmp_path / "small")
    # The one directory that the archive names, and so has a time of its own.
    os.utime(extracted / "empty", (_ENTRY_TIME_S, _ENTRY_TIME_S))
    answers = CPythonAnswers(extracted)
    playground.choose_archive(archive)
    playground.wait_for_content(answers.content("list_dir", {"dir_path": "/repo"}))
    return answers


def _column(
    answers: CPythonAnswers,
    tool: str,
    arguments: dict[str, object],
    **told: object,
) -> dict[str, object]:
    """What a column says of one call, beside what is told here."""
    content = answers.call(tool, arguments).content
    size = len(content.encode())
    return {"call": arguments, "size": f"{size:,} B", "calls": "1"} | told


def _told(playground: Playground, tool: str) -> dict[str, object]:
    column = playground.read_column(tool)
    figures = column.pop("figures")
    assert isinstance(figures, dict)
    shown = {"size": figures["Size"], "calls": figures["Calls"], "entries": figures["Entries"]}
    return column | shown


def test_each_column_has_the_tools_own_answer_and_what_it_does_not_show(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    playground.compare("/repo")
    calls: dict[str, dict[str, object]] = {
        "list_dir": {"dir_path": "/repo"},
        "LS": {"path": "."},
        "list_directory": {"path": "."},
    }

    contents = {tool: playground.read_column_content(tool) for tool in calls}
    assert contents == {tool: mounted.content(tool, call) for tool, call in calls.items()}
    whole = {"badge": "ok", "going": "All that it shows, in 1 call"}
    told = {tool: _told(playground, tool) for tool in calls}
    # LS says how long it took: its size is not the same in two runs.
    told["LS"]["size"] = "-"
    assert told == {
        "list_dir": _column(
            mounted, "list_dir", calls["list_dir"], **whole, entries="10", missing=[]
        ),
        "LS": _column(mounted, "LS", calls["LS"], **whole, entries="3")
        | {"size": "-", "missing": ["2 hidden entries", "1 other entry", "4 deeper entries"]},
        "list_directory": _column(
            mounted, "list_directory", calls["list_directory"], **whole, entries="4"
        )
        | {"missing": ["2 hidden entries", "4 deeper entries"]},
    }


def test_a_directory_that_is_chosen_in_the_tree_is_compared_to_the_depth_that_is_chosen(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    view = playground.compare("/repo")
    playground.tree.get_by_role("treeitem", name="src").click()
    playground.wait_for_comparison()
    view.get_by_label("Depth").select_option("3")
    playground.wait_for_comparison()

    assert view.get_by_label("Directory", exact=True).input_value() == "/repo/src"
    deep = {"path": "src", "recursive": True, "max_depth": 3}
    assert playground.read_column_content("list_directory") == mounted.content(
        "list_directory", deep
    )
    assert playground.read_column_content("list_dir") == mounted.content(
        "list_dir", {"dir_path": "/repo/src", "depth": 3}
    )
    assert playground.read_column("LS")["missing"] == ["1 deeper entry"]


def test_hidden_entries_are_shown_by_who_is_asked_for_them(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    view = playground.compare("/repo")
    view.get_by_label("Ask for hidden entries").check()
    playground.wait_for_comparison()

    asked = {"path": ".", "include_hidden": True}
    assert playground.read_column_content("LS") == mounted.content("LS", asked)
    assert playground.read_column("LS")["missing"] == ["4 deeper entries"]


def test_an_empty_directory_is_empty_for_all_three(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    playground.compare("/repo/empty")

    assert playground.read_column_content("list_dir") == mounted.content(
        "list_dir", {"dir_path": "/repo/empty"}
    )
    nothing = "Not shown: nothing that another tool shows"
    for tool in ("list_dir", "LS", "list_directory"):
        expect(playground.column(tool).locator(".compare-missing")).to_have_text(nothing)


def test_what_is_no_directory_gets_each_tools_own_refusal(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    playground.compare("/repo/read.md")
    contents = [
        playground.read_column_content(tool) for tool in ("list_dir", "LS", "list_directory")
    ]

    assert contents == [
        mounted.content("list_dir", {"dir_path": "/repo/read.md"}),
        mounted.content("LS", {"path": "read.md"}),
        mounted.content("list_directory", {"path": "read.md"}),
    ]
    expect(playground.page.locator("#compare-view").get_by_role("status")).to_have_text(
        "list_dir refused, LS refused, list_directory refused"
    )


def _page_through(playground: Playground, folder: Path, *, entry_count: int) -> None:
    """Compare a directory of so many entries, and hold each way to go on to CPython's word."""
    names = [f"file-{number:05}.txt" for number in range(entry_count)]
    page_count = entry_count // 100
    archive = folder / "large.zip"
    archive.write_bytes(zip_of(dict.fromkeys(names, "")))
    answers = CPythonAnswers(extract_zip(archive, folder / "large"))
    playground.choose_archive(archive)
    playground.wait_for_content(answers.content("list_dir", {"dir_path": "/repo"}))
    playground.compare("/repo")
    column = playground.column("LS")
    column.get_by_role("button", name="Next page").click()
    expect(column.locator(".compare-page")).to_have_text("Page 2 of 2+")
    second = playground.read_column_content("LS")
    column.get_by_role("button", name="All pages").click()
    all_pages = f"Page {page_count} of {page_count}"
    expect(column.locator(".compare-page")).to_have_text(all_pages, timeout=PATIENCE_MS)
    last = playground.read_column_content("LS")
    column.get_by_role("button", name="Page before, of LS").click()

    pages = answers.pages("LS", {"path": "."})
    assert (second, last) == (pages[1], pages[-1])
    assert playground.read_column_content("LS") == pages[-2]
    told = playground.read_column("LS")
    assert told["going"] == f"All that it shows, in {page_count} calls"
    assert told["missing"] == []
    # A tool that cannot go on says so, and the entries that it leaves out are counted, not drawn.
    cut = playground.read_column("list_directory")
    warning = answers.call("list_directory", {"path": "."}).warnings[0]
    assert (cut["badge"], cut["going"]) == ("cut", f"Cut, and no call continues it. {warning}")
    assert cut["missing"] == [f"{entry_count - 200:,} other entries"]
    names_drawn = playground.column("list_directory").locator(".missing-names li")
    expect(names_drawn).to_have_count(41)
    expect(names_drawn.last).to_have_text(f"and {entry_count - 240:,} more")


def test_many_entries_are_paged_through_by_each_tool_as_it_can(
    playground: Playground, tmp_path: Path
) -> None:
    _page_through(playground, tmp_path, entry_count=1_000)


@pytest.mark.slow
def test_ten_thousand_entries_are_paged_through_by_each_tool_as_it_can(
    chromium_playground: Playground, tmp_path: Path
) -> None:
    _page_through(chromium_playground, tmp_path, entry_count=10_000)


def test_a_budget_cuts_each_answer_and_the_next_page_goes_on(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    playground.compare("/repo", max_output_bytes="60")
    column = playground.column("list_dir")
    going = column.locator(".compare-going").text_content() or ""
    change = json.loads(re.sub("^Continues with ", "", going))
    offset = change["offset"]
    column.get_by_role("button", name="Next page").click()
    expect(column.locator(".compare-page")).to_have_text("Page 2 of 2+")
    playground.compare("/repo")

    assert change == {"offset": offset}
    assert playground.read_column_content("list_dir") == mounted.content(
        "list_dir", {"dir_path": "/repo"}
    )


def test_a_call_of_the_comparison_opens_in_the_console(
    playground: Playground, mounted: CPythonAnswers
) -> None:
    playground.compare("/repo/src")
    with playground.answered():
        playground.column("list_directory").get_by_role("button", name="Open in console").click()

    expect(playground.content).to_be_visible()
    playground.page.get_by_role("tab", name="JSON").click()
    assert json.loads(playground.json_box.input_value()) == {"path": "src"}
    assert playground.read_content() == mounted.content("list_directory", {"path": "src"})


def test_three_tools_search_one_directory_and_say_which_files_they_leave_out(
    playground: Playground, tmp_path: Path
) -> None:
    archive = tmp_path / "searched.zip"
    archive.write_bytes(zip_of({"src/a.py": "needle\n", "src/.b.py": "needle\n", "c.md": "hay\n"}))
    playground.choose_archive(archive)
    expect(playground.tree_pane).to_contain_text("searched.zip")
    view = playground.open_view("Compare")
    view.get_by_label("Directory", exact=True).fill("/repo/src")
    view.get_by_label("Search for").fill("needle")
    view.get_by_role("button", name="Compare", exact=True).click()
    outcome = playground.page.locator("#compare-view [role=status]")
    expect(outcome).to_have_text(re.compile("^grep_files .+, Grep .+, Search .+$"))
    shown = [column.get_attribute("aria-labelledby") for column in view.get_by_role("region").all()]
    view.get_by_label("Search for").fill("")
    view.get_by_role("button", name="Compare", exact=True).click()
    playground.wait_for_comparison()

    assert [name for name in shown if name] == [
        "compare-grep_files",
        "compare-Grep",
        "compare-Search",
    ]
