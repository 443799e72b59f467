"""A visitor opens the playground and calls the four tools on the sample tree."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.browser.cpython_answers import CPythonAnswers
    from tests.browser.playground.playground_page import Playground

pytestmark = pytest.mark.browser

_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)


def test_a_stranger_sees_the_sample_tree_and_a_real_answer(
    playground: Playground, sample: CPythonAnswers
) -> None:
    listed = sample.call("LS", {"path": ".", "include_hidden": True}).structured_content
    assert listed is not None
    names = [entry["path"] for entry in listed["data"]["entries"]]

    assert playground.first_content == sample.content("list_dir", {"dir_path": "/repo"})
    assert playground.first_tree_items == ["/repo", *names]


@pytest.mark.parametrize(
    ("tool", "fields", "arguments"),
    [
        pytest.param(
            "list_dir",
            {"dir_path": "/repo/src", "depth": "3", "limit": "7", "offset": "2"},
            {"dir_path": "/repo/src", "depth": 3, "limit": 7, "offset": 2},
            id="list_dir",
        ),
        pytest.param(
            "read_file",
            {"file_path": "/repo/pyproject.toml", "offset": "5", "limit": "30"},
            {"file_path": "/repo/pyproject.toml", "offset": 5, "limit": 30},
            id="read_file",
        ),
        pytest.param(
            "LS",
            {"path": "docs", "include_hidden": "true", "ignore": "*.css\n*.svg"},
            {"path": "docs", "include_hidden": True, "ignore": ["*.css", "*.svg"]},
            id="LS",
        ),
        pytest.param(
            "list_directory",
            {"path": "web", "recursive": "true", "max_depth": "2", "include_files": "false"},
            {"path": "web", "recursive": True, "max_depth": 2, "include_files": False},
            id="list_directory",
        ),
    ],
)
def test_a_form_filled_by_its_labels_answers_as_cpython_does(
    playground: Playground,
    sample: CPythonAnswers,
    tool: str,
    fields: Mapping[str, str],
    arguments: Mapping[str, Any],
) -> None:
    playground.choose_tool(tool)
    playground.fill(fields)

    assert playground.run() == sample.content(tool, arguments)


@pytest.mark.parametrize("tool", ["Grep", "Search"])
def test_a_match_of_a_search_opens_its_file_at_the_line(
    playground: Playground, sample: CPythonAnswers, tool: str
) -> None:
    playground.choose_tool(tool)
    playground.fill({"pattern": "requires-python", "path": "."})
    with playground.answered():
        playground.run_button.click()
    matches = playground.page.get_by_role("list", name="Matches")
    match = matches.get_by_role("button", name=re.compile(r"^pyproject\.toml:\d+ requires-"))
    expect(match.locator("mark")).to_have_text("requires-python")
    place = match.locator(".match-place").text_content() or ""
    line = int(place.removeprefix("pyproject.toml:"))
    with playground.answered():
        match.click()

    expected = (
        sample.content("Read", {"path": "pyproject.toml", "start_line": line})
        if tool == "Grep"
        else sample.content("read_file", {"file_path": "/repo/pyproject.toml", "offset": line})
    )
    assert playground.read_content() == expected


_BAD_TEXTS = (
    '["/repo"]',
    '{"dir_path": ',
    '{"dir_path": 5, "file_path": 5, "path": 5}',
    '{"dir_path": "/repo/no", "file_path": "/repo/no", "path": "no"}',
)


@pytest.mark.parametrize(
    ("tool", "good"),
    [
        pytest.param("list_dir", {"dir_path": "/repo/src"}, id="list_dir"),
        pytest.param("read_file", {"file_path": "/repo/LICENSE"}, id="read_file"),
        pytest.param("LS", {"path": "src"}, id="LS"),
        pytest.param("list_directory", {"path": "src"}, id="list_directory"),
    ],
)
def test_bad_arguments_show_the_familys_own_error_and_the_next_call_works(
    playground: Playground, sample: CPythonAnswers, tool: str, good: Mapping[str, str]
) -> None:
    for text in _BAD_TEXTS:
        error = sample.call(tool, text).error
        assert error is not None
        assert playground.call(tool, text) == sample.content(tool, text)
        expect(playground.result_pane.get_by_text(error.kind, exact=True)).to_be_visible()

    assert playground.call(tool, json.dumps(good)) == sample.content(tool, good)
    expect(playground.result_pane.get_by_text("ok", exact=True)).to_be_visible()


def test_next_page_walks_a_listing_to_its_end(
    playground: Playground, sample: CPythonAnswers
) -> None:
    arguments = {"dir_path": "/repo/src/treeglass", "depth": 3, "limit": 20}
    expected = sample.pages("list_dir", arguments)

    contents = [playground.call("list_dir", json.dumps(arguments))]
    for _ in expected[1:]:
        with playground.answered():
            playground.next_page_button.click()
        contents.append(playground.read_content())

    assert contents == expected
    expect(playground.next_page_button).to_be_disabled()


def test_max_output_bytes_bounds_the_answer(playground: Playground) -> None:
    playground.choose_tool("list_directory")
    playground.fill({"path": ".", "recursive": "true"})
    budget = playground.tool_pane.get_by_label("Max output bytes")
    budget.fill("400")
    content = playground.run()
    budget.fill("")

    assert json.loads(content)["truncated_reason"] == "max_output_bytes"
    assert len(content.encode()) <= 400


def test_copy_puts_exactly_the_content_on_the_clipboard(
    playground: Playground, sample: CPythonAnswers
) -> None:
    arguments = {"file_path": "/repo/README.md"}
    playground.call("read_file", json.dumps(arguments))
    playground.page.get_by_role("button", name="Copy", exact=True).click()
    expect(playground.page.get_by_role("button", name="Copied")).to_be_visible()
    playground.json_box.focus()
    playground.page.keyboard.press("ControlOrMeta+A")
    playground.page.keyboard.press("ControlOrMeta+V")

    assert playground.json_box.input_value() == sample.content("read_file", arguments)


def test_an_earlier_call_is_shown_again_when_chosen(
    playground: Playground, sample: CPythonAnswers
) -> None:
    playground.call("LS", '{"path": "docs"}')
    playground.call("LS", '{"path": "web"}')
    calls = playground.page.get_by_role("list", name="Calls")
    calls.get_by_role("button").nth(1).click()

    assert playground.read_content() == sample.content("LS", {"path": "docs"})
    assert json.loads(playground.json_box.input_value()) == {"path": "docs"}


def test_the_page_lives_under_its_own_policy_and_asks_no_other_origin(
    playground: Playground,
) -> None:
    # Other stories request what a visitor names.
    playground.requested_origins.clear()
    playground.page.reload()
    playground.wait_for_first_answer()
    policy = playground.page.locator('meta[http-equiv="Content-Security-Policy"]')

    assert policy.get_attribute("content") == _POLICY
    assert playground.policy_violations() == []
    assert playground.requested_origins == {playground.origin}


def test_reloading_with_the_address_shows_the_same_call_again(
    playground: Playground, sample: CPythonAnswers
) -> None:
    fields = {"file_path": "/repo/build.py", "offset": "3", "limit": "4"}
    arguments = {"file_path": "/repo/build.py", "offset": 3, "limit": 4}
    playground.choose_tool("read_file")
    playground.fill(fields)
    before = playground.run()
    # The address waits for a pause in the typing.
    playground.page.wait_for_url(lambda url: url.endswith("%22limit%22%3A4%7D"))
    playground.page.reload()
    playground.wait_for_first_answer()

    assert before == sample.content("read_file", arguments)
    assert playground.read_content() == before
    assert {name: playground.field(name).input_value() for name in fields} == fields


def test_the_source_link_downloads_the_sample(chromium_playground: Playground, dist: Path) -> None:
    # Firefox shows a panel of its own after a download, which takes Enter from the page.
    page = chromium_playground.page
    with page.expect_download() as download:
        page.get_by_role("link", name="Source, as a zip").click()

    assert download.value.suggested_filename == "treeglass.zip"
    assert download.value.path().read_bytes() == (dist / "site" / "sample.zip").read_bytes()


_PAGE_SIZE = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"


def test_marks_of_tabs_scroll_with_the_answer_and_leave_the_page_as_high_as_it_was(
    playground: Playground,
) -> None:
    playground.choose_tool("read_file")
    playground.fill({"file_path": "/repo/tests/edge/edge_stories.mjs"})
    playground.run()

    marks = playground.page.locator(".invisible.tabs")
    show = playground.page.get_by_label("Show invisibles")
    show.uncheck()
    assert marks.count() == 0
    size_before = playground.page.evaluate(_PAGE_SIZE)
    show.check()
    assert marks.count() > 20
    assert marks.first.evaluate("(mark) => mark.offsetParent.tagName") == "PRE"
    assert playground.page.evaluate(_PAGE_SIZE) == size_before


_HOLD_CALLS = """() => {
    const { prototype } = Worker;
    const post = prototype.postMessage;
    prototype.postMessage = function (message, ...rest) {
        if (message?.method !== "callTool") return post.call(this, message, ...rest);
        globalThis.letGo = () => {
            prototype.postMessage = post;
            post.call(this, message, ...rest);
        };
    };
}"""


def _figures(playground: Playground) -> list[str]:
    return playground.result_pane.locator(".readouts dd").all_text_contents()


def test_a_call_that_takes_time_looks_as_if_it_runs(playground: Playground) -> None:
    figures = _figures(playground)
    badge = playground.result_pane.locator(".badge")
    stop = playground.page.get_by_role("button", name="Stop", exact=True)
    playground.choose_tool("LS")
    playground.page.evaluate(_HOLD_CALLS)
    playground.run_button.click()

    expect(badge).to_have_text(re.compile(r"^running \d+ s$"))
    expect(stop).to_be_focused()
    expect(playground.run_button).to_be_hidden()
    assert _figures(playground) == ["—"] * 5
    with playground.answered():
        playground.page.evaluate("letGo()")
    expect(badge).to_have_text("ok")
    expect(stop).to_be_hidden()
    expect(playground.run_button).to_be_focused()
    assert "—" not in _figures(playground) != figures


def test_a_stopped_call_leaves_the_earlier_answer(playground: Playground) -> None:
    playground.choose_tool("list_dir")
    playground.fill({"dir_path": "/repo/src"})
    content, figures = playground.run(), _figures(playground)
    playground.page.evaluate(_HOLD_CALLS)
    playground.run_button.click()
    playground.page.get_by_role("button", name="Stop", exact=True).click()

    expect(playground.run_button).to_be_visible()
    assert (playground.read_content(), _figures(playground)) == (content, figures)
    playground.page.evaluate("letGo()")
