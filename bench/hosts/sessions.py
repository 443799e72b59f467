"""One session of each host: a new process or a new page, from its start to its last call."""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import Request, urlopen

from bench.hosts.tasks import WORKS, as_json, write_trees
from tests.support.browser_support import launch_browser, open_watched_page
from tests.support.edge_support import command_of, environment, version_of
from tests.support.served_directory import serve_directory
from tests.support.webkit_support import launch_webkit
from tests.support.workerd_support import serving, workerd_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import Playwright

    from bench.hosts.tasks import Work
    from tests.support.workerd_support import RunningWorkerd

_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent
_PAGES = _HERE / "page"
_PROGRAM = _HERE / "program.mjs"
_IDLE_REQUESTS = 20
_BLANK = b'<!doctype html><title>bench</title><link rel="icon" href="data:,">'


class Session(NamedTuple):
    """The measurements of one session."""

    start_ms: float
    """From the start of the process or the page to the first answer."""
    first: str
    works: list[dict[str, Any]]
    """For each work `takenMs`, the mean of its calls, and `answer`."""
    about: str


class HostStand:
    """Copies of everything that the sessions use, which no build can change.

    Args:
        top: An empty folder.
        playwright: The driver of Chromium and Firefox.
    """

    def __init__(self, top: Path, playwright: Playwright) -> None:
        self._top = top
        self._playwright = playwright
        self._site = top / "site"
        self._package = self._site / "npm"
        shutil.copytree(_ROOT / "dist" / "npm", self._package)
        for script in _PAGES.iterdir():
            shutil.copyfile(script, self._site / script.name)
        (self._wheel,) = (_ROOT / "dist" / "wheels").glob("treeglass-*.whl")
        (top / "trees").mkdir()
        self._directories = write_trees(top / "trees")

    def cpython(self) -> Session:
        """Start CPython with the built wheel, over folders."""
        command = [sys.executable, str(_HERE / "cpython_program.py")]
        task = {**as_json(), "directories": self._directories}
        variables = {**os.environ, "PYTHONPATH": str(self._wheel)}
        return _in_process(command, task, f"CPython {platform.python_version()}", variables)

    def plain(self) -> Session:
        """Start a plain Pyodide under Node, and ask the bridge in it."""
        (wheels,) = (self._package / "assets").glob("treeglass-*/")
        task = {
            **as_json(),
            "session": "plain",
            "pyodide": _folder_url(_ROOT / "web" / "node_modules" / "pyodide"),
            "wheels": _folder_url(wheels),
        }
        return _in_process(command_of("node", _PROGRAM), task, "Pyodide under Node", environment())

    def runtime(self, name: str, *, has_folders: bool = False) -> Session:
        """Start the package under Node, Deno or Bun.

        Args:
            name: `node`, `deno` or `bun`.
            has_folders: Whether the trees are folders of this machine, or else entries.

        Raises:
            RuntimeNotFound: The runtime is not on this machine.
        """
        entry = (self._package / "edge.js").as_uri()
        task = {**as_json(), "session": "package", "package": entry}
        if has_folders:
            task["directories"] = self._directories
        command = command_of(name, _PROGRAM, readable=[self._top])
        return _in_process(command, task, version_of(name), environment())

    def browser(self, name: str) -> Session:
        """Open a page of a new Chromium or Firefox; its start is that of the page."""
        with serve_directory(self._site, pages={"/blank.html": _BLANK}) as origin:
            browser = launch_browser(self._playwright, name)
            try:
                with open_watched_page(browser) as page:
                    page.goto(f"{origin}/blank.html")
                    run = "async (task) => (await import('/in_page.mjs')).runSession(task)"
                    said = page.evaluate(run, as_json())
            finally:
                browser.close()
            return _of_page(said, f"{name.capitalize()} {browser.version}")

    def webkit(self) -> Session:
        """Open a page of a new WebKitGTK; its start is that of the page.

        Raises:
            WebKitNotFound: WebKitGTK is not on this machine.
        """
        with (
            serve_directory(self._site, pages={"/blank.html": _BLANK}) as origin,
            launch_webkit() as webkit,
        ):
            webkit.driver.get(f"{origin}/blank.html")
            run = "return (await import('/in_page.mjs')).runSession(given);"
            return _of_page(webkit.run(run, as_json()), webkit.version)

    def workerd(self) -> Session:
        """Start workerd with a Worker that connects in its global scope.

        Its clock stands still while it computes, so the time is taken here; the time of a request
        that makes no call is subtracted.
        """
        modules = {
            "worker.mjs": (_HERE / "worker.mjs").read_text("utf-8"),
            "session.mjs": (_PAGES / "session.mjs").read_text("utf-8"),
            "task.mjs": f"export default {json.dumps(as_json())};\n",
        }
        with TemporaryDirectory(dir=self._top) as folder, serving(Path(folder), modules) as running:
            first, _ = _asked(running, None, 0)
            start_ms = (time.perf_counter() - running.started_s) * 1000
            idle_ms = statistics.median(_asked(running, None, 0)[1] for _ in range(_IDLE_REQUESTS))
            works = []
            for work in WORKS:
                answer, _ = _asked(running, work, 1)
                _, taken_ms = _asked(running, work, work.repeats)
                works.append({"takenMs": (taken_ms - idle_ms) / work.repeats, "answer": answer})
        return Session(start_ms, first, works, workerd_version())


def _asked(running: RunningWorkerd, work: Work | None, count: int) -> tuple[str, float]:
    """Let a Worker repeat a call; return its last answer, and the time of all in milliseconds."""
    body = json.dumps({"work": work and work._asdict(), "count": count}).encode()
    started_s = time.perf_counter()
    request = Request(running.origin, body)  # noqa: S310  # our own Worker
    with urlopen(request) as reply:  # noqa: S310  # the same
        answer = reply.read().decode()
    return answer, (time.perf_counter() - started_s) * 1000


def _of_page(said: Mapping[str, Any], about: str) -> Session:
    return Session(said["startMs"], said["first"], said["works"], about)


def _in_process(
    command: Sequence[str], task: Mapping[str, Any], name: str, variables: Mapping[str, str]
) -> Session:
    started_s = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(task))
        running.stdin.close()
        first = json.loads(running.stdout.readline() or "{}")
        start_ms = (time.perf_counter() - started_s) * 1000
        rest = json.loads(running.stdout.readline() or "{}")
    assert running.returncode == 0, f"{name} ended with {running.returncode}"
    return Session(start_ms, first["first"], rest["works"], name)


def _folder_url(folder: Path) -> str:
    return f"{folder.as_uri()}/"
