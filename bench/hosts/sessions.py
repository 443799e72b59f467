"""One session of each host: a new process or a new page, from its start to its last call."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.hosts.tasks import as_json, write_trees
from build_steps.programs import find_program
from tests.browser_support import launch_browser, open_watched_page, serve_directory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import Playwright

_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent
_PAGES = _HERE / "page"
_BLANK = b'<!doctype html><title>bench</title><link rel="icon" href="data:,">'


class Session(NamedTuple):
    """What one session measured."""

    start_ms: float
    """From the start of the process or the page to the first answer."""
    first: str
    works: list[dict[str, Any]]
    """For each work `takenMs`, the mean of its calls, and `answer`."""
    about: str


class HostStand:
    """Everything that the sessions are made from, copied so that no build can change it.

    Args:
        top: An empty folder.
        playwright: The driver of Chromium and Firefox.
    """

    def __init__(self, top: Path, playwright: Playwright) -> None:
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
        environment = {**os.environ, "PYTHONPATH": str(self._wheel)}
        return _in_process(command, task, f"CPython {platform.python_version()}", environment)

    def plain(self) -> Session:
        """Start a plain Pyodide under Node, and ask the bridge in it."""
        (wheels,) = (self._package / "assets").glob("treeglass-*/")
        task = {
            **as_json(),
            "session": "plain",
            "pyodide": _folder_url(_ROOT / "web" / "node_modules" / "pyodide"),
            "wheels": _folder_url(wheels),
        }
        return self._javascript([find_program("node")], task, "Pyodide under Node")

    def runtime(self, name: str, command: Sequence[str], *, has_folders: bool = False) -> Session:
        """Start the package under a runtime.

        Args:
            name: How the report calls the runtime.
            command: What starts it, up to the name of a script.
            has_folders: Whether the trees are folders of this machine, and else entries.
        """
        entry = (self._package / "edge.js").as_uri()
        task = {**as_json(), "session": "package", "package": entry}
        if has_folders:
            task["directories"] = self._directories
        return self._javascript(command, task, name)

    def _javascript(self, command: Sequence[str], task: Mapping[str, Any], name: str) -> Session:
        return _in_process([*command, str(_HERE / "program.mjs")], task, name, dict(os.environ))

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
            about = f"{name.capitalize()} {browser.version}"
        return Session(said["startMs"], said["first"], said["works"], about)


def _in_process(
    command: Sequence[str], task: Mapping[str, Any], name: str, environment: Mapping[str, str]
) -> Session:
    started_s = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(task))
        running.stdin.close()
        first = json.loads(running.stdout.readline() or "{}")
        start_ms = (time.perf_counter() - started_s) * 1000
        rest = json.loads(running.stdout.readline() or "{}")
    assert running.returncode == 0, f"{name} ended with {running.returncode}"
    version = rest.get("version", "")
    return Session(start_ms, first["first"], rest["works"], f"{name} {version}".strip())


def _folder_url(folder: Path) -> str:
    return f"{folder.as_uri()}/"
