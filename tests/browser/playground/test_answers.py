"""What a model answers, as a person reads it: Markdown, files to open, and code in colours."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.playground.agent_view import QUESTION, AgentView
from tests.browser.playground.playground_page import PHONE, Playground

_FILE = "src/larder/expiry.py"
_SENTENCE = '"""Tell whether an item is no longer good."""'
_COLOURS = """(parts) =>
    parts.map((part) => [part.textContent, getComputedStyle(part).color])"""


def _ask_two_sets(agent: AgentView, providers: str) -> Locator:
    """Ask the same question twice, and return the dialog with both answers."""
    agent.set_up(providers, "answers-in-markdown")
    agent.question.fill(QUESTION)
    agent.panel.get_by_role("button", name="Ask two tool sets").click()
    dialog = agent.page.get_by_role("dialog", name=QUESTION)
    expect(dialog.get_by_role("button", name=f"{_FILE}:3")).to_have_count(2)
    return dialog


def _corners(answers: Locator) -> list[tuple[float, float]]:
    """Return where each answer begins, from the first one."""
    boxes = answers.evaluate_all(
        """(items) => items.map((item) => {
            const [first, own] = [items[0], item].map((each) => each.getBoundingClientRect());
            return [own.x - first.x, own.y - first.y].map(Math.sign);
        })"""
    )
    return [(x, y) for x, y in boxes]


def test_two_answers_stand_side_by_side_and_one_below_the_other_on_a_phone(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    page = playground.page
    dialog = _ask_two_sets(agent, providers)
    answers = dialog.get_by_role("list", name="Details").locator(":scope > li")
    names = ["codex", "Freshness", "envelope", "Freshness"]
    expect(answers.get_by_role("heading")).to_have_text(names)
    expect(answers.locator("strong")).to_have_text(["One", "One"])
    found = {}
    for width, height in ((1280, 800), (800, 800), (768, 1024), (PHONE["width"], 844)):
        page.set_viewport_size({"width": width, "height": height})
        found[width] = (_corners(answers), check_rules(page))

    beside, below = [(0, 0), (1, 0)], [(0, 0), (0, 1)]
    assert found == {
        1280: (beside, FINE),
        800: (beside, FINE),
        768: (below, FINE),
        390: (below, FINE),
    }


@pytest.mark.each_browser
def test_a_file_that_a_compared_answer_names_opens_and_closes_the_dialog(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    for answer in ("codex", "envelope"):
        dialog = _ask_two_sets(agent, providers)
        named = dialog.get_by_role("listitem").filter(has_text=answer)
        named.get_by_role("button", name=f"{_FILE}:3").click()

        expect(dialog).to_be_hidden()
        playground.expect_open(_FILE)


@pytest.mark.each_browser
def test_code_in_an_answer_has_the_colours_of_an_open_file(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    playground.open_file(*_FILE.split("/"))
    agent.set_up(providers, "answers-in-markdown")
    agent.ask()
    code = agent.answers.get_by_role("group", name="Code, Python")
    expect(code.locator("span").first).to_have_text("def")
    coloured = dict(code.locator("span").evaluate_all(_COLOURS))
    in_file = dict(playground.file_pane.locator(".cm-line span").evaluate_all(_COLOURS))

    assert list(coloured) == [
        *("def", "is_expired", _SENTENCE, "return", "until", "is", "not", "None")
    ]
    assert coloured == {text: in_file.get(text) for text in coloured}
    assert len(set(coloured.values())) > 2
    expect(code).to_have_text(
        f"def is_expired(item: Item, today: date) -> bool:\n    {_SENTENCE}\n"
        "    return item.until is not None"
    )
    plain = agent.answers.get_by_role("group", name="Code, unheard-of")
    expect(plain).to_have_text("def plain")
    expect(plain.locator("span")).to_have_count(0)
    assert playground.policy_violations() == []
