"""The agent's panel: focus, consent, scrolling, and another tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.packed_trees import zip_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.playground.agent_view import AgentView


pytestmark = pytest.mark.browser

_FOCUSED = "document.activeElement.id || document.activeElement.className"
_HIDDEN_END = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    return box(".agent-transcript").bottom - box(".agent-foot").top;
}"""


def test_a_person_is_asked_before_each_call_where_they_want_that(agent: AgentView) -> None:
    agent.panel.get_by_label("Ask me before each call").check()
    agent.button("Start the tour").click()
    waiting = agent.panel.get_by_role("group", name="Calls that wait for you")
    expect(waiting).to_contain_text("/repo")
    expect(agent.status).to_have_text("Allow or deny what waits for you: 1 call.")
    focused = agent.page.evaluate(_FOCUSED)
    agent.page.keyboard.press("Enter")
    agent.page.keyboard.press("Space")
    expect(agent.button("Allow")).to_be_visible()
    agent.button("Deny").click()
    agent.wait_for("The agent has answered.")

    assert focused == "agent-approvals"
    assert agent.called() == ["list_dir"]
    expect(agent.transcript.locator(".agent-call")).to_contain_text("not approved")
    assert agent.said()[-1].startswith("The tool says “The call was not approved: ")


def test_who_types_when_a_call_asks_for_consent_goes_on_typing(
    agent: AgentView, providers: str
) -> None:
    agent.fill("OpenAI or compatible", providers, "ten-in-parallel")
    agent.panel.get_by_label("Ask me before each call").check()
    agent.ask()
    expect(agent.status).to_have_text("Allow or deny what waits for you: 10 calls.")
    agent.page.keyboard.type("And now?")
    waiting = agent.panel.locator(".agent-approval")
    typed = (agent.page.evaluate(_FOCUSED), waiting.count())
    agent.button("Allow").first.focus()
    agent.page.keyboard.press("Enter")
    agent.page.keyboard.press("Enter")
    expect(waiting).to_have_count(9)
    focused = agent.page.evaluate(_FOCUSED)
    agent.button("Stop").click()
    agent.wait_for("Stopped. A new question goes on from here.")

    assert typed == ("agent-question", 10)
    assert focused == "agent-approvals"
    expect(agent.panel.get_by_label("Question")).to_have_value("And now?")


def test_another_tree_begins_another_conversation(agent: AgentView, tmp_path: Path) -> None:
    agent.tour()
    archive = tmp_path / "other.zip"
    archive.write_bytes(zip_of({"README.md": "# Other\n"}))
    agent.playground.choose_archive(archive)
    expect(agent.playground.tree_pane).to_contain_text("other.zip")
    agent.tour()
    entries = agent.copy()

    begun = [entry for entry in entries if entry["type"] == "conversation"]
    assert [entry["link"] for entry in begun] == [None, None]
    assert begun[0]["tree"] != begun[1]["tree"] == "other.zip"
    assert agent.notices() == ["Another tree is mounted now, so a new conversation begins."]


def test_new_calls_stay_in_sight_on_a_phone(agent: AgentView) -> None:
    size = agent.page.viewport_size
    agent.page.set_viewport_size({"width": 390, "height": 780})
    agent.playground.open_view("Agent")
    agent.page.evaluate("scrollTo(0, 0)")
    agent.tour()
    hidden = agent.page.evaluate(_HIDDEN_END)
    agent.page.evaluate("scrollTo(0, 0)")
    agent.button("Start the tour").evaluate("button => button.click()")
    agent.wait_for("The agent has answered.")
    scrolled = agent.page.evaluate("scrollY")
    if size is not None:
        agent.page.set_viewport_size(size)

    assert hidden <= 1
    assert scrolled == 0
