"""Hostile calls end in a page in time and in bounded memory, and the next call is answered."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Worker

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.hostile_calls import (
    EMPTY,
    GRACE_SECONDS,
    IGNORE_FILE,
    LIMIT_SECONDS,
    MAX_GROWTH_BYTES,
    TREE,
    HostileCall,
    config_for,
    hostile_calls,
)
from tests.support.served_directory import serve_directory

pytestmark = pytest.mark.slow

# The memory of an interpreter grows and never shrinks. A worker that is stopped cannot be asked
# afterwards, so it tells of each step.
_TELL_GROWTH = """() => {
    const { prototype } = WebAssembly.Memory;
    const { grow } = prototype;
    const told = new BroadcastChannel("memory");
    prototype.grow = function (pages) {
        const before = grow.call(this, pages);
        told.postMessage(pages * 65536);
        return before;
    };
}"""

_START = """
    const { config, tree, empty } = given;
    globalThis.client = await connect({ config });
    globalThis.tree = tree;
    globalThis.grownBytes = 0;
    new BroadcastChannel("memory").onmessage = ({ data }) => {
        globalThis.grownBytes += data;
    };
    await client.mount("/repo", { entries: tree });
    return (await client.callTool(...empty)).isError;
"""

# `late` is a call that is neither answered nor stopped within its limit and the grace.
_CALL = """
    const { config, ignoreFile, first, call, empty, timeoutMs, graceMs } = given;
    await client.configure(config);
    const { isError } = await client.callTool(...first);
    if (Object.keys(ignoreFile).length > 0) {
        await client.unmount("/repo");
        await client.mount("/repo", { entries: { ...tree, ...ignoreFile } });
    }
    const grownBefore = grownBytes;
    const begunMs = performance.now();
    const ended = outcome(client.callTool(...call, { timeoutMs })).then(
        ({ value, name }) => (value ? "answered" : name));
    const late = new Promise((resolve) => setTimeout(resolve, timeoutMs + graceMs, "late"));
    const end = await Promise.race([ended, late]);
    const tookMs = performance.now() - begunMs;
    await ended;
    // The next call is asked of the tree as it was before.
    if ((await client.changes()).entries.length > 0) await client.discardChanges();
    await client.unmount("/repo");
    await client.mount("/repo", { entries: tree });
    const next = await client.callTool(...empty);
    const isReady = !(isError || next.isError);
    return { isReady, end, tookMs, grownBytes: grownBytes - grownBefore };
"""


class _HostilePage:
    """A page with a client over the tree, whose workers tell of their memory."""

    def __init__(self, page: PackagePage) -> None:
        self._page = page
        self._workers: list[Worker] = page.note_workers()
        self._told = 0
        config = config_for("envelope")
        assert page.run(_START, {"config": config, "tree": TREE, "empty": EMPTY}) is False
        self._watch()

    def _watch(self) -> None:
        """Have the workers that are new tell of their memory."""
        for worker in self._workers[self._told :]:
            worker.evaluate(_TELL_GROWTH)
        self._told = len(self._workers)

    def call(self, hostile: HostileCall) -> dict[str, Any]:
        found: dict[str, Any] = self._page.run(
            _CALL,
            {
                "config": config_for(hostile.family),
                "ignoreFile": {IGNORE_FILE: hostile.ignore_file} if hostile.ignore_file else {},
                "first": hostile.first,
                "call": [hostile.tool, hostile.arguments],
                "empty": EMPTY,
                "timeoutMs": LIMIT_SECONDS * 1000,
                "graceMs": GRACE_SECONDS * 1000,
            },
        )
        self._watch()
        return found


@pytest.fixture(scope="module")
def hostile_page(browsers: Browsers, dist: Path) -> Iterator[_HostilePage]:
    with (
        serve_directory(dist / "npm", pages=PACKAGE_PAGES) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        yield _HostilePage(PackagePage(page, origin))


CALLS = {
    tool: list(calls)
    for tool, calls in itertools.groupby(
        sorted(hostile_calls(), key=lambda each: each.tool), lambda each: each.tool
    )
}


@pytest.mark.parametrize("tool", CALLS)
def test_each_hostile_call_of_a_tool_ends_in_time_and_in_bounded_memory(
    hostile_page: _HostilePage, tool: str
) -> None:
    found = {call.name: hostile_page.call(call) for call in CALLS[tool]}

    assert {name: end for name, end in found.items() if not end["isReady"]} == {}
    ends = {end["end"] for end in found.values()}
    assert ends <= {"answered", "TimedOut"}, found
    over = {name: end for name, end in found.items() if end["grownBytes"] > MAX_GROWTH_BYTES}
    assert over == {}
