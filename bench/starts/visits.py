"""One visit: a candidate starts in a browser process of its own, and gives its first answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.page import browser_version, in_page, open_page
from tests.support.hosts.browser_memory import look_at_browsers

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from bench.facts import Value
    from bench.runner import Bench
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

_STARTS: dict[str, tuple[str, dict[str, object]]] = {
    "image": ("startPackage", {"base": "/npm/"}),
    "bare": ("startWorker", {"module": "/page/bare_worker.mjs"}),
    "just-bash": (
        "startShell",
        {"module": "/shell-00000000/just-bash.js", "directory": _LISTED},
    ),
}
CANDIDATES = tuple(_STARTS)
"""Every candidate, in the order of the report."""

_SCRIPT = "page/starts.mjs"


def visit(
    bench: Bench,
    served: Served,
    *,
    browser: str,
    candidate: str,
    profile: Path,
    overruns: bool,
) -> dict[str, Value]:
    """Return the figures of one start; Chromium has its cache in the profile, Firefox has none.

    `taken_ms` is the time to the first answer, for just-bash with the import of its module, which
    is all of the shell; `whole_ms` has that import for every candidate.
    `sent_bytes` and `responses` are of the bodies up to the first answer, as they were sent and
    without the page's own; `later_bytes` of those after it, while the visitor stayed.
    `<phase>_started_ms` and `<phase>_elapsed_ms` are the client's own report on its start.
    `respawn_ms` is the time from the end of a call's time limit to the next answer, by a new worker
    with the same mounts; a call of the package may be made to overrun once all else is measured.
    """
    start, of_candidate = _STARTS[candidate]
    given = {**of_candidate, "entries": FIRST_TREE, "call": FIRST_CALL}
    kept = profile if browser == "chromium" else None
    with open_page(bench.playwright, browser, kept) as page:
        bench.about.append(browser_version(page))
        page.goto(f"{served.origin}/blank.html")
        in_page(page, _SCRIPT, "startWorker.name")
        page.wait_for_timeout(_SETTLE_MS)
        served.take_log()
        said = in_page(page, _SCRIPT, f"{start}(given)", given)
        sent = tuple(served.take_log())
        peak, share = look_at_browsers() if browser == "chromium" else (None, None)
        page.wait_for_timeout(_STAY_MS)
        later_bytes = sum(response.body_bytes for response in served.take_log())
        respawn_ms = _overrun(page) if overruns else None
    missing = [response.path for response in sent if response.status not in {200, 304}]
    assert not missing, f"{candidate} asked for what is not there: {missing}"
    assert said["content"] == _answer(candidate), f"{candidate} answered {said['content']!r}"
    if candidate == "image":
        assert said["start"]["way"] == "image", f"not by the image: {said['start']}"
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
    return {name: value for name, value in found.items() if value is not None}


def _phases(start: dict[str, Any] | None) -> dict[str, float]:
    return {
        f"{phase['name']}_{what}_ms": phase[f"{what}Ms"]
        for phase in (start or {"phases": []})["phases"]
        for what in ("started", "elapsed")
    }


def _overrun(page: Page) -> float:
    given = {"wide": _WIDE_TREE, "timeoutMs": _OVERRUN_MS, "call": FIRST_CALL}
    said = in_page(page, _SCRIPT, "overrun(given)", given)
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
