"""One visit: a candidate starts in a browser process of its own, and gives its first answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bench.starts.profiles import open_visit
from bench.work import FIRST_CALL, FIRST_TREE
from tests.support.browser_memory import BrowserMemory, look_at_browsers

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Playwright

    from bench.starts.server import Sent, Served

_SETTLE_MS = 2_000
"""How long a browser is left alone once it is open: Chromium loads pages of its own meanwhile,
which would take part of the machine from the shortest starts."""

_STAY_MS = 1_000
"""How long a visit lasts; a browser writes its cache some time after the page loaded."""

_WIDE_TREE = {f"entry_{number:06}.txt": "" for number in range(200_000)}
_OVERRUN_MS = 1
_REPLACED = (
    f"list_dir ran longer than its {_OVERRUN_MS} ms and was stopped. The worker was replaced, "
    "and every mount is back. Ask for less at once, or pass a larger timeoutMs."
)

_LISTED = "package"
"""The directory of the first tree that holds its files."""

_GIVEN = {
    "image": {"base": "/npm/"},
    "packages": {"base": "/packages/"},
    "bare": {"module": "/page/bare_worker.mjs"},
    "usual": {"module": "/page/usual_worker.mjs"},
    "just-bash": {"module": "/shell/just_bash.js", "directory": _LISTED},
}
CANDIDATES = tuple(_GIVEN)
"""Every candidate, in the order of the report."""

_WAYS = {"image", "packages"}
"""The candidates whose client reports the way in which it started."""

_STARTS = {"base": "startPackage", "directory": "startShell"}


class Visit(NamedTuple):
    """The measurements of one visit."""

    taken_ms: float
    """To the first answer."""
    import_ms: float
    """The time to import the candidate's module before that; 0 if the page imports no module."""
    start: dict[str, Any] | None
    """The client's own report on its start; None for candidates without our client."""
    sent: tuple[Sent, ...]
    """The responses up to the first answer, the page's own left out."""
    later_bytes: int
    """Sent after the first answer, while the visitor stayed."""
    memory: BrowserMemory | None
    """Right after the first answer; None if this system does not report it."""
    respawn_ms: float | None
    """From the end of a call's time limit to the next answer, by a new worker with the same mounts;
    None if it was not measured."""
    version: str
    """The browser's."""

    @property
    def sent_bytes(self) -> int:
        """The bodies up to the first answer, as they were sent."""
        return sum(response.body_bytes for response in self.sent)


def visit(
    playwright: Playwright,
    served: Served,
    *,
    browser: str,
    candidate: str,
    profile: Path,
    overruns: bool,
) -> Visit:
    """Measure one start.

    Args:
        playwright: The driver.
        served: What is visited.
        browser: "chromium" or "firefox".
        candidate: One of `CANDIDATES`.
        profile: See `open_visit`.
        overruns: Whether a call is made to overrun once all else is measured;
            of the candidates that are the package only.

    Raises:
        AssertionError: The page misbehaved, something was not found, the answer
            is not what it has to be, or the package started in the other way.
    """
    with open_visit(playwright, browser, profile) as page:
        page.goto(f"{served.origin}/blank.html")
        page.evaluate("async () => (await import('/page/starts.mjs')).startWorker.name")
        page.wait_for_timeout(_SETTLE_MS)
        served.take_log()
        said = _start(page, candidate)
        sent = tuple(served.take_log())
        memory = look_at_browsers() if browser == "chromium" else None
        page.wait_for_timeout(_STAY_MS)
        later_bytes = sum(response.body_bytes for response in served.take_log())
        respawn_ms = _overrun(page) if overruns else None
        version = page.context.browser.version if page.context.browser else ""
    missing = [response.path for response in sent if response.status not in {200, 304}]
    assert not missing, f"{candidate} asked for what is not there: {missing}"
    assert said["content"] == _answer(candidate), f"{candidate} answered {said['content']!r}"
    if candidate in _WAYS:
        assert said["start"]["way"] == candidate, f"not by the {candidate}: {said['start']}"
    return Visit(
        said["takenMs"],
        said["importMs"],
        said["start"],
        sent,
        later_bytes,
        memory,
        respawn_ms,
        version,
    )


def _start(page: Page, candidate: str) -> dict[str, Any]:
    given = {**_GIVEN[candidate], "entries": FIRST_TREE, "call": FIRST_CALL}
    start = next((name for key, name in _STARTS.items() if key in given), "startWorker")
    said: dict[str, Any] = page.evaluate(
        f"async (given) => (await import('/page/starts.mjs')).{start}(given)", given
    )
    return said


def _overrun(page: Page) -> float:
    given = {"wide": _WIDE_TREE, "timeoutMs": _OVERRUN_MS, "call": FIRST_CALL}
    said = page.evaluate(
        "async (given) => (await import('/page/starts.mjs')).overrun(given)", given
    )
    assert said["message"] == _REPLACED, said["message"]
    assert said["content"] == _answer("image"), said["content"]
    taken_ms: float = said["takenMs"]
    return taken_ms


def _answer(candidate: str) -> str:
    """Return the whole answer that the candidate must give."""
    names = sorted(path.removeprefix(f"{_LISTED}/") for path in FIRST_TREE)
    if candidate == "bare":
        return ""
    if candidate == "just-bash":
        return "".join(f"{name}\n" for name in names)
    return "\n".join(["Absolute path: /repo", f"{_LISTED}/", *(f"  {name}" for name in names)])
