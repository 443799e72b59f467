"""Calls on the timeline: the form, the answer's views, the comparison, and what is taken along."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import HOLD_REQUESTS, Playground

_CALLS: dict[str, dict[str, Any]] = {
    "list_dir": {"dir_path": "/repo/src", "depth": 3},
    "read_file": {"file_path": "/repo/pyproject.toml"},
    "grep_files": {"pattern": "TODO"},
    "LS": {"path": "docs", "include_hidden": True},
    "Read": {"path": "none"},
    "Grep": {"pattern": "def \\w+"},
    "list_directory": {"path": "web", "recursive": True},
    "Search": {"pattern": "import", "path": "src"},
}


@pytest.mark.each_browser
def test_each_tool_answers_as_cpython_does(playground: Playground, sample: CPythonAnswers) -> None:
    found = {tool: playground.call(tool, json.dumps(call)) for tool, call in _CALLS.items()}

    assert found == {tool: sample.content(tool, call) for tool, call in _CALLS.items()}


def _field(playground: Playground, name: str) -> Locator:
    return playground.page.get_by_label(re.compile(rf"^{name}\b")).first


@pytest.mark.each_browser
def test_a_tool_is_chosen_and_run_by_the_keyboard_alone(playground: Playground) -> None:
    keyboard = playground.page.keyboard
    playground.tool_box.focus()
    keyboard.type("grep_f")
    keyboard.press("Enter")
    expect(playground.tool_box).to_have_value("grep_files")
    expect(_field(playground, "pattern")).to_be_focused()
    # What the example has there is selected, so typing replaces it.
    keyboard.type("UnknownUnit")
    keyboard.press("Control+Enter")

    expect(playground.calls).to_have_count(1)
    rows = playground.calls.last.locator(".found-file")
    expect(rows).to_have_count(2)
    rows.filter(has_text="test_units.py").click()
    heading = playground.file_pane.get_by_role("heading")
    expect(heading).to_have_text("tests/test_units.py")


def test_an_answer_gets_the_room_of_the_arguments(playground: Playground) -> None:
    page = playground.page
    page.set_viewport_size({"width": 1440, "height": 900})
    playground.choose_tool("Grep")
    pattern = _field(playground, "pattern")
    # The outline of the field stays inside the box that scrolls.
    beside = "(field) => field.offsetLeft - field.closest('.fields').offsetLeft"
    assert pattern.evaluate(beside) >= 3
    pattern.press("Control+Enter")

    expect(playground.calls.last.locator(".call[data-kind=answered]")).to_be_visible()
    expect(pattern).to_be_hidden()
    answer = playground.calls.last.get_by_role("tabpanel", name="Answer", exact=True)
    expect(answer).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Arguments", exact=True).click()
    expect(pattern).to_have_value("TODO")


@pytest.mark.each_browser
def test_enter_in_the_tool_field_runs_no_example(playground: Playground) -> None:
    playground.choose_tool("Grep")

    playground.tool_box.press("Enter")

    expect(_field(playground, "pattern")).to_be_focused()
    expect(playground.calls).to_have_count(0)


_NEW_FILE = "*** Begin Patch\n*** Add File: NOTES.md\n+# Notes\n+two lines\n*** End Patch"


def test_a_tool_that_changes_is_listed_at_a_first_visit_and_takes_lines(
    playground: Playground,
) -> None:
    playground.choose_tool("apply_patch")
    patch = _field(playground, "input")
    patch.fill("")
    # It presses Enter for each line break.
    playground.page.keyboard.type(_NEW_FILE)
    expect(patch).to_have_value(_NEW_FILE)
    expect(playground.calls).to_have_count(0)

    patch.press("Control+Enter")

    expect(playground.calls).to_have_count(1)
    expect(playground.tree_item("NOTES.md")).to_contain_text("new")


def test_a_tool_that_changes_begins_with_a_change_of_the_open_file(playground: Playground) -> None:
    playground.open_file("src", "larder", "expiry.py")
    playground.choose_tool("apply_patch")
    expect(_field(playground, "input")).to_have_value(re.compile("Update File: src/larder/expiry"))

    playground.run_button.click()

    expect(playground.tree_item("expiry.py")).to_contain_text("changed")


def test_no_tool_runs_while_the_field_has_another_name(playground: Playground) -> None:
    playground.choose_tool("LS")
    playground.tool_box.fill("no_such_tool")
    playground.tool_box.press("Control+Enter")
    playground.tool_box.blur()
    expect(playground.tool_box).to_have_value("no_such_tool")
    expect(playground.run_button).to_be_disabled()
    background = "(button) => getComputedStyle(button).backgroundColor"
    unavailable = playground.run_button.evaluate(background)

    playground.tool_box.press("Escape")

    expect(playground.tool_box).to_have_value("LS")
    expect(playground.run_button).not_to_have_css("background-color", unavailable)
    playground.run_button.click()
    expect(playground.calls).to_have_count(1)


def test_a_name_of_two_families_is_chosen_from_the_list(playground: Playground) -> None:
    playground.tool_box.fill("Edit")
    families = playground.page.get_by_role("listbox", name="Tools").get_by_role("group")
    expect(families.locator("code")).to_have_text(["Edit", "MultiEdit", "Edit"])

    families.last.get_by_role("option").click()
    expect(_field(playground, "patch")).to_be_focused()
    playground.tool_box.fill("Edit")
    playground.tool_box.press("Enter")
    expect(_field(playground, "old_string")).to_be_visible()


def test_matches_stand_below_their_file_and_open_it_at_the_line(playground: Playground) -> None:
    playground.call("Grep", '{"pattern": "TODO"}')
    playground.calls.last.get_by_role("tab", name="Answer", exact=True).click()

    answer = playground.calls.last.get_by_role("group", name="Answer of Grep")
    expect(answer).to_contain_text("4 lines in 4 files")
    answer.locator(".found-line").filter(has_text="last day").click()
    heading = playground.file_pane.get_by_role("heading")
    expect(heading).to_have_text("src/larder/expiry.py")
    playground.code_lines()
    expect(playground.file_pane.locator(".tg-marked")).to_contain_text("TODO: an item is still")


def test_n_and_p_lead_through_the_matches_of_an_answer(playground: Playground) -> None:
    playground.call("Grep", '{"pattern": "TODO"}')
    playground.calls.last.get_by_role("tab", name="Answer", exact=True).click()
    answer = playground.calls.last.get_by_role("group", name="Answer of Grep")
    expect(answer).to_contain_text("4 lines in 4 files · n / p: next, previous match")
    lines = answer.locator(".found-line")
    answer.focus()
    for key, line in (("p", None), ("n", 0), ("n", 1), ("n", 2), ("n", 3), ("n", 3), ("p", 2)):
        playground.page.keyboard.press(key)
        expect(answer if line is None else lines.nth(line)).to_be_focused()
    answer.locator(".found-file").nth(1).focus()
    playground.page.keyboard.press("Control+n")
    playground.page.keyboard.press("n")
    expect(lines.nth(1)).to_be_focused()
    playground.page.keyboard.press("Enter")
    expect(playground.file_pane.get_by_role("heading", level=2)).to_be_visible()
    playground.call("grep_files", '{"pattern": "TODO"}')
    playground.calls.last.get_by_role("tab", name="Answer", exact=True).click()
    files = playground.calls.last.get_by_role("group", name="Answer of grep_files")
    files.focus()
    playground.page.keyboard.press("n")

    expect(files.locator(".found-file").first).to_be_focused()


def test_n_and_p_do_nothing_in_a_listing(playground: Playground) -> None:
    playground.call("LS", '{"path": "."}')
    playground.calls.last.get_by_role("tab", name="Answer", exact=True).click()
    answer = playground.calls.last.get_by_role("group", name="Answer of LS")
    expect(answer).not_to_contain_text("n / p")
    answer.focus()
    playground.page.keyboard.press("n")

    expect(answer).to_be_focused()


def test_an_answer_that_goes_on_has_its_next_page(playground: Playground) -> None:
    first = playground.call("list_dir", '{"dir_path": "/repo", "limit": 4}')
    expect(playground.calls.last).to_contain_text("part of it: more follows")

    playground.calls.last.get_by_role("button", name="Next page").click()

    expect(playground.calls).to_have_count(2)
    second = playground.read_content()
    assert first != second
    assert second.startswith("Absolute path: /repo\n")


def test_a_double_click_runs_a_call_and_does_not_stop_it(playground: Playground) -> None:
    playground.choose_tool("list_dir")
    playground.run_button.dblclick()

    playground.calls.last.get_by_role("tab", name="Answer", exact=True).wait_for()
    expect(playground.calls).to_have_count(1)
    expect(playground.calls.last).not_to_contain_text("stopped")


@pytest.mark.each_browser
def test_an_error_is_told_as_the_model_reads_it(playground: Playground) -> None:
    content = playground.call("read_file", '{"file_path": "/repo/none"}')

    assert content == "failed to read file: No such file or directory (os error 2)"
    expect(playground.calls.last.locator(".failed")).to_have_text("error")
    expect(playground.calls.last).to_contain_text(
        "The model reads this error. The tool's design calls it RespondToModel."
    )
    text = playground.calls.last.locator("pre")
    assert text.evaluate("(text) => text.scrollWidth <= text.parentElement.clientWidth")


def test_what_is_no_json_goes_to_the_tool_as_it_stands(playground: Playground) -> None:
    playground.call("list_dir", '{"dir_path": ')

    expect(playground.page.get_by_text("This is not a JSON object.")).to_be_visible()
    expect(playground.calls.last).to_have_attribute("data-by", "you")
    expect(playground.calls.last.locator(".call")).to_have_attribute("data-kind", "failed")


def test_a_call_is_edited_and_run_again_and_the_timeline_is_cleared(playground: Playground) -> None:
    playground.call("list_dir", '{"dir_path": "/repo/data"}')
    playground.calls.last.get_by_role("button", name="Run again").click()
    expect(playground.calls).to_have_count(2)
    playground.page.get_by_role("checkbox", name="As JSON").uncheck()

    playground.calls.last.get_by_role("button", name="Edit").click()
    expect(playground.tool_box).to_be_focused()
    field = _field(playground, "dir_path")
    field.fill("/repo/config")
    # The form takes the focus once, not again after each load of the tools.
    expect(field).to_be_focused()
    playground.run_button.click()

    expect(playground.calls).to_have_count(3)
    assert "larder.toml" in playground.read_content()
    playground.page.get_by_role("button", name="Clear", exact=True).click()
    expect(playground.calls).to_have_count(0)


@pytest.mark.each_browser
def test_a_search_that_runs_is_stopped(playground: Playground, tmp_path: Path) -> None:
    archive = tmp_path / "slow.zip"
    archive.write_bytes(zip_of({f"f{n}.txt": "ab" * 40_000 for n in range(800)}))
    playground.choose_archive(archive)
    playground.choose_tool("Grep")
    playground.page.get_by_role("checkbox", name="As JSON").check()
    slow = json.dumps({"pattern": "(?=(a|b)*c)(a|b)+(?!x)d"})
    playground.page.get_by_role("textbox", name="Arguments as JSON").fill(slow)
    playground.run_button.click()

    playground.calls.last.get_by_role("button", name="Stop").click()

    expect(playground.calls.last.locator(".call")).to_have_attribute("data-kind", "stopped")
    expect(playground.calls.last).to_contain_text("The call was stopped, so there is no answer.")
    expect(playground.spoken).to_have_text("Grep was stopped")
    playground.mount_archive("plain.zip", zip_of({"a.txt": "a\n"}))
    expect(playground.spoken).to_have_text("")


def test_the_status_names_the_tool_that_runs(playground: Playground) -> None:
    status = playground.page.locator(".status")
    expect(status).to_have_text("Ready")
    playground.page.evaluate(HOLD_REQUESTS, "callTool")
    playground.choose_tool("LS")
    playground.run_button.click()
    expect(status).to_have_text("Running LS")
    playground.page.evaluate("letGo()")

    expect(status).to_have_text("Ready")


def test_a_choice_holds_though_an_earlier_one_still_waits_for_its_tools(
    playground: Playground,
) -> None:
    # An offer of tools.
    playground.page.evaluate(HOLD_REQUESTS, "configure")
    playground.choose_tool("apply_patch")
    playground.choose_tool("LS")
    playground.page.evaluate("letGo()")
    for count in (1, 2):
        # It waits for the offer, which loads code.
        playground.run_button.click()
        expect(playground.calls).to_have_count(count)
        done = playground.calls.locator(".call[data-kind=answered]")
        expect(done).to_have_count(count)

    expect(playground.tool_box).to_have_value("LS")
    expect(playground.calls.locator(".call-line > strong")).to_have_text(["LS", "LS"])


def test_suspicious_characters_are_shown_on_demand(playground: Playground, tmp_path: Path) -> None:
    archive = tmp_path / "odd.zip"
    archive.write_bytes(zip_of({"a.txt": "one\u202etwo\u200b\n"}))
    playground.choose_archive(archive)
    playground.call("read_file", '{"file_path": "/repo/a.txt"}')

    shown = playground.calls.last.get_by_role("button", name=re.compile("2 suspicious characters"))
    shown.click()

    box = playground.calls.last.get_by_role("group", name="Text of read_file")
    expect(box).to_contain_text("L1: oneU+202EtwoU+200B")


def test_a_program_for_the_sample_has_the_commands_that_fetch_it(playground: Playground) -> None:
    playground.call("list_dir", '{"dir_path": "/repo", "depth": 1}')
    playground.page.get_by_role("button", name="Use in…").click()
    dialog = playground.page.get_by_role("dialog", name="Use this in your program")
    dialog.get_by_role("tab", name="Python").click()
    panel = dialog.get_by_role("tabpanel", name="Python")

    assert panel.locator("p").first.text_content() == (
        "Save the code under this name in a new folder."
    )
    assert panel.locator("pre").all_text_contents() == [
        (
            "python -m pip install treeglass\n"
            f'curl -L -o tree.zip "{playground.origin}/sample-project.zip"\n'
            "python -m zipfile -e tree.zip tree\n"
            "python ask.py\n"
        ),
        (
            "from treeglass import Config, ToolRegistry, Workspace\n"
            "\n"
            "config = Config()\n"
            'registry = ToolRegistry(Workspace({"/repo": "tree"}), config)\n'
            'result = registry.call_tool("list_dir", {"dir_path": "/repo", "depth": 1})\n'
            "print(result.content)\n"
        ),
    ]


def test_programs_and_calls_are_copied(playground: Playground) -> None:
    playground.call("list_dir", '{"dir_path": "/repo/data"}')
    playground.page.evaluate(NOTE_COPIES)
    playground.page.get_by_role("button", name="Use in…").click()
    dialog = playground.page.get_by_role("dialog", name="Use this in your program")
    expect(dialog.get_by_role("tab")).to_have_count(7)
    shown = []
    for tab in dialog.get_by_role("tab").all():
        tab.click()
        # At once: the word of the tab before would go by itself.
        assert dialog.get_by_role("button", name="Copied").count() == 0
        shown.append(dialog.locator("pre").last.text_content())
        dialog.get_by_role("button", name="Copy", exact=True).click()
        expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert playground.page.evaluate("copied") == shown
    assert len(shown) == 7
    dialog.get_by_role("button", name="Close", exact=True).click()

    playground.page.get_by_text("Share", exact=True).click()
    playground.page.get_by_role("button", name="Copy calls as Markdown").click()

    expect(playground.page.get_by_role("button", name="Copied")).to_be_visible()
    text = playground.page.evaluate("copied.at(-1)")
    assert text.startswith("# Calls on Sample project\n\n**list_dir** ")
