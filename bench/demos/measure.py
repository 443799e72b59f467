"""The part of the report on demos: how long a reader of a page waits for a live answer."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from bench.page import BLANK_PAGE
from bench.report import cell, ratio, render_part, table
from bench.runner import Job, Part, run_rounds
from bench.starts.site import PAGES, STOCK
from build_steps.folders import NPM
from build_steps.runtime.bytecode import PYODIDE
from tests.browser.packed_trees import zip_of

if TYPE_CHECKING:
    from pathlib import Path

    from bench.facts import Facts, Round
    from bench.runner import Bench

_TREES = ("shop", "other")
_FILES = {f"src/module_{number:02}.py": f"NUMBER = {number}\n" for number in range(20)}

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
_START_BARE = """() => new Promise((resolve, reject) => {
    const before = performance.now();
    const worker = new Worker("/page/bare_worker.mjs", { type: "module" });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = () => resolve(performance.now() - before);
})"""

_CLICKS = {
    "from a click on the first demo to its answer": 0,
    "from a click on another demo of the same tree to its answer": 1,
    "from a click on a demo of another tree to its answer": 2,
    "from a click on the first demo, again, to its answer": 0,
}
"""In their order: the case, and the number of the demo in the page."""

_BARE = "a bare `loadPyodide()` in a worker"
_ELEMENT = "element"
_METHOD = "Every visit is a new browser process; a ratio is to the bare start of the same run."


def _measure(bench: Bench) -> list[Round]:
    _lay_out(bench.folder)
    jobs = [Job(name, partial(_visit, bench, name)) for name in (_ELEMENT, _BARE)]
    return run_rounds([jobs], bench.run_count)


def _lay_out(site: Path) -> None:
    for file in NPM.iterdir():
        (site / file.name).symlink_to(file)
    (site / STOCK).symlink_to(PYODIDE)
    (site / "page").symlink_to(PAGES)
    for tree in _TREES:
        (site / f"{tree}.zip").write_bytes(zip_of({**_FILES, f"{tree}.txt": "1\n"}))


def _visit(bench: Bench, name: str) -> Round:
    with bench.open_page(bench.folder, _PAGE if name == _ELEMENT else BLANK_PAGE) as page:
        if name == _BARE:
            return {_BARE: {_BARE: {"taken_ms": page.evaluate(_START_BARE)}}}
        return {
            case: {_ELEMENT: {"taken_ms": page.evaluate(_CLICK, number)}}
            for case, number in _CLICKS.items()
        }


def _render(facts: Facts) -> str:
    bare = (_BARE, _BARE, "taken_ms")
    ours = [(case, _ELEMENT, "taken_ms") for case in _CLICKS]
    rows = [[one[0], cell(facts, *one), ratio(facts, one, bare)] for one in ours]
    rows.append([_BARE, cell(facts, *bare), ""])
    return render_part(facts, _METHOD, table(["What", "Time", "of bare"], rows))


DEMOS = Part("Demos", 5, _measure, _render)
