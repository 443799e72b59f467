"""The playground, driven by the names that a person sees on the page."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cpython_answers import without_duration
from tests.support.browser_support import raise_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from playwright.sync_api import Locator, Page, Request, ViewportSize

    from tests.browser.cpython_answers import CPythonAnswers

# Much longer than a call takes: a machine that runs many browsers at once is slow.
PATIENCE_MS = 60_000

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SAMPLE_NAME = "Sample: the sources of treeglass"

_THREE_ANSWERS = re.compile(r"^list_dir .+, LS .+, list_directory .+$")

_NOTE_VIOLATIONS = """
globalThis.policyViolations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  policyViolations.push(`${event.effectiveDirective}: ${event.blockedURI}`);
});
"""

_FORGET_OTHER_STORIES = """() => {
    // A clipboard that only takes notes, in front of the browser's own.
    delete navigator.clipboard;
    // An address is what Enter would fetch.
    document.querySelector("#link-form").reset();
    document.querySelector("#link-kind").dispatchEvent(new Event("change"));
}"""

_IS_NO_LONGER_NEWEST = "(call) => document.querySelector('#call-history li') !== call"


class Playground:
    """One page of the playground, what it asked the network for, and what it did wrong."""

    def __init__(self, page: Page, origin: str, faults: list[str] | None = None) -> None:
        self.page = page
        self.origin = origin
        self._faults = [] if faults is None else faults
        self.requested_origins: set[str] = set()
        self.first_tree_items: list[str] = []
        self.first_content = ""
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(_NOTE_VIOLATIONS)
        page.context.on("request", self._note_request)
        self.tree_pane = page.get_by_role("region", name="Tree", exact=True)
        self.tool_pane = page.get_by_role("region", name="Tool call", exact=True)
        self.result_pane = page.get_by_role("region", name="Result", exact=True)
        self.tree = page.get_by_role("tree", name="Tree")
        self.alert = page.get_by_role("alert")
        self.content = page.get_by_role("region", name="Content", exact=True)
        self.run_button = page.get_by_role("button", name="Run", exact=True)
        self.next_page_button = page.get_by_role("button", name="Next page")
        self.json_box = page.get_by_role("textbox", name="Arguments as JSON")

    def _note_request(self, request: Request) -> None:
        self.requested_origins.add("/".join(request.url.split("/", 3)[:3]))

    def open(self) -> None:
        """Go to the page and wait for its first answer."""
        self.page.goto(f"{self.origin}/")
        self.wait_for_first_answer()
        self.first_tree_items = self.tree_items()
        self.first_content = self.read_content()

    def wait_for_first_answer(self) -> None:
        """Wait until the page has started and made its first call."""
        # Not by its role: the page may have been opened with another view.
        expect(self.page.locator("#call-history li")).to_have_count(1, timeout=PATIENCE_MS)

    def start_over(self) -> None:
        """Bring back the screen, the empty form, the tool and the tree that a page begins with."""
        # In Firefox, Enter presses no button of a page that is behind another one.
        self.page.bring_to_front()
        self.page.set_viewport_size(DESKTOP)
        self.page.evaluate(_FORGET_OTHER_STORIES)
        self.open_view("Console")
        self.page.get_by_role("tab", name="Content").click()
        self.choose_tool("list_dir")
        if self.tree_pane.get_by_text(SAMPLE_NAME, exact=True).count() == 0:
            self.page.get_by_role("button", name="Sample").click()
            self.wait_for_content(self.first_content)

    def raise_faults(self) -> None:
        """Fail the story that ends here for what `open_watched_page` does not allow.

        Raises:
            AssertionError: The page did such a thing since this was last called.
        """
        # What the page has complained of until now arrives before this answer.
        self.page.evaluate("null")
        raise_faults(self._faults)

    def open_view(self, name: str) -> Locator:
        """Show a view by its tab, and return its panel."""
        views = self.page.get_by_role("tablist", name="Views")
        views.get_by_role("tab", name=name, exact=True).click()
        return self.page.get_by_role("tabpanel", name=name, exact=True)

    def compare(self, directory: str, *, max_output_bytes: str = "") -> Locator:
        """Compare the listings of a directory, named from the mount on; return the view."""
        view = self.open_view("Compare")
        view.get_by_label("Depth").select_option("")
        view.get_by_label("Ask for hidden entries").uncheck()
        view.get_by_label("Max output bytes").fill(max_output_bytes)
        view.get_by_label("Directory", exact=True).fill(directory)
        view.get_by_role("button", name="Compare", exact=True).click()
        self.wait_for_comparison()
        return view

    def wait_for_comparison(self) -> None:
        """Wait until each tool has answered about the directory."""
        outcome = self.page.locator("#compare-view [role=status]")
        expect(outcome).to_have_text(_THREE_ANSWERS, timeout=PATIENCE_MS)

    def column(self, tool: str) -> Locator:
        """One tool's side of the comparison."""
        return self.page.locator("#compare-view").get_by_role("region", name=tool, exact=True)

    def read_column(self, tool: str) -> dict[str, object]:
        """Return what a column says beside the content: no time, since no two runs agree on it."""
        column = self.column(tool)
        figures = dict(
            zip(
                column.locator("dt").all_text_contents(),
                column.locator("dd").all_text_contents(),
                strict=True,
            )
        )
        del figures["Tool"]
        return {
            "badge": column.locator(".badge").text_content(),
            "call": json.loads(column.locator(".compare-call").text_content() or "null"),
            "figures": figures,
            "going": column.locator(".compare-going").text_content(),
            "missing": column.locator(".missing summary").all_text_contents(),
        }

    def read_column_content(self, tool: str) -> str:
        """Return what stands in a column, without how long LS took."""
        return without_duration(
            self.page.get_by_label(f"Content of {tool}", exact=True).text_content() or ""
        )

    def choose_tool(self, tool: str) -> None:
        """Choose a tool and empty its form."""
        self._check_tool(tool)
        self.write_json("{}")
        self.page.get_by_role("tab", name="Fields").click()

    def _check_tool(self, tool: str) -> None:
        self.page.get_by_role("radio", name=re.compile(f"^{tool} ")).check()

    def write_json(self, text: str) -> None:
        """Put arguments into the JSON view as they stand."""
        self.page.get_by_role("tab", name="JSON").click()
        self.json_box.fill(text)

    def field(self, name: str) -> Locator:
        """The control of one argument, by its label."""
        return self.tool_pane.get_by_label(re.compile(rf"^{name} "))

    def fill(self, fields: Mapping[str, str]) -> None:
        """Fill the form by its labels; a choice is chosen."""
        for name, text in fields.items():
            control = self.field(name)
            if control.evaluate("(control) => control.tagName") == "SELECT":
                control.select_option(text)
            else:
                control.fill(text)

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait, after what is done in the context, until a call that it made has its answer."""
        # By the list of calls, and not by Stop: Firefox has not always handled a
        # key when the driver says so, and Stop is then disabled still.
        newest = self.page.locator("#call-history li").first.element_handle()
        yield
        self.page.wait_for_function(_IS_NO_LONGER_NEWEST, arg=newest)

    def run(self) -> str:
        """Press Run and return the content of the answer."""
        with self.answered():
            self.run_button.click()
        return self.read_content()

    def call(self, tool: str, json_text: str) -> str:
        """Call a tool with these arguments, as they stand, and return the content."""
        self._check_tool(tool)
        self.write_json(json_text)
        return self.run()

    def read_content(self) -> str:
        """Return what stands in the result, without how long LS took."""
        # Marks of invisible characters are not a part of the text.
        self.page.get_by_label("Show invisibles").uncheck()
        return without_duration(self.content.text_content() or "")

    def wait_for_content(self, content: str) -> None:
        """Wait until this content stands in the result, whole.

        Raises:
            AssertionError: Another one stays there.
        """
        expect(self.content).to_have_js_property("textContent", content, timeout=PATIENCE_MS)

    def open_more_sources(self) -> Locator:
        """Open the dialog of the sources that are one step away, and return it."""
        self.page.get_by_role("button", name="More sources…").click()
        return self.page.get_by_role("dialog", name="More sources")

    def name_tree_elsewhere(self, kind: str, fields: Mapping[str, str]) -> Locator:
        """Fill the form of the dialog by its labels, and return the button that fetches."""
        dialog = self.open_more_sources()
        dialog.get_by_label("Kind").select_option(kind)
        for label, text in fields.items():
            dialog.get_by_label(label).fill(text)
        return dialog.get_by_role("button", name=re.compile("^Fetch"))

    def drop_from_script(self, name: str, content: bytes) -> None:
        """Drop one file on the page, as a script can."""
        transfer = self.page.evaluate_handle(
            """([name, numbers]) => {
                const transfer = new DataTransfer();
                transfer.items.add(new File([Uint8Array.from(numbers)], name));
                return transfer;
            }""",
            [name, list(content)],
        )
        for event in ("dragenter", "dragover", "drop"):
            self.page.dispatch_event("body", event, {"dataTransfer": transfer})

    def read_report(self) -> list[str]:
        """Return the paragraphs and lines of the mount report, without how long the mount took."""
        # The details count too, even if they are closed.
        lines = self.page.locator("#mount-report :is(p, summary, li > span)").all_text_contents()
        return [re.sub(r"mounted in [\d.]+ m?s$", "mounted", line) for line in lines]

    def expect_mounted(self, answers: CPythonAnswers, report: list[str], items: list[str]) -> None:
        """Hold all that the page shows of a tree it has just mounted to CPython's word.

        The tree has a `src/app.py`, which is read.

        Raises:
            AssertionError: The page shows something else.
        """
        self.wait_for_content(answers.content("list_dir", {"dir_path": "/repo"}))
        assert self.read_report() == report
        assert self.tree_items() == items
        read = {"file_path": "/repo/src/app.py"}
        assert self.call("read_file", json.dumps(read)) == answers.content("read_file", read)
        expect(self.alert).to_be_empty()

    def tree_items(self) -> list[str]:
        """Return the names that the tree shows, in order, as they are drawn."""
        return self.tree.get_by_role("treeitem").all_text_contents()

    def choose_archive(self, archive: Path) -> None:
        """Choose a file from the disk, as if the dialog of Archive… had been answered.

        Not through the dialog itself: a driven Firefox believes that the first
        one is still open, and opens no second.
        """
        self.page.locator("#archive-input").set_input_files(archive)

    def answer_dialog_of(self, button: str, chosen: Path) -> None:
        """Press a button that opens a dialog, and choose a file or a directory in it."""
        with self.page.expect_file_chooser() as chooser:
            self.page.get_by_role("button", name=button).click()
        chooser.value.set_files(chosen)

    def policy_violations(self) -> list[str]:
        """Return what the page's own Content-Security-Policy has refused."""
        return list(self.page.evaluate("policyViolations"))
