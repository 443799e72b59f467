"""One measurement: a candidate, a source and a tree in a browser process of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from bench.mounting.candidates import TREEGLASS, Candidate, place_scripts
from bench.page import browser_version, open_fresh_page
from tests.support.browser_memory import BrowserMemory, look_at_browsers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page, Playwright

    from bench.mounting.trees import MountTree, Source

_ROOT = Path(__file__).resolve().parent.parent.parent
_FILE_PAGE = (
    b'<!doctype html><title>bench</title><link rel="icon" href="data:,"><input type="file">'
)
_FOLDER_PAGE = _FILE_PAGE.replace(b'"file"', b'"file" webkitdirectory')

MAX_LOAD_S = 180
"""A tree that takes longer to load counts as not loaded."""

DIRECTORY_COUNT = 20
FILES_PER_DIRECTORY = 100
"""In the directory handle; making more takes longer than measuring the rest."""


class Loaded(NamedTuple):
    """A tree that was loaded, and found whole."""

    taken_ms: float
    longest_block_ms: float
    """Of the page's main thread, by its heartbeat."""
    longest_task_ms: float | None
    """The same by the browser's own list, which leaves out tasks under 50 ms."""
    before: BrowserMemory
    """Before the tree was chosen."""
    after: BrowserMemory


class NotLoaded(NamedTuple):
    """A tree that a candidate could not load."""

    reason: str


class Listed(NamedTuple):
    """A directory handle that was mounted and listed."""

    mount_ms: float
    first_ms: float
    whole_ms: float


class MountStand:
    """Copies of everything that is served, which no build can change.

    Args:
        site: An empty folder for the copy.
    """

    def __init__(self, site: Path) -> None:
        self._site = site
        shutil.copytree(_ROOT / "dist" / "npm", site / "npm")
        self._unable = place_scripts(site)
        self.browser = ""
        """The browser's version, once a session has run."""

    def load(
        self, playwright: Playwright, candidate: Candidate, source: Source, tree: MountTree
    ) -> Loaded | NotLoaded:
        """Load a tree in a new browser.

        A peer that fails is a result, whatever the failure; treeglass may not fail.
        """
        reason = self._unable.get(candidate.name) or candidate.unable.get(source.kind)
        if reason is not None:
            return NotLoaded(reason)
        if candidate is TREEGLASS:
            return self._load(playwright, candidate, source, tree)
        try:
            return self._load(playwright, candidate, source, tree)
        except (PlaywrightError, AssertionError) as failure:
            return NotLoaded(next(iter(str(failure).splitlines()), "no reason"))

    def _load(
        self, playwright: Playwright, candidate: Candidate, source: Source, tree: MountTree
    ) -> Loaded:
        content = _FOLDER_PAGE if source.form == "folder" else _FILE_PAGE
        with open_fresh_page(playwright, self._site, content) as page:
            self.browser = browser_version(page)
            _in_page(page, "prepare(given)", candidate.module)
            before = _look(page)
            page.locator("input").set_input_files(getattr(tree, source.form), timeout=0)
            _in_page(page, "takeSource(given)", source.kind)
            _in_page(page, "start(given)", source.kind)
            measured = _outcome(page)
            assert "failure" not in measured, measured["failure"]
            _in_page(page, "dropSource()", None)
            after = _look(page)
            _require_whole(_in_page(page, "prove(given)", list(tree.samples)), candidate, tree)
        return Loaded(
            measured["takenMs"],
            measured["longestBlockMs"],
            measured["longestTaskMs"],
            before,
            after,
        )

    def list_directory_handle(self, playwright: Playwright) -> Listed:
        """Mount the origin private file system, filled before, and list it."""
        with open_fresh_page(playwright, self._site, _FILE_PAGE) as page:
            module = "(await import('/lazy_directory.mjs'))"
            entry_count = DIRECTORY_COUNT * (1 + FILES_PER_DIRECTORY)
            given = {
                "directoryCount": DIRECTORY_COUNT,
                "filesPerDirectory": FILES_PER_DIRECTORY,
                "entryCount": entry_count,
            }
            page.evaluate(f"async (given) => {module}.makeFiles(given)", given)
            said = page.evaluate(f"async (given) => {module}.measureDirectory(given)", given)
        parts = "".join(f"\npart_{part:02}/" for part in range(DIRECTORY_COUNT))
        assert said["listing"] == f"Absolute path: /repo{parts}", said["listing"]
        assert said["listedCount"] == entry_count, said["listedCount"]
        return Listed(said["mountMs"], said["firstMs"], said["wholeMs"])


def _in_page(page: Page, expression: str, given: object) -> Any:
    module = "(await import('/measure.mjs'))"
    return page.evaluate(f"async (given) => {module}.{expression}", given)


def _outcome(page: Page) -> dict[str, Any]:
    # Waited for by the driver, whose timeout also ends the wait for a page that is busy for ever.
    # Polled seldom, since each poll interrupts what is measured.
    try:
        waited = page.wait_for_function(
            "() => globalThis.measured", polling=500, timeout=MAX_LOAD_S * 1000
        )
    except PlaywrightTimeoutError:
        raise AssertionError(f"took more than {MAX_LOAD_S} s") from None
    measured: dict[str, Any] = waited.json_value()
    return measured


def _look(page: Page) -> BrowserMemory:
    page.request_gc()
    return look_at_browsers()


def _require_whole(proof: Mapping[str, Any], candidate: Candidate, tree: MountTree) -> None:
    """Fail if something else than the tree was loaded."""
    assert proof["fileCount"] == tree.file_count, f"holds {proof['fileCount']:,} files in all"
    texts = list(tree.samples.values())
    if candidate is TREEGLASS:
        assert proof["listing"] == tree.listing, proof["listing"]
        texts = [_as_read_file(text) for text in texts]
    assert proof["texts"] == texts, "holds other contents"


def _as_read_file(text: str) -> str:
    lines = enumerate(text.splitlines(), start=1)
    return "\n".join(f"L{number}: {line}" for number, line in lines)
