"""One measurement: a candidate, a source and a tree in a browser process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from bench.page import bundle, in_page, lay_out
from bench.runner import say
from tests.support.hosts.browser_memory import BrowserMemory, look_at_browsers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page

    from bench.facts import Value
    from bench.mounting.trees import MountTree, Source
    from bench.runner import Bench

_PAGE = Path(__file__).parent / "page"
_FILE_PAGE = (
    b'<!doctype html><title>bench</title><link rel="icon" href="data:,"><input type="file">'
)
_FOLDER_PAGE = _FILE_PAGE.replace(b'"file"', b'"file" webkitdirectory')

_FIGURES = ("taken_ms", "block_ms", "share_bytes", "peak_bytes")

MAX_LOAD_S = 180
"""A tree that takes longer to load counts as not loaded."""

DIRECTORY_COUNT = 20
FILES_PER_DIRECTORY = 100
"""In the directory handle; making more takes longer than measuring the rest."""


class Candidate(NamedTuple):
    """A way to load a tree."""

    name: str
    module: str
    """The file in `page/`, without its suffix."""
    unable: dict[str, str]
    """For each kind of source that it does not take, the reason."""


TREEGLASS = Candidate("treeglass", "treeglass", {})
PEERS = (
    Candidate("just-bash", "just_bash", {}),
    Candidate("memfs", "memfs", {"lazyFiles": "takes contents only"}),
)
CANDIDATES = (TREEGLASS, *PEERS)


def lay_out_candidates(site: Path) -> Path:
    """Put every script of the page into a new folder, the peers' bundled; return it."""
    scripts = ("heartbeat.mjs", "measure.mjs", "lazy_directory.mjs", "treeglass.mjs")
    lay_out(site, *(_PAGE / name for name in scripts))
    for peer in PEERS:
        bundle(_PAGE / f"{peer.module}.mjs", site / f"{peer.module}.mjs")
    return site


def load(
    bench: Bench, site: Path, candidate: Candidate, source: Source, tree: MountTree
) -> dict[str, Value]:
    """Load a tree in a new browser, and return the figures of a tree that was found whole.

    `block_ms` is the longest block of the page's main thread by its heartbeat, `task_ms` the same
    by the browser's own list, which leaves out tasks under 50 ms.

    A peer that fails is a result, whatever the failure; treeglass may not fail.
    """
    reason = candidate.unable.get(source.kind)
    if reason is None:
        try:
            return _load(bench, site, candidate, source, tree)
        except (PlaywrightError, AssertionError) as failure:
            if candidate is TREEGLASS:
                raise
            reason = next(iter(str(failure).splitlines()), "no reason")
    say(f"not loaded: {reason}")
    return dict.fromkeys(_FIGURES, f"not loaded: {reason}")


def _load(
    bench: Bench, site: Path, candidate: Candidate, source: Source, tree: MountTree
) -> dict[str, Value]:
    content = _FOLDER_PAGE if source.form == "folder" else _FILE_PAGE
    with bench.open_page(site, content) as page:
        _measure(page, "prepare(given)", candidate.module)
        before = _look(page)
        page.locator("input").set_input_files(getattr(tree, source.form), timeout=0)
        _measure(page, "takeSource(given)", source.kind)
        _measure(page, "start(given)", source.kind)
        measured = _outcome(page)
        assert "failure" not in measured, measured["failure"]
        _measure(page, "dropSource()")
        after = _look(page)
        _require_whole(_measure(page, "prove(given)", list(tree.samples)), candidate, tree)
    found = {
        "taken_ms": measured["takenMs"],
        "block_ms": measured["longestBlockMs"],
        "task_ms": measured["longestTaskMs"],
        "share_before_bytes": before.browser_share_bytes,
        "share_bytes": after.browser_share_bytes,
        "peak_bytes": after.renderer_peak_bytes,
    }
    return {name: value for name, value in found.items() if value is not None}


def list_directory_handle(bench: Bench, site: Path) -> dict[str, Value]:
    """Mount the origin private file system, filled before, and list it."""
    entry_count = DIRECTORY_COUNT * (1 + FILES_PER_DIRECTORY)
    given = {
        "directoryCount": DIRECTORY_COUNT,
        "filesPerDirectory": FILES_PER_DIRECTORY,
        "entryCount": entry_count,
    }
    with bench.open_page(site, _FILE_PAGE) as page:
        in_page(page, "lazy_directory.mjs", "makeFiles(given)", given)
        said = in_page(page, "lazy_directory.mjs", "measureDirectory(given)", given)
    parts = "".join(f"\npart_{part:02}/" for part in range(DIRECTORY_COUNT))
    assert said["listing"] == f"Absolute path: /repo{parts}", said["listing"]
    assert said["listedCount"] == entry_count, said["listedCount"]
    return {"mount_ms": said["mountMs"], "first_ms": said["firstMs"], "whole_ms": said["wholeMs"]}


def _measure(page: Page, expression: str, given: object = None) -> Any:
    return in_page(page, "measure.mjs", expression, given)


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
