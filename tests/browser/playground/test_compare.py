"""Calls side by side: a table over the chosen calls, on one tree and on two."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import PHONE, Playground

_CALLS = {"list_dir": {"dir_path": "/repo", "limit": 4}, "LS": {"path": "."}}
_HEAD = [
    *("Tool", "Family", "Tokens", "Tokens per entry", "Tokens for the whole", "Tokens written"),
    *("Entries", "Calls", "Errors", "Time", "Arguments"),
]
_TREE = {"docs/a.md": "# A\n\nTODO: write\n", "docs/b.md": "B\n", "one.txt": "1\n"}
_PATCH = """*** Begin Patch
*** Update File: docs/b.md
@@
-B
+C
*** End Patch"""


@pytest.fixture
def dialog(playground: Playground) -> Locator:
    """The comparison of two calls on the sample."""
    for tool, call in _CALLS.items():
        playground.call(tool, json.dumps(call))
        playground.calls.last.get_by_label("Compare", exact=True).check()
    playground.page.get_by_role("button", name="Compare 2 calls").click()
    return playground.page.get_by_role("dialog", name="Compare calls")


def _row(dialog: Locator, tool: str, family: str = "") -> dict[str, str]:
    """Return the cells of a row by the words above them."""
    row = dialog.locator("tbody tr", has_text=re.compile(rf"^{tool}{family}"))
    return dict(zip(_HEAD, row.locator("th, td").all_text_contents(), strict=True))


def _rows(dialog: Locator) -> list[list[str]]:
    """Return what does not depend on the time that a call took, which envelopes hold."""
    names = ("Tool", "Family", "Entries", "Calls", "Errors", "Arguments")
    rows = dialog.locator("tbody tr")
    cells = [row.locator("th, td").all_text_contents() for row in rows.all()]
    return [[dict(zip(_HEAD, row, strict=True))[name] for name in names] for row in cells]


def _ask_all(playground: Playground) -> Locator:
    """Press the button below the newest call, and return the dialog once all have answered."""
    playground.calls.last.get_by_role("button", name="Compare with other tool families").click()
    dialog = playground.page.get_by_role("dialog", name="Compare calls")
    expect(dialog.get_by_role("button", name="Fetch all further pages")).to_be_visible()
    expect(dialog.get_by_role("status")).to_have_text("")
    return dialog


@pytest.fixture
def small(playground: Playground) -> Playground:
    """A tree of three files, in Chromium."""
    playground.mount_archive("small.zip", zip_of(_TREE))
    return playground


_LIKE: dict[str, tuple[str, dict[str, object], list[list[str]], str]] = {
    "a listing": (
        "LS",
        {"path": "docs"},
        [
            ["list_dir", "codex", "2", "1", "0", "/repo/docs"],
            ["LS", "envelope", "2", "1", "0", "docs"],
            ["list_directory", "Forge", "2", "1", "0", "docs"],
        ],
        "Absolute path: /repo/docs\na.md\nb.md",
    ),
    "a reading": (
        "read_file",
        {"file_path": "/repo/docs/b.md"},
        [
            ["read_file", "codex", "\N{EN DASH}", "1", "0", "/repo/docs/b.md"],
            ["Read", "envelope", "\N{EN DASH}", "1", "0", "docs/b.md"],
            ["forge_read", "Forge", "\N{EN DASH}", "1", "0", "docs/b.md"],
        ],
        "L1: B",
    ),
    "a search": (
        "Search",
        {"pattern": "TODO"},
        [
            ["grep_files", "codex", "1", "1", "0", "TODO in /repo"],
            ["Grep", "envelope", "1", "1", "0", "TODO in ."],
            ["Search", "Forge", "1", "1", "0", "TODO"],
        ],
        "/repo/docs/a.md",
    ),
    "a change": (
        "apply_patch",
        {"input": _PATCH},
        [
            ["apply_patch", "codex", "\N{EN DASH}", "1", "0", "docs/b.md"],
            ["Edit", "envelope", "\N{EN DASH}", "2", "0", "docs/b.md"],
            ["Edit", "Forge", "\N{EN DASH}", "2", "0", "docs/b.md"],
        ],
        (
            "Exit code: 0\nWall time: 0 seconds\nOutput:\n"
            "Success. Updated the following files:\nM docs/b.md\n"
        ),
    ),
}


def test_one_press_asks_every_family_and_shows_the_answers_beside_each_other(
    small: Playground,
) -> None:
    for asked, (tool, call, rows, of_codex) in _LIKE.items():
        small.call(tool, json.dumps(call))
        dialog = _ask_all(small)

        assert (asked, _rows(dialog)) == (asked, rows)
        answers = dialog.get_by_role("list", name="Answers").get_by_role("listitem")
        heads = answers.get_by_role("heading").all_text_contents()
        assert heads == [f"{name} {family}" for name, family, *_ in rows]
        assert answers.first.locator("pre").text_content() == of_codex
        tops = [box["y"] for each in answers.all() if (box := each.bounding_box())]
        assert tops == [tops[0]] * 3
        small.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_the_families_change_a_file_one_after_the_other_and_the_proposal_stays(
    small: Playground,
) -> None:
    small.call("apply_patch", json.dumps({"input": _PATCH}))
    dialog = _ask_all(small)
    dialog.get_by_role("button", name="Close", exact=True).click()

    review = small.timeline.locator("treeglass-review")
    expect(review.locator(".toggle")).to_have_text(["Changed/repo/docs/b.md"])
    assert small.call("read_file", '{"file_path": "/repo/docs/b.md"}') == "L1: C"


def test_a_call_that_only_one_family_has_is_not_asked_of_the_others(small: Playground) -> None:
    small.call("Glob", '{"pattern": "**/*.md"}')

    expect(small.calls.last.get_by_role("button", name="Copy answer")).to_be_visible()
    compare = small.calls.last.get_by_role("button", name="Compare with other tool families")
    expect(compare).to_be_hidden()


def test_arguments_that_are_no_json_are_said_beside_the_error(small: Playground) -> None:
    for call in ('{"dir_path": ', '{"dir_path": "/repo"}'):
        small.call("list_dir", call)
        small.calls.last.get_by_label("Compare", exact=True).check()
    small.page.get_by_role("button", name="Compare 2 calls").click()

    answers = small.page.get_by_role("list", name="Answers").get_by_role("listitem")
    said = [answer.locator(".warned").all_text_contents() for answer in answers.all()]
    sentence = "This is not a JSON object. It is sent as it is, and the tool reports the error."
    assert said == [[sentence], []]
    text = answers.first.locator("pre")
    expect(text).to_contain_text("the arguments are not valid JSON")
    assert text.evaluate("(text) => text.scrollWidth <= text.parentElement.clientWidth")


def test_a_phone_shows_the_tokens_first_and_the_page_does_not_scroll_sideways(
    small: Playground,
) -> None:
    small.call("list_dir", '{"dir_path": "/repo/docs"}')
    dialog = _ask_all(small)
    small.page.set_viewport_size(PHONE)
    box = dialog.get_by_role("group", name="Comparison").bounding_box()
    assert box is not None

    heads = dialog.locator("thead th")
    expect(heads).to_have_text(_HEAD)
    right = box["x"] + box["width"]
    seen = [head.text_content() for head in heads.all() if _right_of(head) <= right]
    assert seen[: _HEAD.index("Tokens for the whole") + 1] == _HEAD[:5]
    wide = "[document.documentElement, document.querySelector('dialog[open]')]"
    assert small.page.evaluate(f"{wide}.map((box) => box.scrollWidth - box.clientWidth)") == [0, 0]


def _right_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def test_the_sums_of_each_family_stand_below_its_calls(small: Playground) -> None:
    for call in ('{"dir_path": "/repo"}', '{"dir_path": "/repo/docs"}'):
        small.call("list_dir", call)
        small.calls.last.get_by_label("Compare", exact=True).check()
    small.call("list_directory", '{"path": "docs"}')
    small.calls.last.get_by_label("Compare", exact=True).check()
    small.page.get_by_role("button", name="Compare 3 calls").click()

    sums = small.page.get_by_role("dialog").locator("tfoot tr")
    cells = [row.locator("th, td").all_text_contents()[:8] for row in sums.all()]
    assert [[row[0], *row[5:8]] for row in cells] == [
        ["All codex", "6", "2", "0"],
        ["All", "8", "3", "0"],
    ]


def test_a_call_that_goes_on_has_no_figure_for_the_whole_until_its_pages_are_fetched(
    dialog: Locator,
) -> None:
    first = _row(dialog, "list_dir")
    dialog.get_by_role("button", name="Fetch all further pages").click()
    cells = dialog.locator("tbody tr", has_text="list_dir").locator("td.figure")
    expect(cells.nth(5)).not_to_have_text("1")
    whole = _row(dialog, "list_dir")

    assert (first["Tokens for the whole"], first["Calls"]) == ("\N{EN DASH}", "1")
    assert int(whole["Entries"].replace(",", "")) > int(first["Entries"])
    assert whole["Tokens for the whole"] != "\N{EN DASH}"
    assert [_row(dialog, "LS")[name] for name in ("Calls", "Errors")] == ["1", "0"]


def test_the_table_stays_when_a_narrow_screen_hides_the_calls(
    playground: Playground, dialog: Locator
) -> None:
    page = playground.page
    page.set_viewport_size(PHONE)
    expect(playground.timeline).to_be_hidden()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Calls", exact=True).click()

    expect(playground.timeline).to_be_visible()


def test_a_click_on_a_head_sorts_the_rows_and_another_turns_the_order(dialog: Locator) -> None:
    tools = dialog.locator("tbody th")
    head = dialog.get_by_role("button", name="Tool", exact=True)

    head.click()
    ascending = tools.all_text_contents()
    expect(dialog.locator("[aria-sort=ascending]")).to_have_text("Tool")
    head.click()

    expect(tools).to_have_text(ascending[::-1])


def test_the_same_calls_run_on_another_tree_and_leave_as_csv_and_markdown(
    playground: Playground, dialog: Locator, tmp_path: Path
) -> None:
    page = playground.page
    dialog.get_by_role("button", name="Close", exact=True).click()
    archive = tmp_path / "other.zip"
    archive.write_bytes(zip_of({"one.txt": "1"}))
    playground.choose_archive(archive)
    page.get_by_role("button", name="Compare 2 calls").click()
    dialog.get_by_role("button", name="Run all on other.zip as B").click()

    entries = dialog.locator("tbody tr", has_text="LS").locator("td.figure").nth(9)
    expect(entries).to_have_text("1")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download CSV").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    families = {"list_dir": "codex", "LS": "envelope"}
    head = ["Family", "Tool", "Arguments"]
    names = [head, *([family, tool] for tool, family in families.items()), ["All", ""]]
    assert [line.split(",")[: len(name)] for line, name in zip(lines, names, strict=True)] == names
    page.evaluate(NOTE_COPIES)
    dialog.get_by_role("button", name="Copy as Markdown").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    rows = page.evaluate("copied[0]").splitlines()[2:]
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| codex", r"list\_dir"],
        ["| envelope", "LS"],
        ["| All", ""],
    ]


def test_a_set_is_saved_loaded_and_deleted(playground: Playground, dialog: Locator) -> None:
    page = playground.page
    dialog.get_by_text("Saved sets (0)").click()
    dialog.get_by_label("Name of these calls").fill("two listings")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_text("Saved sets (1)")).to_be_visible()

    page.reload()
    playground.wait_until_ready()
    page.get_by_role("button", name="Compare saved calls").click()
    dialog.get_by_text("Saved sets (1)").click()
    dialog.get_by_role("button", name="Load", exact=True).click()
    expect(dialog.locator("tbody th")).to_have_text(list(_CALLS))
    dialog.get_by_role("button", name="Delete").click()

    expect(dialog.get_by_text("Saved sets (0)")).to_be_visible()
