"""The visitor's own model, behind a scripted server: its calls, its changes, and how it fails."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.clipboard import NOTE_COPIES
from tests.browser.packed_trees import zip_of
from tests.browser.playground.agent_view import KEY, QUESTION, AgentView
from tests.browser.playground.playground_page import Playground

_TREE = {"README.md": "# Sample\n\nA tree for agents.\n", "src/main.py": "pass\n"}
_NOTE = "/repo/README.md: the person rejected the change: keep the title"


def _recorded(agent: AgentView, providers: str) -> list[dict[str, Any]]:
    recorded: list[dict[str, Any]] = agent.page.request.get(f"{providers}/recorded").json()
    return recorded


@pytest.mark.each_browser
def test_a_model_explores_the_tree_and_only_its_server_hears_of_it(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    seen = len(_recorded(agent, providers))
    agent.set_up(providers, "explorer")
    agent.ask()
    expect(agent.answers).to_have_count(1)
    agent.wait_until_ended()

    names = agent.calls.locator(".call-line > strong").all_text_contents()
    assert names[0] == "list_dir"
    assert names[-1] == "read_file"
    assert playground.requested_origins == {playground.origin, providers}
    asked = _recorded(agent, providers)[seen:]
    tools = {tool["function"]["name"] for tool in asked[0]["body"]["tools"]}
    assert tools == {"list_dir", "read_file", "grep_files"}
    expect(agent.panel.locator(".agent-usage")).to_contain_text("context")
    assert KEY not in agent.page.content()
    assert playground.policy_violations() == []


def test_ten_calls_of_one_turn_have_ten_answers(
    agent: AgentView, playground: Playground, providers: str, tmp_path: Path
) -> None:
    archive = tmp_path / "parts.zip"
    archive.write_bytes(zip_of({f"part-{n}.txt": f"This is part {n}.\n" for n in range(10)}))
    playground.choose_archive(archive)
    agent.set_up(providers, "ten-in-parallel")
    agent.ask()

    expect(agent.calls.locator(".call[data-kind=answered]")).to_have_count(10)
    expect(agent.answers).to_have_text("I was told: L1: This is part 9.")


_FAILURES = {"status-401": "401", "no-such-model": "404", "drops-stream": "ask again"}
"""What is said of each model's failure."""


@pytest.mark.each_browser
def test_what_fails_is_told_in_words(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    for count, (model, words) in enumerate(_FAILURES.items(), 1):
        agent.set_up(providers, model)
        agent.ask()

        expect(agent.problems).to_have_count(count)
        expect(agent.problems.last).to_have_text(re.compile(words))
        expect(playground.spoken).to_have_text(re.compile(words))
        agent.wait_until_ended()
    playground.forget_failed_requests()


@pytest.mark.each_browser
def test_a_question_that_hangs_is_stopped(agent: AgentView, providers: str) -> None:
    agent.set_up(providers, "hangs")
    agent.ask()

    agent.panel.get_by_role("button", name="Stop").click()

    agent.wait_until_ended()
    expect(agent.answers).to_have_count(0)


def test_a_person_allows_one_call_and_refuses_another(agent: AgentView, providers: str) -> None:
    agent.set_up(providers, "explorer")
    agent.choose("Ask me before each call")
    agent.ask()
    consent = agent.page.get_by_role("group", name="A call that waits for you")
    consent.get_by_role("button", name="Allow").click()
    expect(agent.calls).to_have_count(1)
    consent.get_by_role("button", name="Refuse").click()

    expect(agent.page.get_by_text(re.compile("^Refused: "))).to_have_count(1)
    agent.panel.get_by_role("button", name="Stop").click()
    agent.wait_until_ended()


def test_a_turn_ends_with_the_review_of_its_changes_and_the_next_one_hears_of_it(
    agent: AgentView, playground: Playground, providers: str, tmp_path: Path
) -> None:
    archive = tmp_path / "small.zip"
    archive.write_bytes(zip_of(_TREE))
    playground.choose_archive(archive)
    agent.set_up(providers, "editor")
    agent.choose("The model may propose changes")
    agent.ask("Write a plan.")

    review = playground.timeline.locator("treeglass-review")
    changed = review.locator(".toggle")
    expect(changed).to_have_text(["Changed/repo/README.md", "Created/repo/docs/plan.md"])
    expect(agent.items.last).to_have_attribute("data-kind", "review")
    expect(playground.tree_item("README.md")).to_contain_text("changed")
    agent.wait_until_ended()
    review.get_by_role("button", name="Leave /repo/README.md", exact=True).click()
    agent.page.keyboard.type("keep the title")
    agent.page.keyboard.press("Enter")
    expect(changed).to_have_text(["Created/repo/docs/plan.md"])
    agent.ask("Go on.")

    expect(agent.answers.last).to_have_text(_NOTE)
    expect(review).to_have_count(1)
    assert playground.policy_violations() == []


def test_a_tool_of_another_family_waits_for_the_end_of_a_turn_that_may_change_files(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    agent.set_up(providers, "hangs")
    agent.choose("The model may propose changes")
    agent.ask()
    expect(agent.panel.get_by_role("button", name="Stop")).to_be_visible()
    playground.choose_tool("MultiEdit")
    waiting = agent.page.get_by_text(
        "The model's running turn uses the codex tools; "
        "those of another family are offered after it."
    )
    expect(waiting).to_be_visible()
    expect(playground.run_button).to_be_disabled()
    offered = "apply_patch of the codex family is still offered"
    assert playground.call("apply_patch", "{}") != "", offered

    playground.choose_tool("MultiEdit")
    agent.panel.get_by_role("button", name="Stop").click()

    expect(waiting).to_be_hidden()
    expect(playground.run_button).to_be_enabled()
    playground.page.get_by_role("checkbox", name="As JSON").uncheck()
    expect(agent.page.get_by_label(re.compile("^edits"))).to_be_visible()


def test_one_question_is_put_to_two_tool_sets_side_by_side(
    agent: AgentView, providers: str
) -> None:
    agent.set_up(providers, "explorer")
    agent.question.fill(QUESTION)
    agent.panel.get_by_role("button", name="Ask two tool sets").click()

    dialog = agent.page.get_by_role("dialog")
    rows = dialog.locator("tbody tr")
    expect(rows.locator("td:first-child")).to_have_text(["codex", "envelope"])
    agent.page.evaluate(NOTE_COPIES)
    dialog.get_by_role("button", name="Copy as Markdown").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert agent.page.evaluate("copied[0]").startswith(f"## {QUESTION}\n\n| Tools | Turns |")


def test_a_transcript_is_saved_and_replayed_and_every_answer_is_the_same(
    playground: Playground, agent: AgentView, providers: str, tmp_path: Path
) -> None:
    agent.set_up(providers, "explorer")
    agent.ask()
    expect(agent.answers).to_have_count(1)
    agent.wait_until_ended()
    menu = agent.panel.get_by_text("Conversation ▾")
    menu.click()
    playground.page.evaluate(NOTE_COPIES)
    agent.panel.get_by_role("button", name="Copy as Markdown").click()
    expect(agent.panel.get_by_role("button", name="Copied")).to_be_visible()
    assert QUESTION in playground.page.evaluate("copied[0]")
    with playground.page.expect_download() as download:
        agent.panel.get_by_role("button", name="Download .jsonl").click()
    saved = tmp_path / "talk.jsonl"
    download.value.save_as(saved)
    assert all(json.loads(line) for line in saved.read_text("utf-8").splitlines())

    agent.page.get_by_label("Transcript to import").set_input_files(saved)

    dialog = agent.page.get_by_role("dialog")
    heading = dialog.get_by_role("heading").first
    expect(heading).to_have_text(re.compile(r"^Replay: \d+ the same, 0 different, 0 skipped$"))


def test_the_dialog_lists_the_models_and_tests_the_one_that_is_chosen(
    agent: AgentView, providers: str
) -> None:
    agent.set_up(providers, "answers-at-once")
    dialog = agent.open_settings()
    said = dialog.get_by_role("status")
    dialog.get_by_role("button", name="List models").click()
    expect(said).to_have_text(re.compile(r"^\d+ models\. Choose one in the field\.$"))
    expect(dialog.locator("datalist option[value=explorer]")).to_be_attached()
    dialog.get_by_role("button", name="Test", exact=True).click()

    expect(said).to_have_text(
        f"It works: answers-at-once at {providers} took a question and a tool, and answered: "
        "There is nothing to look up"
    )


_TESTED = {
    "status-401": "{} refused the key (401). Check that it is whole and is a key of this server, "
    "then ask again.",
    "no-such-model": '{} has no such address or model (404: There is no model "no-such-model"). '
    "Check both; List models shows the names that it has.",
}


def test_a_test_that_fails_says_what_to_do(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    for model, words in _TESTED.items():
        agent.set_up(providers, model)
        dialog = agent.open_settings()
        dialog.get_by_role("button", name="Test", exact=True).click()

        expect(dialog.get_by_role("status")).to_have_text(words.format(providers))
        agent.page.keyboard.press("Escape")
    playground.forget_failed_requests()


def test_the_dialog_says_what_each_server_needs_and_what_is_missing(
    agent: AgentView, playground: Playground
) -> None:
    dialog = agent.open_settings()
    server = dialog.get_by_role("combobox", name="Server")
    use = dialog.get_by_role("button", name="Use this model")
    expect(dialog).to_contain_text("The key goes to api.openai.com alone, and is forgotten")
    use.click()
    expect(dialog.get_by_role("alert")).to_have_text("Type your key for OpenAI.")
    server.select_option(label="Ollama")
    expect(dialog).to_contain_text(
        "Ollama runs on your device, and needs no key. Choose a model that can call tools. If the "
        "browser asks whether this page may reach your device, allow it; Safari never lets a page "
        "from https do so. Start Ollama so that it allows this page: "
        f"OLLAMA_ORIGINS={playground.origin} ollama serve"
    )
    use.click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Type the name of a model, or press List models."
    )
    dialog.get_by_role("combobox", name="Model", exact=True).fill("qwen3")
    dialog.get_by_role("combobox", name="Model", exact=True).press("Enter")

    expect(dialog).to_be_hidden()
    expect(agent.panel.get_by_role("button", name="qwen3 ▾")).to_be_focused()
    assert playground.other_origins() == set()


@pytest.mark.each_browser
def test_a_key_is_kept_for_the_tab_alone_and_only_if_the_visitor_asks(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}])"
    agent.set_up(providers, "answers-at-once")
    agent.ask()
    expect(agent.answers).to_have_text("There is nothing to look up.")
    assert KEY not in agent.page.evaluate(kept)

    agent.choose("Keep this and the key until I close this tab")

    assert KEY in agent.page.evaluate("JSON.stringify({...sessionStorage})")
    assert KEY not in agent.page.evaluate("JSON.stringify({...localStorage})")
    agent.page.reload()
    playground.wait_until_ready()
    expect(agent.panel.get_by_role("button", name="answers-at-once")).to_be_visible()


def test_a_reload_says_once_that_a_model_has_forgotten_the_conversation(
    agent: AgentView, playground: Playground, providers: str
) -> None:
    agent.set_up(providers, "answers-at-once")
    agent.ask()
    expect(agent.answers).to_have_count(1)
    agent.wait_until_ended()
    forgotten = "The page was loaded again, so a model knows nothing of the conversation above."
    for kept in (2, 3):
        agent.page.wait_for_function(
            """(kept) => {
                const { work } = JSON.parse(sessionStorage["treeglass-work"] ?? "{}");
                return work?.items.length === kept;
            }""",
            arg=kept,
        )
        agent.page.reload()
        playground.wait_until_ready()

        expect(agent.items.last).to_have_text(forgotten)
        expect(agent.items).to_have_count(3)


@pytest.mark.each_browser
def test_a_server_that_does_not_answer_is_named(agent: AgentView, playground: Playground) -> None:
    agent.set_up("http://127.0.0.1:9", "explorer")
    agent.ask()

    expect(agent.problems).to_have_text(
        "http://127.0.0.1:9 gave no answer: the address is wrong, no server runs there, or the "
        "server refuses requests from pages (CORS). Needs the address of a server's API (its "
        "endpoint), up to /chat/completions. The server has to speak OpenAI's Chat Completions, "
        f"and to let this page call it (CORS); the page's origin is {playground.origin}."
    )
    playground.forget_failed_requests()


@pytest.mark.each_browser
def test_a_dialog_that_closes_never_stays_open_and_empty(agent: AgentView, providers: str) -> None:
    """Such a dialog is modal still, so the page would lose what a person types meanwhile."""
    dialog = agent.open_settings()
    dialog.evaluate(
        """dialog => {
            window.seen = [];
            const observer = new MutationObserver(() =>
                window.seen.push([dialog.open, dialog.childElementCount === 0]));
            observer.observe(dialog, { childList: true });
        }"""
    )

    agent.page.keyboard.press("Escape")
    agent.set_up(providers, "answers-at-once")

    assert agent.page.evaluate("window.seen") == [[False, True], [True, False], [False, True]]
