"""How long a reader of a documentation page waits for a live answer.

Run by `uv run python -m bench.demos.measure --runs 5`, over the built `dist/npm`.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from bench.figures import machine, spread, spread_ratios, table, told_runs
from bench.fresh_page import open_fresh_page
from build_steps.folders import NODE_MODULES, NPM
from tests.browser.packed_trees import zip_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page, Playwright

_TREES = ("shop", "other")
_FILES = {f"src/module_{number:02}.py": f"NUMBER = {number}\n" for number in range(20)}
_STARTS = Path(__file__).parent.parent / "starts" / "page"

_DEMOS = "\n".join(
    f"<treeglass-demo src='/{tree}.zip' tool='list_dir' arguments='{json.dumps(call)}'>"
    "<pre data-recorded>recorded</pre></treeglass-demo>"
    for tree in ("shop", "shop", "other")
    for call in [{"dir_path": "/repo"}]
)
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>demos</title>'
    f'<link rel="icon" href="data:,"><script type="module" src="/element.js"></script>{_DEMOS}'
).encode()
_BLANK = b'<!doctype html><title>bare</title><link rel="icon" href="data:,">'

# From the click, which the page makes itself so that the driver's delay does not count.
_CLICK = """async (number) => {
    await customElements.whenDefined("treeglass-demo");
    const demo = document.querySelectorAll("treeglass-demo")[number];
    const answered = new Promise((resolve, reject) => {
        demo.addEventListener("treeglass-result", resolve, { once: true });
        const refuse = ({ detail }) => reject(new Error(detail.message));
        demo.addEventListener("treeglass-failure", refuse, { once: true });
    });
    const before = performance.now();
    const buttons = [...demo.shadowRoot.querySelectorAll("button")];
    buttons.find(({ textContent }) => textContent.includes("Run")).click();
    await answered;
    return performance.now() - before;
}"""
_BARE = """() => new Promise((resolve, reject) => {
    const before = performance.now();
    const worker = new Worker("/page/bare_worker.mjs", { type: "module" });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = () => resolve(performance.now() - before);
})"""


class Visit(NamedTuple):
    """The waits of one reader, in milliseconds."""

    first_click_ms: float
    same_tree_ms: float
    other_tree_ms: float
    again_ms: float


def _read_page(page: Page) -> Visit:
    return Visit(*(float(page.evaluate(_CLICK, number)) for number in (0, 1, 2, 0)))


def _measure(playwright: Playwright, site: Path, runs: int) -> tuple[list[Visit], list[float]]:
    visits: list[Visit] = []
    bare_ms: list[float] = []
    for run in range(runs):
        # They take turns at being first, since the machine's other work may change.
        for is_bare in (run % 2 == 0, run % 2 == 1):
            content = _BLANK if is_bare else _PAGE
            with open_fresh_page(playwright, site, content) as page:
                if is_bare:
                    bare_ms.append(float(page.evaluate(_BARE)))
                else:
                    visits.append(_read_page(page))
    return visits, bare_ms


def _lay_out(site: Path) -> None:
    for file in NPM.iterdir():
        (site / file.name).symlink_to(file)
    (site / "pyodide").symlink_to(NODE_MODULES / "pyodide")
    (site / "page").symlink_to(_STARTS)
    for tree in _TREES:
        (site / f"{tree}.zip").write_bytes(zip_of({**_FILES, f"{tree}.txt": "1\n"}))


def _report(visits: Sequence[Visit], bare_ms: Sequence[float], loads: Sequence[float]) -> str:
    columns = {
        "the first demo": [visit.first_click_ms for visit in visits],
        "another demo of the same tree": [visit.same_tree_ms for visit in visits],
        "a demo of another tree": [visit.other_tree_ms for visit in visits],
        "the first demo, again,": [visit.again_ms for visit in visits],
    }
    rows = [
        (
            f"from a click on {what} to its answer",
            spread(taken, "ms"),
            spread_ratios(taken, bare_ms),
        )
        for what, taken in columns.items()
    ]
    rows.append(("a bare `loadPyodide()` in a worker", spread(bare_ms, "ms"), ""))
    told = [told_runs(len(visits)), machine(loads), ""]
    return "\n".join([*told, *table(("What", "Time", "of bare"), rows)])


def main() -> int:
    """Measure and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    loads = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder)
        _lay_out(site)
        visits, bare_ms = _measure(playwright, site, runs)
    loads.append(os.getloadavg()[0])
    print(_report(visits, bare_ms, loads))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
