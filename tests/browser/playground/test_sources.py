"""A visitor mounts trees of the device and of the browser's storage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.packed_trees import tar_of, zip_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.browser.playground.playground_page import Playground

pytestmark = pytest.mark.browser

_TREE = {"README.md": "# Hi\n", "src/app.py": "print('hello')\n", "src/deep/er/x.txt": "x\n"}
_TREE_ITEMS = ["/repo", "src", "README.md"]

_FILL_STORAGE = """async (tree) => {
    const storage = await navigator.storage.getDirectory();
    for (const [path, text] of Object.entries(tree)) {
        const names = path.split("/");
        let directory = storage;
        for (const name of names.slice(0, -1)) {
            directory = await directory.getDirectoryHandle(name, { create: true });
        }
        const file = await directory.getFileHandle(names.at(-1), { create: true });
        const stream = await file.createWritable();
        await stream.write(text);
        await stream.close();
    }
}"""
_EMPTY_STORAGE = """async () => {
    const storage = await navigator.storage.getDirectory();
    for await (const name of storage.keys()) await storage.removeEntry(name, { recursive: true });
}"""


@pytest.fixture
def answers(make_tree: Callable[[Mapping[str, str]], Path]) -> CPythonAnswers:
    return CPythonAnswers(make_tree(_TREE))


def test_a_folder_of_the_browsers_own_storage_is_read_on_demand(
    playground: Playground, answers: CPythonAnswers
) -> None:
    page = playground.page
    page.evaluate(_FILL_STORAGE, {f"project/{path}": text for path, text in _TREE.items()})
    dialog = playground.open_more_sources()
    offered = dialog.get_by_role("list").get_by_role("button")
    expect(offered).to_have_text(["project", "All of this site's storage"])
    offered.first.click()

    playground.expect_mounted(answers, ["project", "read on demand · mounted"], _TREE_ITEMS)
    playground.start_over()
    page.evaluate(_EMPTY_STORAGE)
    empty = playground.open_more_sources()
    expect(empty.get_by_role("list")).to_be_hidden()
    empty.get_by_role("button", name="Close").click()


def test_files_that_were_chosen_one_by_one_are_a_tree(
    playground: Playground, make_tree: Callable[[Mapping[str, str]], Path]
) -> None:
    folder = make_tree({"a.txt": "a\n", "b.zip": "no archive, and none wanted"})
    chosen = [folder / "a.txt", folder / "b.zip"]
    playground.page.locator("#files-input").set_input_files(chosen)
    listing = CPythonAnswers(folder).content("list_dir", {"dir_path": "/repo"})
    playground.wait_for_content(listing)

    assert playground.read_report() == [
        "2 files",
        "2 files · 0 directories · read on demand · mounted",
    ]


@pytest.mark.parametrize("compression", ["", "gz", "bz2", "xz"])
def test_a_tar_that_is_dropped_is_an_archive_whatever_it_is_called(
    playground: Playground, answers: CPythonAnswers, compression: str
) -> None:
    playground.drop_from_script("tree.txt", tar_of(_TREE, compression))

    playground.expect_mounted(
        answers,
        ["tree.txt", "3 files · 3 directories · 22 bytes · mounted"],
        _TREE_ITEMS,
    )


def test_one_plain_file_that_is_dropped_is_a_tree_of_it(
    playground: Playground, make_tree: Callable[[Mapping[str, str]], Path]
) -> None:
    folder = make_tree({"notes.zip": "PK is how a zip begins, and this is a text\n"})
    playground.drop_from_script("notes.zip", (folder / "notes.zip").read_bytes())
    listing = CPythonAnswers(folder).content("list_dir", {"dir_path": "/repo"})
    playground.wait_for_content(listing)

    assert playground.read_report() == [
        "notes.zip",
        "1 file · 0 directories · read on demand · mounted",
    ]


def test_the_report_names_what_was_left_out_and_why(playground: Playground) -> None:
    packed = zip_of({"kept.txt": "kept\n", "../evil.txt": "evil\n"})
    playground.drop_from_script("mixed.zip", packed)
    expect(playground.tree.get_by_role("treeitem")).to_have_text(["/repo", "kept.txt"])

    assert playground.read_report() == [
        "mixed.zip",
        "1 file · 0 directories · 5 bytes · mounted",
        "1 skipped",
        "../evil.txt",
        "skipped: leads out of the tree with '..'",
    ]


def test_only_a_click_that_begins_and_ends_beside_the_dialog_closes_it(
    playground: Playground,
) -> None:
    dialog = playground.open_more_sources()
    box, field = dialog.bounding_box(), dialog.get_by_label("Address").bounding_box()
    assert box is not None
    assert field is not None
    mouse = playground.page.mouse
    beside = (box["x"] / 2, field["y"])
    mouse.click(box["x"] + 4, field["y"])
    expect(dialog).to_be_visible()
    mouse.move(field["x"] + 40, field["y"] + 8)
    mouse.down()
    mouse.move(*beside, steps=3)
    mouse.up()
    expect(dialog).to_be_visible()
    mouse.click(*beside)
    expect(dialog).to_be_hidden()


def test_no_call_is_made_behind_the_dialog(playground: Playground) -> None:
    for name in ("before", "after"):
        playground.call("list_dir", f'{{"dir_path": "/repo/{name}"}}')
        if name == "before":
            dialog = playground.open_more_sources()
            dialog.get_by_label("Address").press("Control+Enter")
            dialog.get_by_role("button", name="Close").click()

    calls = playground.page.get_by_role("list", name="Calls").get_by_role("listitem")
    assert [calls.nth(index).locator(".history-arguments").inner_text() for index in range(2)] == [
        '{"dir_path":"/repo/after"}',
        '{"dir_path":"/repo/before"}',
    ]
