"""A visitor sees in the tree what the calls have listed, read and proposed."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.hostile.tree import HOSTILE
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import Playground

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


@pytest.mark.each_browser
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


def test_letters_that_fit_no_file_say_so_and_escape_closes(playground: Playground) -> None:
    playground.page.get_by_role("button", name="Go to file…").click()
    dialog = playground.page.get_by_role("dialog", name="Go to file")
    dialog.get_by_role("combobox").fill("qqqq")
    expect(dialog.get_by_text("No file fits.")).to_be_visible()
    playground.page.keyboard.press("Escape")

    expect(dialog).to_be_hidden()


def test_calls_mark_what_they_have_listed_and_read_in_the_tree_and_beside_the_lines(
    playground: Playground,
) -> None:
    playground.call("list_dir", json.dumps({"dir_path": "/repo/docs"}))
    read = {"file_path": "/repo/README.md", "offset": 2, "limit": 3}
    playground.call("read_file", json.dumps(read))
    playground.call("read_file", json.dumps({"file_path": "/repo/missing.md"}))

    marked = [
        row.text_content()
        for row in playground.tree.get_by_role("treeitem").filter(has_text="○").all()
    ]
    assert marked == ["▸docs○ listed"]
    expect(playground.tree_item("README.md")).to_have_text("README.md● read, lines 2\u20134")
    playground.open_file("README.md")
    playground.code_lines()
    marks = playground.file_pane.get_by_title("A tool has given this line to a model")
    expect(marks).to_have_count(3)


def test_proposals_mark_what_they_change_add_and_delete(playground: Playground) -> None:
    playground.take_tour()
    playground.end_tour()
    patch = {"input": _ADD_AND_DELETE}
    playground.call("apply_patch", json.dumps(patch))
    playground.tree_item("docs").click()

    expect(playground.tree_item("new.md")).to_have_text("new.mdA new")
    expect(playground.tree_item("units.md")).to_have_text("units.mdD deleted")
    # The tour has read it before it changed it: its lines are others now.
    expect(playground.tree_item("expiry.py")).to_have_text("expiry.pyM changed")
    read = {"file_path": "/repo/src/larder/expiry.py", "limit": 2}
    playground.call("read_file", json.dumps(read))
    expect(playground.tree_item("expiry.py")).to_have_text(
        "expiry.pyM changed● read, lines 1\u20132"
    )


def test_hostile_names_are_text_with_marks(playground: Playground) -> None:
    playground.mount_archive("hostile.zip", zip_of(HOSTILE))

    playground.expect_items(
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
    playground.tree_item("U+202Egnp.exe").click()
    expect(playground.code).to_have_text("x")
    expect(playground.file_pane.get_by_role("heading", level=2)).to_have_text("U+202Egnp.exe")
    assert playground.page.locator("html").get_attribute("data-ran") is None
    assert playground.page.locator("main img").count() == 0
