"""What a reader sees of an answer and of a demo that has none, and how the call is taken along."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.element.element_page import SHOP, Demo, SharedDemoPage, demo_of, open_demos
from tests.support.browser_support import Browsers

_SEARCH = {"pattern": "sum|tea"}


def _program_of(source: str) -> str:
    """Return the program that lists a tree; `source` is the tree as JSON."""
    return (
        'import { connect } from "treeglass";\n'
        "\n"
        'const client = await connect({ assets: "/treeglass/" });\n'
        f'await client.mount("/repo", {source});\n'
        'const result = await client.callTool("list_dir", {"dir_path":"/repo"});\n'
        "console.log(result.content);\n"
    )


def _readable(demo: Demo) -> Locator:
    return demo.element.locator("[part~=readable]")


def test_matches_are_shown_by_file_with_their_lines(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of("Grep", _SEARCH))
    demo.run()

    expect(_readable(demo).locator("p")).to_have_text("2 lines in 2 files")
    expect(_readable(demo).locator("li > .name")).to_have_text(["README.md", "src/cart.py"])
    expect(_readable(demo).locator("mark")).to_have_text(["tea", "sum"])


def test_the_models_view_is_a_click_away_and_the_author_can_begin_with_it(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo_page.show(demo_of("LS", {"path": "."}), demo_of("LS", {"path": "."}, view="model"))
    read, exact = demo_page.demo(0), demo_page.demo(1)
    for demo in (read, exact):
        demo.run()
    before = (read.answer.is_visible(), exact.answer.is_visible())
    read.element.get_by_label("As the model reads it").check()

    assert before == (False, True)
    expect(read.answer).to_be_visible()
    expect(_readable(read)).to_be_hidden()
    whole = without_duration(shop.content("LS", {"path": "."}))
    assert [read.content, exact.content] == [whole, whole]


def test_a_recorded_answer_is_read_as_a_live_one(demo_page: SharedDemoPage) -> None:
    entries = [{"path": "a.txt", "type": "file"}, {"path": "src", "type": "dir"}]
    recorded = json.dumps({"ok": True, "data": {"entries": entries}})
    demo = demo_page.show(
        demo_of("LS", {"path": "."}, inside=f"<pre data-recorded>{recorded}</pre>")
    )

    expect(_readable(demo).locator("li")).to_have_text(["a.txt", "src/"])
    expect(demo.recorded).to_be_hidden()


def test_the_sentence_of_an_error_stands_alone(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of("Read", {"path": "nothing.txt"}))
    demo.run()

    assert not (_readable(demo).text_content() or "{").startswith("{")
    assert (demo.element.locator("[part~=figures]").text_content() or "").startswith("error ")


def test_a_demo_without_an_answer_says_what_to_press(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of(inside=""))
    words = demo.element.get_by_text("Press Run to see the answer.")
    expect(words).to_be_visible()
    demo.run()

    expect(words).to_be_hidden()


@pytest.mark.each_browser
def test_a_shorter_answer_leaves_the_page_where_it_is(demo_page: SharedDemoPage) -> None:
    long = "\n".join(str(number) for number in range(12))
    demo = demo_page.show(demo_of(inside=f"<pre data-recorded>{long}</pre>"), "<p>After</p>")
    answer = demo.element.get_by_role("group", name="Answer")
    height = "(box) => box.offsetHeight"
    before = answer.evaluate(height)
    demo.run()

    assert answer.evaluate(height) == before


def test_run_says_what_the_first_run_of_a_page_loads(browsers: Browsers, dist: Path) -> None:
    written = [demo_of(), demo_of()]
    with open_demos(browsers.get("chromium"), dist / "npm", *written) as demos:
        buttons = [demos.demo(number).run_button for number in range(2)]
        before = [button.text_content() for button in buttons]
        demos.demo().run()
        after = [button.text_content() for button in buttons]

    assert (before, after) == (["Run 4.2 MB"] * 2, ["Run"] * 2)


def test_reset_appears_once_there_is_something_to_restore(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of())
    expect(demo.run_button).to_be_visible()
    before = demo.reset_button.count()
    demo.edit('{"dir_path": "/repo/src"}')
    edited = demo.reset_button.count()
    demo.reset_button.click()

    assert (before, edited, demo.reset_button.count()) == (0, 1, 0)


def test_a_form_has_the_written_arguments_and_then_those_of_the_schema(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo = demo_page.show(demo_of(arguments={"dir_path": "/repo", "depth": 1}, form=""))
    form = demo.element.locator("[part~=form]")
    expect(form.locator("label:visible")).to_have_text(
        [re.compile("^dir_path"), re.compile("^depth")]
    )
    form.get_by_label(re.compile("^dir_path")).fill("/repo/src")
    content = demo.run()
    form.get_by_text("More arguments").click()
    form.get_by_label(re.compile("^limit")).fill("1")
    cut = demo.run()

    asked = {"dir_path": "/repo/src", "depth": 1}
    assert content == shop.content("list_dir", asked)
    assert cut == shop.content("list_dir", {**asked, "limit": 1})


@pytest.mark.each_browser
def test_the_menu_copies_a_program_and_leads_to_the_playground(
    demo_page: SharedDemoPage,
) -> None:
    demo_page.show(
        demo_of(playground="/play/"),
        demo_of(src=None, inside=f'<script type="application/json">{json.dumps(SHOP)}</script>'),
    )
    address, inline = demo_page.demo(0), demo_page.demo(1)
    page = demo_page.page
    page.evaluate(NOTE_COPIES)
    hrefs = []
    for demo in (address, inline):
        demo.element.get_by_label("More", exact=True).click()
        copy = demo.element.get_by_role("button", name="Copy as code")
        copy.wait_for()
        link = demo.element.get_by_role("link", name="Open in the playground")
        hrefs.append(link.get_attribute("href") if link.count() else None)
        copy.click()
    copied = page.evaluate("copied")

    query = "url=" + demo_page.origin.replace(":", "%3A").replace("/", "%2F") + "%2Fshop.zip"
    call = "&tool=list_dir&arguments=%7B%22dir_path%22%3A%22%2Frepo%22%7D"
    assert hrefs == [f"{demo_page.origin}/play/#{query}{call}", None]
    entries = json.dumps({"entries": SHOP}, separators=(",", ":"))
    assert copied == [_program_of('{"url":"/shop.zip"}'), _program_of(entries)]
