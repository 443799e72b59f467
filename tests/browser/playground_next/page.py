"""The playground, driven by the names that a person sees on the page."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.browser_support import open_watched_page, raise_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, FilePayload, Locator, Page, Request, ViewportSize

PAGE = ""
"""The address of the page below the site."""

# Much longer than a call takes: a machine that runs many browsers at once is slow.
PATIENCE_MS = 20_000

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SAMPLE = "Sample project"
SAMPLE_FOLDERS = ["config", "data", "docs", "src", "tests", "web"]
SAMPLE_FILES = [
    *(".editorconfig", ".gitignore", "CHANGELOG.md"),
    *("Makefile", "README.md", "pyproject.toml"),
]

TOUR_STEPS = 6

_NOTE_VIOLATIONS = """
globalThis.policyViolations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  policyViolations.push(`${event.effectiveDirective}: ${event.blockedURI}`);
});
"""

# A mount is over when the words that came with it are gone again.
_WATCH_MOUNT = """() => {
    const status = document.querySelector(".status [role=status]");
    const stages = [];
    globalThis.mountStages = stages;
    new MutationObserver(() => stages.push(status.textContent))
        .observe(status, { childList: true, characterData: true, subtree: true });
}"""
_IS_MOUNT_OVER = '() => mountStages.length > 1 && mountStages.at(-1) === "Ready"'

_DROP = """([names, contents]) => {
    const transfer = new DataTransfer();
    for (const [index, name] of names.entries()) {
        transfer.items.add(new File([Uint8Array.from(contents[index])], name));
    }
    for (const type of ["dragenter", "dragover", "drop"]) {
        const event = { dataTransfer: transfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent(type, event));
    }
}"""


class Playground:
    """One page of the playground, what it asked the network for, and what it did wrong."""

    def __init__(self, page: Page, origin: str, faults: list[str]) -> None:
        self.page = page
        self.origin = origin
        self.faults = faults
        self.requested_origins: set[str] = set()
        page.set_default_timeout(PATIENCE_MS)
        page.set_viewport_size(DESKTOP)
        page.add_init_script(_NOTE_VIOLATIONS)
        page.context.on("request", self._note_request)
        self.files_pane = page.get_by_role("region", name="Files", exact=True)
        self.file_pane = page.get_by_role("region", name="File", exact=True)
        self.calls_pane = page.get_by_role("region", name="Calls", exact=True)
        self.status = page.locator(".status").get_by_role("status")
        self.refusal = page.locator(".page > [role=alert]")
        self.source_button = page.get_by_role("button", name="Open another tree; this one is")
        self.sources = page.get_by_role("dialog", name="Open a tree")
        self.tree = page.get_by_role("tree", name="Tree", exact=True)
        self.timeline = page.get_by_role("list", name="Timeline", exact=True)
        self.tool_box = page.get_by_role("combobox", name="Call a tool")
        self.run_button = page.get_by_role("button", name="Run", exact=True)
        self.json_box = page.get_by_role("textbox", name="Arguments as JSON")
        self.code = page.get_by_role("textbox", name="Content of the file")

    def _note_request(self, request: Request) -> None:
        self.requested_origins.add("/".join(request.url.split("/", 3)[:3]))

    def open(self, fragment: str = "") -> None:
        """Go to the page and wait for its first tree."""
        self.page.goto(f"{self.origin}/{PAGE}{fragment}")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until a tree is mounted, and its rows are there."""
        expect(self.status).to_have_text("Ready")
        expect(self.rows.first).to_be_attached(timeout=PATIENCE_MS)

    def start_over(self) -> None:
        """Bring back the screen, the sample, an empty timeline and an empty form."""
        # In Firefox, Enter presses no button of a page that is behind another one.
        self.page.bring_to_front()
        self.page.set_viewport_size(DESKTOP)
        self.page.keyboard.press("Escape")
        close = self.calls_pane.get_by_role("button", name="Close", exact=True)
        if close.count() > 0:
            close.click()
        with self.mounted():
            self.open_sources().get_by_role("button", name=SAMPLE).click()
        self.requested_origins.clear()

    def raise_faults(self) -> None:
        """Fail the story that ends here for what `open_watched_page` does not allow.

        Raises:
            AssertionError: The page did such a thing since this was last called.
        """
        # What the page has complained of until now arrives before this answer.
        self.page.evaluate("null")
        raise_faults(self.faults)

    # Trees.

    def open_sources(self) -> Locator:
        """Open the dialog of the trees, and return it."""
        self.source_button.click()
        return self.sources

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Wait, after what is done in the context, until it has mounted a tree."""
        self.page.evaluate(_WATCH_MOUNT)
        yield
        self.page.wait_for_function(_IS_MOUNT_OVER)
        self.wait_until_ready()

    def mount_archive(self, name: str, content: bytes) -> None:
        """Choose an archive, as if the dialog of Archive… had been answered."""
        payload: FilePayload = {
            "name": name,
            "mimeType": "application/octet-stream",
            "buffer": content,
        }
        with self.mounted():
            self.page.get_by_test_id("archive-input").set_input_files(payload)

    def drop(self, files: dict[str, bytes]) -> None:
        """Drop files on the page, as a script can."""
        self.page.evaluate(_DROP, [list(files), [list(content) for content in files.values()]])

    def read_report(self) -> list[str]:
        """Return the lines of the mount's report, without how long the mount took."""
        # The details count too, even if they are closed.
        lines = self.page.locator(".mount-report :is(p, summary, li)").all_text_contents()
        return [re.sub(r"mounted in [\d.]+ m?s$", "mounted", line) for line in lines]

    def other_origins(self) -> set[str]:
        """Return whom the page has asked besides the server it came from."""
        return self.requested_origins - {self.origin}

    # Files.

    @property
    def rows(self) -> Locator:
        """The rows of the tree."""
        return self.tree.get_by_role("treeitem")

    def row(self, name: str) -> Locator:
        """The row of an entry, by its name and nothing else."""
        named = self.page.locator(".file-name").get_by_text(name, exact=True)
        return self.rows.filter(has=named)

    def row_names(self) -> list[str]:
        """Return the names that the tree shows, in order, as they are drawn."""
        return self.tree.locator(".tree-name").all_text_contents()

    def open_file(self, path: str) -> None:
        """Open a file by clicks, from the top of the tree down, and wait for its heading."""
        *directories, name = path.split("/")
        for directory in directories:
            row = self.row(directory)
            if row.get_attribute("aria-expanded") == "false":
                row.click()
        self.row(name).click()
        self.expect_open(path)

    def expect_open(self, path: str) -> None:
        """Wait until this file is the one in the viewer."""
        heading = self.file_pane.get_by_role("heading", level=2)
        expect(heading).to_have_text(path)

    def expect_rows(self, names: list[str]) -> None:
        """Wait until the tree shows these names and no other, in this order."""
        expect(self.tree.locator(".tree-name")).to_have_text(names)

    def view(self, name: str) -> Locator:
        """Show a view of the open file by its tab, and return its panel."""
        self.file_pane.get_by_role("tab", name=name, exact=True).click()
        return self.file_pane.get_by_role("tabpanel", name=name, exact=True)

    # Calls.

    def choose_tool(self, tool: str) -> None:
        """Choose a tool by its name in the list."""
        self.tool_box.fill(tool)
        self.page.get_by_role("option", name=re.compile(rf"^{tool} ")).click()
        expect(self.tool_box).to_have_value(tool)

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait, after what is done in the context, until one call more has ended."""
        before = self.calls.count()
        yield
        expect(self.calls).to_have_count(before + 1)
        expect(self.calls.last).not_to_have_attribute("data-kind", "running")

    @property
    def calls(self) -> Locator:
        """The calls on the timeline, the oldest first."""
        return self.timeline.locator(".call")

    def call(self, tool: str, json_text: str) -> Locator:
        """Call a tool with these arguments, as they stand, and return the call's card."""
        self.choose_tool(tool)
        self.page.get_by_role("checkbox", name="As JSON").check()
        self.json_box.fill(json_text)
        with self.answered():
            self.run_button.click()
        return self.calls.last

    def take_tour(self) -> None:
        """Take every step of the tour: the last but one proposes a change of the tree."""
        tour = self.page.get_by_role("region", name="Tour", exact=True)
        tour.get_by_role("button", name="Take the tour").click()
        for step in range(1, TOUR_STEPS + 1):
            words = f"Step {step} of {TOUR_STEPS}"
            expect(tour.get_by_text(words)).to_be_visible(timeout=PATIENCE_MS)
            if step < TOUR_STEPS:
                tour.get_by_role("button", name="Next").click()


@contextmanager
def open_playground(
    browser: Browser, origin: str, *, answered_hosts: frozenset[str] = frozenset()
) -> Iterator[Playground]:
    """Yield a playground in a profile of its own that has not gone to the page yet."""
    faults: list[str] = []
    with open_watched_page(browser, answered_hosts=answered_hosts, faults=faults) as page:
        yield Playground(page, origin, faults)
