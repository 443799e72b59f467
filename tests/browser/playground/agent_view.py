"""The panel of the visitor's model as a person uses it, and the scripted models that it may ask."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, expect

from build_steps.programs import find_node_tool
from tests.browser.playground.playground_page import Playground

KEY = "sk-of-the-person"
QUESTION = "What is in /repo?"

_WEB = Path(__file__).parent.parent.parent.parent / "web"


class AgentView:
    """The panel by what a person sees of it."""

    def __init__(self, playground: Playground) -> None:
        self.page = playground.page
        self.panel = self.page.get_by_role("region", name="Model", exact=True)
        self.question = self.page.locator("#agent-question")
        self.items = playground.timeline.locator(":scope > li")
        self.answers = playground.timeline.locator(":scope > li[data-kind=answer]")
        self.problems = playground.timeline.locator(":scope > li[data-kind=problem]")
        self.calls = playground.timeline.locator(":scope > li[data-kind=call][data-by=model]")

    def set_up(self, origin: str, model: str) -> None:
        """Fill the settings of a server with an address of its own, and use them."""
        dialog = self.open_settings()
        dialog.get_by_role("combobox", name="Server").select_option(label="Another address")
        dialog.get_by_role("textbox", name="Address", exact=True).fill(f"{origin}/v1")
        dialog.get_by_role("textbox", name="Key", exact=True).fill(KEY)
        dialog.get_by_role("combobox", name="Model", exact=True).fill(model)
        self._use(dialog)

    def open_settings(self) -> Locator:
        """Open the dialog in which a person chooses a model, and return it."""
        self.panel.get_by_role("button", name=" ▾").click()
        return self.page.get_by_role("dialog", name="Choose a model")

    def _use(self, dialog: Locator) -> None:
        dialog.get_by_role("button", name="Use this model").click()
        expect(dialog).to_be_hidden()

    def ask(self, question: str = QUESTION) -> None:
        """Write a question and send it by the keyboard."""
        self.question.fill(question)
        self.question.press("Enter")

    def wait_until_ended(self) -> None:
        """Wait until nothing runs any more."""
        expect(self.panel.get_by_role("button", name="Ask", exact=True)).to_be_visible()

    def choose(self, label: str) -> None:
        """Check a box or a choice of the settings, and use them."""
        dialog = self.open_settings()
        dialog.get_by_label(label, exact=True).check()
        self._use(dialog)


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
