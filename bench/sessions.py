"""The sessions that are compared: a bare Pyodide, the npm package, and the wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.fresh_page import browser_version, open_fresh_page
from bench.work import FIRST_CALL, FIRST_TREE, READ, WALK, WORKS, Trees
from tests.support.browser_memory import BrowserMemory, look_at_browsers
from tests.support.start_json import with_worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Playwright

_HERE = Path(__file__).parent
_ROOT = _HERE.parent
_BLANK = b'<!doctype html><title>bench</title><link rel="icon" href="data:,"><input type="file">'
_WATCHED_WORKER = b'import "/watch_heap.mjs";\nimport "/npm/assets/worker.js";\n'


class Footprint(NamedTuple):
    """The memory in use at one stage of a session."""

    memory: BrowserMemory
    heap_bytes: int | None
    """The interpreter's WebAssembly memory."""


class Session(NamedTuple):
    """The measurements of one session."""

    first_ms: float
    works: list[dict[str, Any]]
    """For each work `taken_ms` and `answer`."""
    mount_ms: float | None
    footprints: dict[str, Footprint]
    about: str
    """Versions, for the head of the report."""


class Stand:
    """Copies of everything that the sessions use, which no build can change.

    Args:
        top: An empty folder for the copy.
        trees: The trees, which are read only.
    """

    def __init__(self, top: Path, trees: Trees) -> None:
        self._trees = trees
        self._site = top / "site"
        self._site.mkdir()
        shutil.copytree(_ROOT / "dist" / "npm", self._site / "npm")
        shutil.copytree(_ROOT / "dist" / "npm", self._site / "watched")
        watched = self._site / "watched"
        start = watched / "assets" / "start.json"
        start.write_bytes(with_worker(start.read_bytes(), _WATCHED_WORKER))
        (watched / "assets" / "worker.js").write_bytes(_WATCHED_WORKER)
        shutil.copytree(_ROOT / "web" / "node_modules" / "pyodide", self._site / "pyodide")
        for name in ("page.mjs", "bare_worker.mjs", "watch_heap.mjs"):
            shutil.copyfile(_HERE / name, self._site / name)
        self._wheel = next((_ROOT / "dist" / "wheels").glob("treeglass-*.whl"))
        self._first_folder = top / "first"
        for name, content in FIRST_TREE.items():
            path = self._first_folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")

    @contextmanager
    def _page(self, playwright: Playwright) -> Iterator[Page]:
        with open_fresh_page(playwright, self._site, _BLANK) as page:
            _in_page(page, "firstResult.name", None)
            yield page

    def bare_pyodide(self, playwright: Playwright) -> Session:
        """Time a bare `loadPyodide()`."""
        with self._page(playwright) as page:
            blank = _look(page)
            said = _in_page(page, "bareStart()", None)
            footprints = {"blank": blank, "bare": _look(page)}
        return Session(said["takenMs"], [], None, footprints, f"Pyodide {said['version']}")

    def cold_start(self, playwright: Playwright) -> Session:
        """Time the package as it is, from `connect()` to its first answer."""
        with self._page(playwright) as page:
            said = _first_result(page, "/npm/")
        return Session(said["takenMs"], [], None, {}, "")

    def browser_session(self, playwright: Playwright) -> Session:
        """Make every call in one page; the interpreter's memory is watched."""
        with self._page(playwright) as page:
            first = _first_result(page, "/watched/")
            footprints = {"first": _look(page)}
            mount_ms = _mount(page, "/tree", "archive", self._trees.tree_zip)
            _mount(page, "/flat", "archive", self._trees.flat_zip)
            _mount(page, "/big", "files", self._trees.big / "big.txt")
            works = []
            for work in WORKS:
                call = {"tool": work.tool, "args": work.arguments}
                _in_page(page, "repeatCall(given)", {**call, "repeats": 1})
                if work in (WALK, READ):
                    footprints[work.label] = _look(page)
                said = _in_page(page, "repeatCall(given)", {**call, "repeats": work.repeats})
                works.append({"taken_ms": said["takenMs"], "answer": said["answer"]})
            about = browser_version(page)
        return Session(first["takenMs"], works, mount_ms, footprints, about)

    def cpython_session(self) -> Session:
        """Make every call on CPython, with the built wheel and nothing of the sources."""
        trees = self._trees
        task = {
            "first_mounts": {"/repo": str(self._first_folder)},
            "first_call": FIRST_CALL,
            "mounts": {"/tree": str(trees.tree), "/flat": str(trees.flat), "/big": str(trees.big)},
            "works": [work._asdict() for work in WORKS],
        }
        done = subprocess.run(
            [sys.executable, _HERE / "cpython_session.py"],
            input=json.dumps(task),
            env={**os.environ, "PYTHONPATH": str(self._wheel)},
            capture_output=True,
            text=True,
            check=True,
        )
        said = json.loads(done.stdout)
        assert said["package"].startswith(str(self._wheel)), "the wheel was not what ran"
        footprints = {
            stage: Footprint(BrowserMemory(peak, None), None)
            for stage, peak in said["peak_bytes"].items()
        }
        about = f"CPython {said['python']}"
        return Session(said["first_ms"], said["works"], None, footprints, about)


def _in_page(page: Page, expression: str, given: object) -> Any:
    module = "(await import('/page.mjs'))"
    return page.evaluate(f"async (given) => {module}.{expression}", given)


def _first_result(page: Page, base: str) -> dict[str, Any]:
    given = {"base": base, "entries": FIRST_TREE, "call": FIRST_CALL}
    said: dict[str, Any] = _in_page(page, "firstResult(given)", given)
    return said


def _mount(page: Page, path: str, kind: str, upload: Path) -> float:
    page.locator("input").set_input_files(upload)
    taken_ms: float = _in_page(page, "mountChosen(given)", {"path": path, "kind": kind})
    return taken_ms


def _look(page: Page) -> Footprint:
    heap = page.workers[0].evaluate("wasmHeapBytes()") if page.workers else None
    return Footprint(look_at_browsers(), heap)
