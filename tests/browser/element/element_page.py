"""Pages with demos on them: how they are written, served, watched and used."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, Worker, expect

from tests.browser.cpython_answers import CPythonAnswers, extract_zip, without_duration
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import open_watched_page, raise_faults
from tests.support.served_directory import serve_directory

LONG_FILE = "".join(f"line {number} of many\n" for number in range(1, 451))

SHOP = {
    "README.md": "# Shop\n\nIt sells <b>tea</b> & \u201ccakes\u201d.\n",
    "src/cart.py": "def total(prices):\n    return sum(prices)\n",
    "src/prices/tea.txt": "3.50\n",
    "src/prices/long.txt": LONG_FILE,
    ".hidden": "hidden\n",
}
"""The tree of most demos, at `/shop.zip`."""

RECORDED = "Absolute path: /repo\nrecorded, not live"

LIST = {"dir_path": "/repo"}

SCRIPT = '<script type="module" src="/element.js"></script>'

_RUN = re.compile(r"^Run( [\d.]+ MB)?$")
"""The button says what the first run loads."""

_NOTE_EVENTS = """
globalThis.heard = [];
globalThis.violations = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective}: ${blockedURI}`);
  // A driver that a strict policy lets evaluate nothing can still read the page's tree.
  document.documentElement.dataset.violations = violations.join();
});
const hasEnded = ({ type }) => type === "result" || type === "failure";
for (const type of ["progress", "result", "failure", "reset"]) {
  addEventListener(`treeglass-${type}`, ({ target, detail, bubbles, composed }) => {
    const told = JSON.parse(JSON.stringify(detail ?? null));
    heard.push({ type, id: target.id, detail: told, bubbles, composed });
    document.documentElement.dataset.ended = String(heard.filter(hasEnded).length);
  });
}
"""

# A client that stays connected keeps the worker, which otherwise ends with the last demo.
_KEEP_WARM = """async () => {
    const { connect } = await import("/index.js");
    globalThis.kept = await connect({ shared: true });
}"""

_SHOW = """(html) => {
    // Demos that leave say nothing more to the window.
    document.body.replaceChildren();
    heard.length = 0;
    violations.length = 0;
    for (const name of Object.keys(document.documentElement.dataset)) {
        delete document.documentElement.dataset[name];
    }
    document.documentElement.removeAttribute("style");
    delete navigator.clipboard;
    document.body.innerHTML = `<main>${html}</main>`;
    scrollTo(0, 0);
}"""
_VIEWPORT: ViewportSize = {"width": 1280, "height": 720}


def demo_of(
    tool: str = "list_dir",
    arguments: Mapping[str, Any] | None = None,
    *,
    inside: str | None = None,
    **attributes: str | None,
) -> str:
    """Return one element as an author writes it; the tree is the shop unless another is named.

    Args:
        tool: The tool to call.
        arguments: Of the call; a listing of the mount where none are given.
        inside: The element's own content; None means a recorded answer.
        attributes: More of them, `_` for `-`; None leaves one out.
    """
    named = {
        "src": "/shop.zip",
        "tool": tool,
        "arguments": json.dumps(LIST if arguments is None else arguments),
        **{name.replace("_", "-"): value for name, value in attributes.items()},
    }
    written = "".join(
        f' {name}="{escape(value)}"' for name, value in named.items() if value is not None
    )
    inside = f"<pre data-recorded>{escape(RECORDED)}</pre>" if inside is None else inside
    return f"<treeglass-demo{written}>\n{inside}\n</treeglass-demo>"


def page_of(*demos: str, head: str = SCRIPT) -> bytes:
    """Return a documentation page that holds demos."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Demos</title>'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"{head}</head><body><main>{_content_of(demos)}</main></body></html>\n"
    ).encode()


def _content_of(demos: Iterable[str]) -> str:
    body = "\n".join(f"<section><p>A paragraph.</p>\n{demo}\n</section>" for demo in demos)
    return f"<h1>Demos</h1>\n{body}\n"


class Demo:
    """One element, driven by the names that a reader sees in it."""

    def __init__(self, page: Page, index: int = 0) -> None:
        self.page = page
        self.element = page.locator("treeglass-demo, other-demo").nth(index)
        self.recorded = self.element.locator("pre[data-recorded]")
        self.run_button = self.element.get_by_role("button", name=_RUN)
        self.reset_button = self.element.get_by_role("button", name="Reset", exact=True)
        self.files_button = self.element.get_by_role("button", name="Files", exact=True)
        self.copy_button = self.element.get_by_role("button", name="Copy", exact=True)
        self.next_page_button = self.element.get_by_role("button", name="Next page")
        self.arguments = self.element.get_by_role("textbox", name="Arguments")
        self.answer = self.element.locator("[part~=answer]")

    @property
    def content(self) -> str:
        """The live answer as it is shown, without the time that LS took."""
        return without_duration(self.answer.text_content() or "")

    @property
    def state(self) -> str:
        """The element's own name for its state."""
        return str(self.element.evaluate("(demo) => demo.state"))

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Wait, at the end of the context, for one more result or failure on the page."""
        document = self.page.locator("html")
        before = int(document.get_attribute("data-ended") or 0)
        yield
        expect(document).to_have_attribute("data-ended", str(before + 1))

    def run(self) -> str:
        """Press Run and return the answer."""
        with self.ending():
            self.run_button.click()
        return self.content

    def edit(self, text: str) -> None:
        """Write other arguments into the box."""
        self.arguments.fill(text)


@dataclass(frozen=True)
class DemoPage:
    """A page of demos in a browser, and what it asked its server for."""

    page: Page
    origin: str
    asked: list[str]

    def demo(self, index: int = 0) -> Demo:
        """Return the demo that comes at this place of the page."""
        return Demo(self.page, index)

    def note_workers(self) -> list[Worker]:
        """Return a list that gets every worker that the page starts from now on."""
        started: list[Worker] = []

        def note(worker: Worker) -> None:
            started.append(worker)

        self.page.on("worker", note)
        return started

    def heard(self, *types: str) -> list[Any]:
        """Return the events that the window saw, of some types or of all but progress."""
        wanted = types or ("result", "failure", "reset")
        return [event for event in self.page.evaluate("heard") if event["type"] in wanted]


@dataclass(frozen=True)
class SharedDemoPage(DemoPage):
    """A page whose tools have started, for stories that each put demos of their own on it."""

    served: dict[str, bytes]
    faults: list[str]

    def show(self, *demos: str, files: Mapping[str, bytes] | None = None) -> Demo:
        """Put demos in the place of those of the story before; return the first.

        The events heard, the requests noted, and what a story did to the page's
        own element, the viewport and the emulated media are as on a new page.

        Args:
            demos: What stands on the page; a style among them is the page's.
            files: Served besides, by their paths.
        """
        # In Firefox, a key presses no button of a page that is behind another one.
        self.page.bring_to_front()
        self.page.set_viewport_size(_VIEWPORT)
        browser = self.page.context.browser
        # No story can emulate media in Firefox, whose driver has no word for it.
        if browser is not None and browser.browser_type.name == "chromium":
            self.page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        self.served.update(files or {})
        self.asked.clear()
        self.page.evaluate(_SHOW, _content_of(demos))
        return self.demo()

    def raise_faults(self) -> None:
        """Fail the story that ends here for what `open_watched_page` does not allow.

        Raises:
            AssertionError: The page did such a thing since this was last called.
        """
        # What the page has complained of until now arrives before this answer.
        self.page.evaluate("null")
        raise_faults(self.faults)


@contextmanager
def open_shared_demos(browser: Browser, package: Path) -> Iterator[SharedDemoPage]:
    """Open a page on which stories put their demos, one after the other."""
    asked: list[str] = []
    faults: list[str] = []
    served = {"/shop.zip": zip_of(SHOP), "/page.html": page_of()}
    with (
        serve_directory(package, pages=served, asked=asked) as origin,
        open_watched_page(browser, faults=faults) as page,
    ):
        page.add_init_script(_NOTE_EVENTS)
        page.goto(f"{origin}/page.html")
        page.evaluate(_KEEP_WARM)
        yield SharedDemoPage(page, origin, asked, served, faults)


@contextmanager
def open_demos(
    browser: Browser,
    package: Path,
    *demos: str,
    head: str = SCRIPT,
    files: Mapping[str, bytes] | None = None,
    headers: Mapping[str, str] | None = None,
    path: str = "/page.html",
) -> Iterator[DemoPage]:
    """Open a page of demos that is served beside the package, and may not misbehave.

    Args:
        browser: Where it is opened.
        package: The folder of the npm package.
        demos: What stands on the page.
        head: Of the page; the script's tag and nothing else if not given.
        files: Served besides, by their paths.
        headers: Of every response.
        path: The page's own.

    Raises:
        AssertionError: At the end, for all that `open_watched_page` does not allow.
    """
    asked: list[str] = []
    served = {"/shop.zip": zip_of(SHOP), path: page_of(*demos, head=head), **(files or {})}
    with (
        serve_directory(package, pages=served, headers=headers, asked=asked) as origin,
        open_watched_page(browser) as page,
    ):
        page.add_init_script(_NOTE_EVENTS)
        page.goto(f"{origin}{path}")
        yield DemoPage(page, origin, asked)


@contextmanager
def noting_complaints() -> Iterator[list[str]]:
    """Yield a list that gets the complaints of a watched page inside, instead of an error."""
    complaints: list[str] = []
    try:
        yield complaints
    except AssertionError as error:
        first, *lines = str(error).splitlines()
        if first != "the page misbehaved:":
            raise
        complaints += lines


def answers_of(tree: Mapping[str, str], folder: Path) -> CPythonAnswers:
    """Return CPython's answers over a tree that a page mounts as a zip.

    Args:
        tree: Texts by their paths.
        folder: An empty one, to extract it into.
    """
    archive = folder / "tree.zip"
    archive.write_bytes(zip_of(tree))
    return CPythonAnswers(extract_zip(archive, folder / "tree"))
