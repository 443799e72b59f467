"""A visitor finds files in the tree, and sees what the calls have done to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.hostile.tree import HOSTILE
from tests.browser.packed_trees import zip_of
from tests.browser.playground_next.page import SAMPLE_FILES, SAMPLE_FOLDERS

if TYPE_CHECKING:
    from tests.browser.playground_next.page import Playground

pytestmark = pytest.mark.browser

_ACTIVE = """(tree) => {
    const row = document.getElementById(tree.getAttribute("aria-activedescendant"));
    return [row.querySelector(".tree-name").textContent, row.ariaExpanded, row.ariaLevel];
}"""

_ADD_AND_DELETE = """*** Begin Patch
*** Add File: docs/new.md
+# New
*** Delete File: docs/units.md
*** End Patch
"""


def _active(playground: Playground) -> list[str | None]:
    """Return the name of the row that keys act on, whether it is open, and its level."""
    found: list[str | None] = playground.tree.evaluate(_ACTIVE)
    return found


def test_the_sample_shows_its_folders_before_its_files(playground: Playground) -> None:
    assert playground.row_names() == [*SAMPLE_FOLDERS, *SAMPLE_FILES]


def test_keys_lead_through_the_tree_to_a_file(playground: Playground) -> None:
    playground.tree.focus()
    visited = []
    for key in ("s", "ArrowRight", "ArrowRight", " ", "e", "ArrowLeft", "ArrowLeft", "End", "Home"):
        playground.tree.press(key)
        visited.append([key, *_active(playground)])

    assert visited == [
        ["s", "src", "false", "1"],
        ["ArrowRight", "src", "true", "1"],
        ["ArrowRight", "larder", "false", "2"],
        [" ", "larder", "true", "2"],
        ["e", "expiry.py", None, "3"],
        ["ArrowLeft", "larder", "true", "2"],
        ["ArrowLeft", "larder", "false", "2"],
        ["End", "pyproject.toml", None, "1"],
        ["Home", "config", "false", "1"],
    ]
    playground.tree.press("End")
    playground.tree.press("Enter")
    playground.expect_open("pyproject.toml")


def test_a_filter_leaves_the_files_whose_path_has_the_text(playground: Playground) -> None:
    box = playground.page.get_by_role("searchbox", name="Filter files")
    box.fill("UNITS")
    playground.expect_rows(
        ["docs", "units.md", "src", "larder", "units.py", "tests", "test_units.py"]
    )
    box.fill("nowhere")
    playground.expect_rows([])
    expect(playground.files_pane.get_by_text("“nowhere”")).to_have_text(
        "No file has “nowhere” in its path."
    )
    box.fill("")
    playground.expect_rows([*SAMPLE_FOLDERS, *SAMPLE_FILES])


def test_some_letters_open_a_file_and_the_tree_reveals_it(playground: Playground) -> None:
    page = playground.page
    page.keyboard.press("Control+P")
    dialog = page.get_by_role("dialog", name="Go to file")
    box = dialog.get_by_role("combobox", name="Letters of the path")
    expect(box).to_be_focused()
    box.fill("expiry")
    options = dialog.get_by_role("option")
    expect(options).to_have_text(["src/larder/expiry.py", "tests/test_expiry.py"])
    box.press("ArrowDown")
    expect(dialog.get_by_role("option", selected=True)).to_have_text("tests/test_expiry.py")
    box.press("ArrowUp")
    box.press("Enter")
    playground.expect_open("src/larder/expiry.py")

    expect(dialog).to_be_hidden()
    expect(playground.tree.get_by_role("treeitem", selected=True)).to_have_text("expiry.py")
    assert [row.get_attribute("aria-expanded") for row in playground.rows.all()].count("true") == 2


def test_letters_that_fit_no_file_say_so_and_escape_closes(playground: Playground) -> None:
    playground.page.get_by_role("button", name="Go to file…").click()
    dialog = playground.page.get_by_role("dialog", name="Go to file")
    dialog.get_by_role("combobox").fill("qqqq")
    expect(dialog.get_by_text("No file fits.")).to_be_visible()
    playground.page.keyboard.press("Escape")

    expect(dialog).to_be_hidden()


def test_calls_mark_what_they_have_listed_and_read(playground: Playground) -> None:
    playground.call("list_dir", json.dumps({"dir_path": "/repo/docs"}))
    read = {"file_path": "/repo/README.md", "offset": 2, "limit": 3}
    playground.call("read_file", json.dumps(read))
    playground.call("read_file", json.dumps({"file_path": "/repo/missing.md"}))

    marked = [row.text_content() for row in playground.rows.filter(has_text="○").all()]
    assert marked == ["▸docs○ listed"]
    expect(playground.row("README.md")).to_have_text("README.md● read, lines 2–4")


def test_proposals_mark_what_they_change_add_and_delete(playground: Playground) -> None:
    playground.take_tour()
    patch = {"input": _ADD_AND_DELETE}
    playground.call("apply_patch", json.dumps(patch))
    for folder in ("docs", "src", "larder"):
        playground.row(folder).click()

    expect(playground.row("new.md")).to_have_text("new.mdA new")
    expect(playground.row("units.md")).to_have_text("units.mdD deleted")
    expect(playground.row("expiry.py")).to_have_text("expiry.pyM changed● read, lines 1–27")


def test_a_folder_of_3000_files_draws_only_the_rows_in_sight(playground: Playground) -> None:
    names = [f"{number:04}.txt" for number in range(3_000)]
    playground.mount_archive("wide.zip", zip_of({f"all/{name}": f"{name}\n" for name in names}))
    playground.row("all").click()
    expect(playground.row("0000.txt")).to_have_attribute("aria-setsize", "3000")
    drawn = playground.row_names()
    playground.tree.focus()
    playground.tree.press("End")
    expect(playground.row("2999.txt")).to_be_in_viewport()
    drawn_at_end = playground.row_names()
    playground.tree.press("Enter")
    playground.expect_open("all/2999.txt")

    assert (len(drawn) < 100, drawn) == (True, ["all", *names][: len(drawn)])
    assert (len(drawn_at_end) < 100, drawn_at_end) == (True, names[-len(drawn_at_end) :])


def test_hostile_names_are_text_with_marks(playground: Playground) -> None:
    playground.mount_archive("hostile.zip", zip_of(HOSTILE))

    playground.expect_rows(
        [
            "<img src=x onerror=document.documentElement.dataset.ran=1>",
            '"><svg onload=document.documentElement.dataset.ran=1>',
            "README.md",
            "__proto__",
            "escESC[31m",
            "lineLFbreak",
            "U+202Egnp.exe",
        ]
    )
    playground.row("U+202Egnp.exe").click()
    expect(playground.code).to_have_text("x")
    expect(playground.file_pane.get_by_role("heading", level=2)).to_have_text("U+202Egnp.exe")
    assert playground.page.locator("html").get_attribute("data-ran") is None
    assert playground.page.locator("main img").count() == 0
