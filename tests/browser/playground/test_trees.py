"""A visitor mounts an archive or a folder of their own."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import CPythonAnswers, extract_zip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.browser.playground.playground_page import Playground

pytestmark = pytest.mark.browser

_TREE = {"app/main.py": "print('hello')\n", "app/empty/.keep": "", "notes.md": "# Notes\n"}
_TREE_ITEMS = ["/repo", "app", "notes.md"]

_NO_ARCHIVE = (
    "The file is not an archive that can be read; choose a zip archive or a tar archive, "
    "plain or compressed by gzip, bzip2 or xz."
)
_CUT_SHORT = (
    "The zip archive has no table of contents at its end; it may have been cut short; "
    "make it again and retry."
)

_HOSTILE_NAMES = (
    "<img src=x onerror=globalThis.ran=1>",
    "<script>globalThis.ran=1<",
    '"><svg onload=globalThis.ran=1>',
    "line\nbreak",
    "\u202egnp.exe",
    "__proto__",
    "constructor",
    "toString",
    "${globalThis.ran=1}",
)
# As the page draws them, in the order of LS.
_HOSTILE_ITEMS = [
    "/repo",
    '"><svg onload=globalThis.ran=1>',
    "${globalThis.ran=1}",
    "<img src=x onerror=globalThis.ran=1>",
    "<script>globalThis.ran=1<",
    "__proto__",
    "constructor",
    "lineLFbreak",
    "toString",
    "U+202Egnp.exe",
]


def _write_zip(path: Path, tree: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tree.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 2, 29, 12, 30, 58)), text)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return _write_zip(tmp_path / "mine.zip", _TREE)


@pytest.fixture
def answers(archive: Path, tmp_path: Path) -> CPythonAnswers:
    return CPythonAnswers(extract_zip(archive, tmp_path / "extracted"))


def _expect_mounted(playground: Playground, answers: CPythonAnswers, name: str) -> None:
    """Hold all that the page shows of a tree it has just mounted to CPython's word."""
    playground.wait_for_content(answers.content("list_dir", {"dir_path": "/repo"}))
    expect(playground.tree_pane.get_by_text(name, exact=True)).to_be_visible()
    assert playground.tree_items() == _TREE_ITEMS
    read = {"file_path": "/repo/app/main.py"}
    assert playground.call("read_file", json.dumps(read)) == answers.content("read_file", read)


def test_a_zip_from_the_disk_takes_the_place_of_the_sample(
    playground: Playground, archive: Path, answers: CPythonAnswers
) -> None:
    playground.choose_archive(archive)

    _expect_mounted(playground, answers, "mine.zip")
    every = {"path": ".", "recursive": True, "include_hidden": True}
    content = playground.call("list_directory", json.dumps(every))
    assert content == answers.content("list_directory", every)


def test_the_archive_button_asks_for_a_file(
    chromium_playground: Playground, archive: Path, answers: CPythonAnswers
) -> None:
    chromium_playground.answer_dialog_of("Archive…", archive)

    _expect_mounted(chromium_playground, answers, "mine.zip")


def test_a_folder_from_the_disk_takes_the_place_of_the_sample(
    chromium_playground: Playground, make_tree: Callable[[Mapping[str, str]], Path]
) -> None:
    # WebDriver BiDi, by which Firefox is driven, has no way to choose a folder.
    folder = make_tree(_TREE)
    chromium_playground.page.get_by_role("button", name="More sources…").click()
    chromium_playground.answer_dialog_of("Folder snapshot…", folder)

    _expect_mounted(chromium_playground, CPythonAnswers(folder), "tree")


def test_a_zip_that_a_script_drops_is_mounted(
    playground: Playground, archive: Path, answers: CPythonAnswers
) -> None:
    playground.drop_from_script("mine.zip", archive.read_bytes())

    _expect_mounted(playground, answers, "mine.zip")


@pytest.mark.parametrize("kind", ["zip", "folder"])
def test_what_is_dragged_from_the_disk_is_mounted(
    chromium_playground: Playground,
    make_tree: Callable[[Mapping[str, str]], Path],
    archive: Path,
    answers: CPythonAnswers,
    kind: str,
) -> None:
    dropped = archive if kind == "zip" else make_tree(_TREE)
    protocol = chromium_playground.page.context.new_cdp_session(chromium_playground.page)
    dragged = {"items": [], "files": [str(dropped)], "dragOperationsMask": 1}
    for event in ("dragEnter", "dragOver", "drop"):
        protocol.send(
            "Input.dispatchDragEvent", {"type": event, "x": 300, "y": 300, "data": dragged}
        )

    _expect_mounted(chromium_playground, answers, dropped.name)


def test_a_file_that_is_no_archive_is_refused_and_the_former_tree_stays(
    playground: Playground, archive: Path, answers: CPythonAnswers, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("no archive", "utf-8")
    playground.choose_archive(archive)
    playground.wait_for_content(answers.content("list_dir", {"dir_path": "/repo"}))
    playground.choose_archive(notes)

    expect(playground.alert).to_have_text("notes.txt was not mounted: " + _NO_ARCHIVE)
    _expect_mounted(playground, answers, "mine.zip")


def test_a_later_choice_takes_the_refusal_away(
    playground: Playground, archive: Path, answers: CPythonAnswers, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.zip"
    cut.write_bytes(archive.read_bytes()[:-30])
    playground.choose_archive(cut)
    expect(playground.alert).to_have_text("cut.zip was not mounted: " + _CUT_SHORT)
    playground.choose_archive(archive)

    _expect_mounted(playground, answers, "mine.zip")
    expect(playground.alert).to_be_empty()


def test_hostile_names_are_shown_as_text_and_nothing_runs(
    playground: Playground, tmp_path: Path
) -> None:
    hostile = _write_zip(tmp_path / "hostile.zip", dict.fromkeys(_HOSTILE_NAMES, "x\n"))
    answers = CPythonAnswers(extract_zip(hostile, tmp_path / "hostile"))
    images = playground.page.locator("img").count()
    playground.choose_archive(hostile)

    listing = answers.content("list_dir", {"dir_path": "/repo"})
    playground.wait_for_content(listing)
    assert len(listing.splitlines()) == 1 + len(_HOSTILE_NAMES)
    assert playground.tree_items() == _HOSTILE_ITEMS
    assert playground.page.locator("img").count() == images == 0
    assert playground.page.evaluate("globalThis.ran") is None
    assert playground.policy_violations() == []


def test_a_hostile_name_that_is_picked_in_the_tree_is_read_by_its_spelling(
    playground: Playground, tmp_path: Path
) -> None:
    hostile = _write_zip(tmp_path / "hostile.zip", dict.fromkeys(_HOSTILE_NAMES, "x\n"))
    answers = CPythonAnswers(extract_zip(hostile, tmp_path / "hostile"))
    playground.choose_archive(hostile)
    playground.wait_for_content(answers.content("list_dir", {"dir_path": "/repo"}))
    playground.tree.get_by_role("treeitem", name="lineLFbreak").click()
    with playground.answered():
        playground.page.get_by_role("button", name="Read", exact=True).click()

    assert playground.read_content() == "L1: x"
    assert playground.field("file_path").input_value() == "/repo/line\\u{A}break"
