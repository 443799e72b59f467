"""The part of the report on hosts: the package wherever it runs, beside a plain Pyodide."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.hosts.sessions import HostStand, Session
from bench.hosts.tasks import LARGE_WORKS, LISTED_FILES, WORKS
from bench.report import cell, ratio, render_part, section, table
from bench.runner import Answers, Job, Part, run_rounds, say
from tests.support.browser_support import BROWSERS, BrowserNotFound, launch_browser
from tests.support.hosts.edge_support import RUNTIMES, RuntimeNotFound, version_of
from tests.support.hosts.webkit_support import WebKitNotFound, find_webkit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Playwright

    from bench.facts import Facts, Round
    from bench.runner import Bench

_MISSING = (BrowserNotFound, RuntimeNotFound, WebKitNotFound)

_YARDSTICK, _CPYTHON = "plain", "cpython"
_START, _MEMORY = "start", "peak memory"

_METHOD = f"""\
Every session is a new process, or a page of a new browser process, \
in an order that changes from run to run.
A start is the time from there to the first answer: \
`list_dir` over 20 files, with {LISTED_FILES:,} more mounted beside them.
Of a process it is counted from its creation, of a page from its navigation, \
so that a browser's own start is not in it.
A call's figure is the mean of a session's calls after the first, \
since some hosts' clocks count whole milliseconds; \
workerd's stands still while it computes, so there it is taken from outside, \
less what a request takes that makes no call.
`plain` is the yardstick: `loadPyodide()` of the npm package `pyodide` under Node, \
the wheels loaded into it, the files written into its memory, \
and the bridge asked with no client and no thread between.
CPython and the hosts that end in `-directory` have the trees as folders of the machine, \
all others as entries.
A ratio is to another host in the same run, and every host gave the same answers.
Peak memory is of Chromium's renderer or of the process, after the last call; \
the hosts with a table of large trees have these in it."""
_LARGE = """\
The hosts that take files: browsers have archives and a file that they fetched, \
the others folders.
They make these calls last."""


def missing_hosts(playwright: Playwright) -> list[str]:
    """Return for each missing host the sentence that says what to install."""
    probes: list[Callable[[], object]] = [
        find_webkit,
        *(partial(version_of, name) for name in RUNTIMES),
        *(partial(_open_and_close, playwright, name) for name in BROWSERS),
    ]
    missing = []
    for probe in probes:
        try:
            probe()
        except _MISSING as said:
            missing.append(str(said))
    return missing


def _open_and_close(playwright: Playwright, name: str) -> None:
    launch_browser(playwright, name).close()


def _measure(bench: Bench) -> list[Round]:
    say("writing the trees of the hosts")
    stand = HostStand(bench)
    sessions: dict[str, Callable[[], Session]] = {
        _YARDSTICK: stand.plain,
        _CPYTHON: stand.cpython,
        "chromium": partial(stand.browser, "chromium"),
        "firefox": partial(stand.browser, "firefox"),
        "webkit": stand.webkit,
        "node": partial(stand.runtime, "node"),
        "deno": partial(stand.runtime, "deno"),
        "bun": partial(stand.runtime, "bun"),
        "node-directory": partial(stand.runtime, "node", has_folders=True),
        "workerd": stand.workerd,
    }
    answers = Answers()

    def figures(name: str) -> Round:
        try:
            session = sessions[name]()
        except _MISSING as missing:
            say(f"{name} is left out: {missing}")
            return {}
        bench.about.append(session.about)
        answers.require_same("the first call", name, session.first)
        found: Round = {_START: {name: {"taken_ms": session.start_ms}}}
        # A host without the large trees makes the first works only.
        for work, measured in zip((*WORKS, *LARGE_WORKS), session.works, strict=False):
            answers.require_same(work.label, name, measured["answer"])
            found[work.label] = {name: {"taken_ms": measured["takenMs"]}}
        if session.peak_bytes is not None:
            found[_MEMORY] = {name: {"peak_bytes": session.peak_bytes}}
        return found

    jobs = [Job(name, partial(figures, name)) for name in sessions]
    return run_rounds([jobs], bench.run_count)


def _render(facts: Facts) -> str:
    hosts = facts.candidates(_START)
    labels = [_START, *(work.label for work in WORKS)]
    large_labels = [work.label for work in LARGE_WORKS]
    large = [host for host in hosts if facts.values(large_labels[0], host, "taken_ms")]
    return render_part(
        facts,
        _METHOD,
        section("As ratios to `plain`", "", _ratios(facts, hosts, labels, _YARDSTICK)),
        section("As they were", "", _times(facts, hosts, labels, has_memory=True)),
        section("Calls on large trees", _LARGE, _times(facts, large, large_labels)),
        section(
            "The same as ratios to `cpython`", "", _ratios(facts, large, large_labels, _CPYTHON)
        ),
    )


def _ratios(facts: Facts, hosts: Sequence[str], cases: Sequence[str], yardstick: str) -> list[str]:
    def cells(host: str) -> list[str]:
        pairs = [[(case, by, "taken_ms") for by in (host, yardstick)] for case in cases]
        return [ratio(facts, ours, theirs) for ours, theirs in pairs]

    return table(["", *cases], [[host, *cells(host)] for host in hosts])


def _times(
    facts: Facts, hosts: Sequence[str], cases: Sequence[str], *, has_memory: bool = False
) -> list[str]:
    memory = [_MEMORY] if has_memory else []
    rows = [
        [
            host,
            *(cell(facts, case, host, "taken_ms") for case in cases),
            *(cell(facts, case, host, "peak_bytes") for case in memory),
        ]
        for host in hosts
    ]
    return table(["", *cases, *memory], rows)


HOSTS = Part("Hosts", 5, _measure, _render)
