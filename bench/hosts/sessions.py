"""One session of each host: a new process or a new page, from its start to its last call."""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import Request, urlopen

from bench.hosts.tasks import LARGE_SOURCES, WORKS, as_json, write_large_trees, write_trees
from bench.page import BLANK_PAGE, browser_version, in_page, lay_out
from build_steps.folders import NODE_MODULES, WHEELS
from tests.support.hosts.browser_memory import look_at_browsers
from tests.support.hosts.edge_support import command_of, environment, version_of
from tests.support.hosts.webkit_support import launch_webkit
from tests.support.hosts.workerd_support import serving, workerd_version
from tests.support.served_directory import serve_directory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.hosts.tasks import Work
    from bench.runner import Bench
    from tests.support.hosts.workerd_support import RunningWorkerd

_HERE = Path(__file__).parent
_PAGES = _HERE / "page"
_PROGRAM = _HERE / "program.mjs"
_IDLE_REQUESTS = 20


class Session(NamedTuple):
    """The measurements of one session."""

    start_ms: float
    """From the start of the process or the page to the first answer."""
    first: str
    works: list[dict[str, Any]]
    """For each work `takenMs`, the mean of its calls, and `answer`."""
    about: str
    peak_bytes: int | None = None
    """The peak of resident memory of the process, or of the page's; None if it is unknown."""


class HostStand:
    """Copies of everything that the sessions use, which no build can change."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._top = top = bench.folder
        self._site = lay_out(top / "site", *_PAGES.iterdir())
        self._package = self._site / "npm"
        large = write_large_trees(self._site / "large")
        folders = {path: {"directory": folder} for path, folder in large.items()}
        self._folder_task = {**as_json(folders), "directories": write_trees(top / "trees")}

    def cpython(self) -> Session:
        """Start CPython with the built wheel, over folders."""
        (wheel,) = WHEELS.glob("treeglass-*.whl")
        command = [sys.executable, str(_HERE / "cpython_program.py")]
        variables = {**os.environ, "PYTHONPATH": str(wheel)}
        name = f"CPython {platform.python_version()}"
        return _in_process(command, self._folder_task, name, variables)

    def plain(self) -> Session:
        """Start a plain Pyodide under Node, and ask the bridge in it."""
        (wheels,) = (self._package / "assets").glob("treeglass-*/")
        task = {
            **as_json(),
            "session": "plain",
            "pyodide": _folder_url(NODE_MODULES / "pyodide"),
            "wheels": _folder_url(wheels),
        }
        return _in_process(command_of("node", _PROGRAM), task, "Pyodide under Node", environment())

    def runtime(self, name: str, *, has_folders: bool = False) -> Session:
        """Start the package under Node, Deno or Bun, over folders of this machine or entries."""
        entry = (self._package / "edge.js").as_uri()
        given = self._folder_task if has_folders else as_json()
        task = {**given, "session": "package", "package": entry}
        command = command_of(name, _PROGRAM, readable=[self._top])
        return _in_process(command, task, version_of(name), environment())

    def browser(self, name: str) -> Session:
        """Open a page of a new Chromium or Firefox; its start is that of the page."""
        with self._bench.open_page(self._site, name=name) as page:
            said = in_page(page, "in_page.mjs", "runSession(given)", as_json(LARGE_SOURCES))
            memory = look_at_browsers() if name == "chromium" else None
            peak = memory.renderer_peak_bytes if memory else None
            return _of_page(said, browser_version(page), peak)

    def webkit(self) -> Session:
        """Open a page of a new WebKitGTK; its start is that of the page."""
        with (
            serve_directory(self._site, pages={"/blank.html": BLANK_PAGE}) as origin,
            launch_webkit() as webkit,
        ):
            webkit.driver.get(f"{origin}/blank.html")
            run = "return (await import('/in_page.mjs')).runSession(given);"
            return _of_page(webkit.run(run, as_json(LARGE_SOURCES)), webkit.version)

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
            peak = _peak_bytes(running.process.pid)
        return Session(start_ms, first, works, workerd_version(), peak)


def _asked(running: RunningWorkerd, work: Work | None, count: int) -> tuple[str, float]:
    """Let a Worker repeat a call; return its last answer, and the time of all in milliseconds."""
    body = json.dumps({"work": work and work._asdict(), "count": count}).encode()
    started_s = time.perf_counter()
    request = Request(running.origin, body)  # noqa: S310  # our own Worker
    with urlopen(request) as reply:  # noqa: S310  # the same
        answer = reply.read().decode()
    return answer, (time.perf_counter() - started_s) * 1000


def _of_page(said: Mapping[str, Any], about: str, peak: int | None = None) -> Session:
    return Session(said["startMs"], said["first"], said["works"], about, peak)


def _in_process(
    command: Sequence[str], task: Mapping[str, Any], name: str, variables: Mapping[str, str]
) -> Session:
    started_s = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(f"{json.dumps(task)}\n")
        running.stdin.flush()
        first = json.loads(running.stdout.readline() or "{}")
        start_ms = (time.perf_counter() - started_s) * 1000
        rest = json.loads(running.stdout.readline() or "{}")
        peak = _peak_bytes(running.pid)
        running.stdin.close()
    assert running.returncode == 0, f"{name} ended with {running.returncode}"
    return Session(start_ms, first["first"], rest["works"], name, peak)


def _peak_bytes(pid: int) -> int | None:
    """Return the peak of resident memory of a running process; None if it is not reported."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text("utf-8")) if status.exists() else None
    return int(found[1]) * 1024 if found else None


def _folder_url(folder: Path) -> str:
    return f"{folder.as_uri()}/"
