"""The playground's agent changes files: a person reviews that, and the model hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.packed_trees import zip_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.playground.agent_view import AgentView

pytestmark = pytest.mark.browser

_TREE = {"README.md": "# Sample\n\nA tree for agents.\n", "src/main.py": "pass\n"}
_CHANGED = ["Changed/repo/README.md", "Created/repo/docs/plan.md"]
_NOTE = "/repo/README.md: the person rejected the change: keep the title"


def test_a_turn_ends_with_the_review_of_its_changes_and_the_next_one_hears_of_it(
    agent: AgentView, providers: str, tmp_path: Path
) -> None:
    page = agent.page
    archive = tmp_path / "small.zip"
    archive.write_bytes(zip_of(_TREE))
    agent.playground.choose_archive(archive)
    tree = agent.playground.tree_pane
    expect(tree).to_contain_text("small.zip")
    agent.fill("OpenAI or compatible", providers, "editor")
    source = tree.get_by_role("treeitem", name="src")
    source.click()
    expect(tree.get_by_role("treeitem", name="main.py")).to_be_visible()
    agent.ask("Write a plan.")
    agent.wait_for("The agent has answered.")

    # The console has no tool that changes.
    expect(agent.transcript.get_by_role("button", name="Open in console")).to_have_count(0)
    review = agent.transcript.locator("treeglass-review")
    changed = review.locator(".toggle")
    expect(changed).to_have_text(_CHANGED)
    expect(agent.transcript.locator("> li").last).to_have_class("agent-review")
    expect(tree.get_by_role("treeitem", name="docs")).to_be_visible()
    expect(source).to_have_attribute("aria-selected", "true")
    expect(tree.get_by_role("treeitem", name="main.py")).to_be_visible()

    review.get_by_role("button", name="Leave /repo/README.md", exact=True).click()
    page.keyboard.type("keep the title")
    page.keyboard.press("Enter")
    expect(changed).to_have_text(_CHANGED[1:])
    agent.ask("Go on.")
    agent.wait_for("The agent has answered.")

    assert agent.said()[-1] == _NOTE
    assert agent.notices() == [f"Note of the host:\n{_NOTE}"]
    expect(agent.transcript.locator("> li").last).to_have_class("agent-review")
    expect(review).to_have_count(1)
    groups = page.evaluate(
        """async () => {
            const { client } = document.querySelector("treeglass-review");
            return (await client.changes()).steps.map(({ by, group }) => [by, group?.slice(0, 5)]);
        }"""
    )
    assert groups == [["tool", "turn "], ["person", None]]
    assert agent.playground.policy_violations() == []


def test_another_tree_has_no_changes(agent: AgentView, providers: str, tmp_path: Path) -> None:
    archive = tmp_path / "small.zip"
    archive.write_bytes(zip_of(_TREE))
    agent.playground.choose_archive(archive)
    tree = agent.playground.tree_pane
    expect(tree).to_contain_text("small.zip")
    agent.fill("OpenAI or compatible", providers, "editor")
    agent.ask("Write a plan.")
    agent.wait_for("The agent has answered.")
    expect(tree.get_by_role("treeitem", name="docs")).to_be_visible()
    other = tmp_path / "other.zip"
    other.write_bytes(zip_of({"notes.md": "# Notes\n"}))
    agent.playground.choose_archive(other)

    expect(tree).to_contain_text("other.zip")
    expect(tree.get_by_role("treeitem")).to_have_text(["/repo", "notes.md"])
    expect(agent.transcript.locator("treeglass-review")).to_contain_text("0 proposed changes")
