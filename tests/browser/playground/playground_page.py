"""The playground, driven by the names that a person sees on the page."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from playwright.sync_api import FilePayload, Locator, Page, Request, ViewportSize, expect

from tests.browser.cpython_answers import without_duration
from tests.support.browser_support import PATIENCE_MS, raise_faults

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SAMPLE_NAME = "Sample project"
MODEL_VIEW = "As the model reads it"

_NOTE_VIOLATIONS = """
globalThis.policyViolations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  policyViolations.push(`${event.effectiveDirective}: ${event.blockedURI}`);
});
"""

HOLD_REQUESTS = """(method) => {
    const { postMessage } = Worker.prototype;
    const held = [];
    globalThis.letGo = () => {
        Worker.prototype.postMessage = postMessage;
        held.forEach((send) => send());
    };
    Worker.prototype.postMessage = function (...sent) {
        const send = () => postMessage.apply(this, sent);
        sent[0].method === method ? held.push(send) : send();
    };
}"""
"""The requests of a method wait until the story calls `letGo()`."""

_BECOMES_READY = """(limitMs) => new Promise((resolve) => {
    const isReady = () => document.querySelector(".status[data-kind=ready]") &&
        document.querySelector("[role=tree] [role=treeitem]");
    const end = () => { observer.disconnect(); clearTimeout(timer); resolve(); };
    const observer = new MutationObserver(() => isReady() && end());
    const timer = setTimeout(end, limitMs);
    observer.observe(document, { attributes: true, childList: true, subtree: true });
    isReady() && end();
})"""
"""Ends at once when the tree is there, where `expect` looks again after up to a second."""

_FORGET = """async () => {
    localStorage.clear();
    sessionStorage.clear();
    await new Promise((resolve) => {
        const request = indexedDB.deleteDatabase("treeglass-playground");
        request.onsuccess = request.onerror = request.onblocked = resolve;
    });
}"""


class Playground:
    """One page of the playground, what it asked the network for, and what it did wrong."""

    def __init__(self, page: Page, origin: str, faults: list[str] | None = None) -> None:
        self.page = page
        self.origin = origin
        self._faults = [] if faults is None else faults
        self.requested_origins: set[str] = set()
        page.add_init_script(_NOTE_VIOLATIONS)
        page.context.on("request", self._note_request)
        self.tree = page.get_by_role("tree", name="Tree")
        self.alert = page.get_by_role("alert")
        self.timeline = page.get_by_role("list", name="Timeline")
        self.spoken = page.get_by_role("region", name="Calls").locator(":scope > [role=status]")
        self.calls = self.timeline.locator(":scope > li[data-kind=call]")
        self.file_pane = page.get_by_role("region", name="File", exact=True)
        self.tool_box = page.get_by_role("combobox", name="Call a tool")
        self.run_button = page.get_by_role("button", name="Run", exact=True)
        self.source_button = page.get_by_role("button", name="Open another tree; this one is")
        self.code = page.get_by_role("textbox", name="Content of the file")

    def _note_request(self, request: Request) -> None:
        self.requested_origins.add("/".join(request.url.split("/", 3)[:3]))

    def open(self, fragment: str = "") -> None:
        """Go to the page and wait until its tree is mounted."""
        self.page.goto(f"{self.origin}/{fragment}")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until a tree is mounted and listed."""
        self.page.evaluate(_BECOMES_READY, PATIENCE_MS)
        expect(self.page.locator(".status[data-kind=ready]")).to_be_attached()
        expect(self.tree.get_by_role("treeitem").first).to_be_attached()

    def start_over(self) -> None:
        """Open the page as at a first visit."""
        # In Firefox, Enter presses no button of a page that is behind another one.
        self.page.bring_to_front()
        self.page.set_viewport_size(DESKTOP)
        self.page.evaluate(_FORGET)
        self.requested_origins.clear()
        self.open()

    def raise_faults(self) -> None:
        """Fail the story that ends here for what `open_watched_page` does not allow.

        Raises:
            AssertionError: The page did such a thing since this was last called.
        """
        # What the page has complained of until now arrives before this answer.
        self.page.evaluate("null")
        raise_faults(self._faults)

    def forget_failed_requests(self) -> None:
        """Allow the lines that Chromium itself writes about requests that were meant to fail."""
        self.page.evaluate("null")
        failed = "console error: Failed to load resource: "
        self._faults[:] = [fault for fault in self._faults if not fault.startswith(failed)]

    def tree_items(self) -> list[str]:
        """Return the names that the tree shows, in order, as they are drawn."""
        return self.tree.locator(".tree-name").all_text_contents()

    def tree_item(self, name: str) -> Locator:
        """Return the row of a name."""
        exact = self.page.locator(".tree-name", has_text=re.compile(f"^{re.escape(name)}$"))
        return self.tree.get_by_role("treeitem").filter(has=exact)

    def open_file(self, *names: str) -> None:
        """Click through the directories to a file, and wait for its content."""
        *above, file = names
        for name in above:
            if self.tree_item(name).get_attribute("aria-expanded") == "false":
                self.tree_item(name).click()
        self.tree_item(file).click()
        expect(self.file_pane.get_by_role("heading")).to_have_text("/".join(names))

    def expect_open(self, path: str) -> None:
        """Wait until this file is the one in the viewer."""
        expect(self.file_pane.get_by_role("heading", level=2)).to_have_text(path)

    def expect_items(self, names: list[str]) -> None:
        """Wait until the tree shows these names and no other, in this order."""
        expect(self.tree.locator(".tree-name")).to_have_text(names)

    def view(self, name: str) -> Locator:
        """Show a view of the open file by its tab, and return its panel."""
        self.file_pane.get_by_role("tab", name=name, exact=True).click()
        return self.file_pane.get_by_role("tabpanel", name=name, exact=True)

    def code_lines(self) -> list[str]:
        """Return the lines of the open file that are in sight."""
        self.file_pane.locator(".cm-line").first.wait_for()
        return self.file_pane.locator(".cm-line").all_text_contents()

    def choose_tool(self, tool: str) -> None:
        """Choose a tool by its whole name."""
        self.tool_box.fill(tool)
        # The name stands in the field while it is typed, too.
        expect(self.page.get_by_role("listbox", name="Tools")).to_be_hidden()
        expect(self.tool_box).to_have_value(tool)

    def call(self, tool: str, arguments_json: str) -> str:
        """Call a tool with these arguments, as they stand, and return the content."""
        self.choose_tool(tool)
        self.page.get_by_role("checkbox", name="As JSON").check()
        self.page.get_by_role("textbox", name="Arguments as JSON").fill(arguments_json)
        count = self.calls.count()
        self.run_button.click()
        expect(self.calls).to_have_count(count + 1)
        return self.read_content()

    def read_content(self) -> str:
        """Return what the model reads of the newest call, without how long LS took."""
        newest = self.calls.last
        running = newest.locator(".call[data-kind=running]")
        expect(running).to_have_count(0)
        newest.get_by_role("tab", name=MODEL_VIEW).click()
        box = newest.get_by_role("group", name=re.compile("^Text of "))
        return without_duration(box.locator("pre").text_content() or "")

    def open_sources(self) -> Locator:
        """Open the dialog in which a person opens another tree, and return it."""
        self.page.get_by_role("button", name=re.compile("^Open another tree")).click()
        return self.page.get_by_role("dialog", name="Open a tree")

    def choose_archive(self, archive: Path) -> None:
        """Choose a file from the disk, as if the dialog of Archive… had been answered.

        Not through the dialog itself: a driven Firefox believes that the first
        one is still open, and opens no second.
        """
        self.choose_files("archive", archive)
        self.wait_for_tree(archive.name)

    def choose_files(
        self,
        what: Literal["archive", "files"],
        chosen: Path | FilePayload | list[Path] | list[FilePayload],
    ) -> None:
        """Choose an archive or files in the dialog, which closes."""
        dialog = self.open_sources()
        dialog.get_by_test_id(f"{what}-input").set_input_files(chosen)
        expect(dialog).to_be_hidden()

    def mount_archive(self, name: str, content: bytes) -> None:
        """Choose an archive that is on no disk, and wait for its tree."""
        payload: FilePayload = {
            "name": name,
            "mimeType": "application/octet-stream",
            "buffer": content,
        }
        self.choose_files("archive", payload)
        self.wait_for_tree(name)

    def read_report(self) -> list[str]:
        """Return the lines of the mount's report, without how long the mount took."""
        # The details count too, even if they are closed.
        lines = self.page.locator(".mount-report :is(p, summary, li)").all_text_contents()
        return [re.sub(r"mounted in [\d.]+ m?s$", "mounted", line) for line in lines]

    def other_origins(self) -> set[str]:
        """Return whom the page has asked besides the server it came from."""
        return self.requested_origins - {self.origin}

    def wait_for_tree(self, name: str) -> None:
        """Wait until the tree of this name is mounted."""
        expect(self.page.locator(".mount-report p").first).to_have_text(name)
        self.wait_until_ready()

    def drop_from_script(self, files: Mapping[str, bytes]) -> None:
        """Drop files on the page, as a script can."""
        transfer = self.page.evaluate_handle(
            """(files) => {
                const transfer = new DataTransfer();
                for (const [name, numbers] of files) {
                    transfer.items.add(new File([Uint8Array.from(numbers)], name));
                }
                return transfer;
            }""",
            [[name, list(content)] for name, content in files.items()],
        )
        for event in ("dragenter", "dragover", "drop"):
            self.page.dispatch_event("body", event, {"dataTransfer": transfer})

    def take_tour(self) -> None:
        """Walk through the whole tour."""
        self.page.get_by_role("button", name=re.compile("^Take the tour")).click()
        following = self.page.get_by_role("button", name="Next", exact=True)
        card = self.page.get_by_role("region", name="Tour")
        for step in range(1, 6):
            expect(card).to_contain_text(f"Step {step} of 6")
            following.click()
        expect(card).to_contain_text("That was the tour.")

    def end_tour(self) -> None:
        """Leave the tour, which hides the form of a call while its review needs the height."""
        self.page.get_by_role("button", name="End the tour").click()

    def policy_violations(self) -> list[str]:
        """Return what the page's own Content-Security-Policy has refused."""
        return list(self.page.evaluate("policyViolations"))
