"""The agent's panel as a person uses it, and the scripted models that it may ask."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from build_steps.programs import find_node_tool
from tests.browser.clipboard import NOTE_COPIES
from tests.browser.playground.playground_page import PATIENCE_MS, Playground

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from playwright.sync_api import Locator

KEY = "sk-of-the-person"
REMOTE = {"OpenAI or compatible": "/v1", "Anthropic": "", "Google Gemini": ""}
QUESTION = "What is in /repo?"

_WEB = Path(__file__).parent.parent.parent.parent / "web"


class AgentView:
    """The agent's panel by what a person sees of it."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.page = playground.page
        self.panel = playground.open_view("Agent")
        self.status = self.panel.locator(".agent-status")
        self.transcript = self.panel.get_by_role("list", name="Transcript")

    def button(self, name: str) -> Locator:
        """Return a button by its name."""
        return self.panel.get_by_role("button", name=name, exact=True)

    def choose(self, provider: str) -> None:
        """Choose who answers."""
        self.panel.get_by_label("Who answers").select_option(label=provider)

    def start_over(self) -> None:
        """Leave no transcript, no key and no switch of another story."""
        self.panel.get_by_label("Ask me before each call").uncheck()
        self.choose("OpenAI or compatible")
        self.panel.get_by_label("Tools of the model").select_option("codex")
        self.choose("Guided tour (no model)")
        if self.button("Clear").is_enabled():
            self.button("Clear").click()

    def fill(self, provider: str, origin: str, model: str) -> None:
        """Choose a model behind an endpoint, with the key."""
        self.choose(provider)
        self.panel.get_by_label("Endpoint").fill(origin + REMOTE[provider])
        self.panel.get_by_label("Model", exact=True).fill(model)
        self.panel.get_by_label("Key", exact=True).fill(KEY)

    def ask(self, question: str = QUESTION) -> None:
        """Write a question and send it by the keyboard."""
        self.panel.get_by_label("Question").fill(question)
        self.page.keyboard.press("Enter")

    def wait_for(self, sentence: str | re.Pattern[str]) -> None:
        """Wait until the status says so and nothing runs any more."""
        expect(self.status).to_have_text(sentence, timeout=PATIENCE_MS)
        expect(self.button("Stop")).to_be_disabled()

    def tour(self) -> None:
        """Walk the whole guided tour."""
        self.button("Start the tour").click()
        self.wait_for("The agent has answered.")

    def called(self) -> list[str]:
        """Return the names of the tools that were called."""
        return self.transcript.locator(".agent-call-name").all_text_contents()

    def said(self) -> list[str]:
        """Return what the agent has said."""
        return self.transcript.locator(".agent-turn-text").all_text_contents()

    def notices(self) -> list[str]:
        """Return what the page has said in between."""
        return self.transcript.locator(".agent-notice > p").all_text_contents()

    def copy(self) -> list[dict[str, Any]]:
        """Return the transcript as it is copied."""
        self.page.evaluate(NOTE_COPIES)
        self.button("Copy").click()
        self.wait_for("The transcript is copied.")
        lines: str = self.page.evaluate("copied[0]")
        return [json.loads(line) for line in lines.splitlines()]

    def totals(self) -> dict[str, str]:
        """Return the running totals without the time."""
        pairs = self.panel.locator(".agent-totals > div").all()
        texts = [pair.locator("dt, dd").all_text_contents() for pair in pairs]
        return {name: figure for name, figure in texts if name != "Time"}


def open_agent(playground: Playground) -> AgentView:
    """Show the agent as before its first use."""
    view = AgentView(playground)
    view.start_over()
    return view


@contextmanager
def serve_providers() -> Iterator[str]:
    """Serve scripted models in the providers' protocols; yield the origin."""
    command = [find_node_tool("tsx"), "test/providers/serve.ts"]
    with subprocess.Popen(command, cwd=_WEB, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
