"""One visit: a candidate starts in a browser process of its own, and gives its first answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.starts.profiles import open_visit
from tests.support.browser_memory import look_at_browsers

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Playwright

    from bench.facts import Value
    from bench.starts.server import Served

FIRST_CALL = ("list_dir", {"dir_path": "/repo"})
FIRST_TREE = {f"package/module_{number:02}.py": f"x = {number}\n" for number in range(20)}
"""The mounted tree of the first call: 20 files."""

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
    "just-bash": {"module": "/shell/just-bash.js", "directory": _LISTED},
}
CANDIDATES = tuple(_GIVEN)
"""Every candidate, in the order of the report."""

_WAYS = {"image", "packages"}
"""The candidates whose client reports the way in which it started."""

_STARTS = {"base": "startPackage", "directory": "startShell"}


def visit(
    playwright: Playwright,
    served: Served,
    *,
    browser: str,
    candidate: str,
    profile: Path,
    overruns: bool,
) -> tuple[dict[str, Value], str]:
    """Return the figures of one start, and the browser's version.

    `taken_ms` is the time to the first answer, for just-bash with the import of its module, which
    is all of the shell; `whole_ms` has that import for every candidate.
    `sent_bytes` and `responses` are of the bodies up to the first answer, as they were sent and
    without the page's own; `later_bytes` of those after it, while the visitor stayed.
    `<phase>_started_ms` and `<phase>_elapsed_ms` are the client's own report on its start.
    `respawn_ms` is the time from the end of a call's time limit to the next answer, by a new worker
    with the same mounts.

    Args:
        playwright: The driver.
        served: What is visited.
        browser: "chromium" or "firefox".
        candidate: One of `CANDIDATES`.
        profile: See `open_visit`.
        overruns: True if a call is made to overrun once all else is measured;
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
        peak, share = look_at_browsers() if browser == "chromium" else (None, None)
        page.wait_for_timeout(_STAY_MS)
        later_bytes = sum(response.body_bytes for response in served.take_log())
        respawn_ms = _overrun(page) if overruns else None
        version = page.context.browser.version if page.context.browser else ""
    missing = [response.path for response in sent if response.status not in {200, 304}]
    assert not missing, f"{candidate} asked for what is not there: {missing}"
    assert said["content"] == _answer(candidate), f"{candidate} answered {said['content']!r}"
    if candidate in _WAYS:
        assert said["start"]["way"] == candidate, f"not by the {candidate}: {said['start']}"
    whole_ms = said["importMs"] + said["takenMs"]
    found = {
        "taken_ms": whole_ms if candidate == "just-bash" else said["takenMs"],
        "whole_ms": whole_ms,
        "responses": len(sent),
        "sent_bytes": sum(response.body_bytes for response in sent),
        "later_bytes": later_bytes,
        "peak_bytes": peak,
        "share_bytes": share,
        "respawn_ms": respawn_ms,
        **_phases(said["start"]),
    }
    return {name: value for name, value in found.items() if value is not None}, version


def _phases(start: dict[str, Any] | None) -> dict[str, float]:
    return {
        f"{phase['name']}_{what}_ms": phase[f"{what}Ms"]
        for phase in (start or {"phases": []})["phases"]
        for what in ("started", "elapsed")
    }


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
