"""A client after a call that overruns, or that is abandoned while it runs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

pytestmark = pytest.mark.slow

_ISOLATING_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}

# A tree that takes list_dir seconds to walk, and one that is read before and after.
_PREPARE = """
    const client = await connect();
    const wide = {};
    for (let number = 0; number < 150_000; number += 1) {
        wide[`group ${number % 300}/entry ${number}`] = "";
    }
    await client.mount("/wide", { entries: wide });
    const file = new File(["one\\ntwo\\n"], "notes.txt", { lastModified: 1_000_000 });
    await client.mount("/chosen", { files: [file] });
    const walk = (options) => client.callTool(
        "list_dir", { dir_path: "/wide", depth: 2, limit: 150_000 }, options);
    const content = async (tool, args) => (await client.callTool(tool, args)).content;
    const look = async () => [
        await content("read_file", { file_path: "/chosen/notes.txt" }),
        await content("list_dir", { dir_path: "/chosen" }),
        await content("list_dir", { dir_path: "/wide/group 7", depth: 1, limit: 3 }),
        (await client.mounts()).map(({ path, files }) => [path, files]),
    ];
"""


@pytest.fixture(scope="module")
def isolated(dist: Path) -> Iterator[str]:
    """The origin of the package where pages are cross-origin isolated."""
    headers = _ISOLATING_HEADERS
    with serve_directory(dist / "npm", pages=PACKAGE_PAGES, headers=headers) as origin:
        yield origin


@pytest.fixture(scope="module")
def isolated_pages(browsers: Browsers, isolated: str) -> Iterator[Callable[[str], PackagePage]]:
    """A page of a browser that is cross-origin isolated."""
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> PackagePage:
            page = stack.enter_context(open_watched_page(browsers.get(browser_name)))
            return PackagePage(page, isolated)

        yield open_once


@pytest.fixture
def isolated_page(browser_name: str, isolated_pages: Callable[[str], PackagePage]) -> PackagePage:
    """The package in the browser of the test, on a page that is cross-origin isolated."""
    return isolated_pages(browser_name)


_LOOK = [
    "L1: one\nL2: two",
    "Absolute path: /chosen\nnotes.txt",
    (
        "Absolute path: /wide/group 7\nentry 100207\nentry 100507\nentry 100807\n"
        "More than 3 entries found"
    ),
    [["/wide", 150_000], ["/chosen", 1]],
]

_OVERRUN = (
    _PREPARE
    + """
    const before = await look();
    const overrun = outcome(walk({ timeoutMs: 50 }));
    const behind = Promise.all([look(), outcome(walk({ timeoutMs: 60 })), look()]);
    const told = await overrun;
    const [first, again, second] = await behind;
    await client.close();
    return [crossOriginIsolated, told, again, before, first, second];
"""
)


@pytest.mark.each_browser
def test_a_call_that_overruns_is_stopped_and_what_waited_is_answered_as_before(
    package_page: PackagePage,
) -> None:
    workers = package_page.note_workers()
    isolated, told, again, before, *after = package_page.run(_OVERRUN)

    assert not isolated
    assert told == _stopped(50, "The worker was replaced, and every mount is back.")
    assert again == _stopped(60, "The worker was replaced, and every mount is back.")
    assert before == _LOOK
    assert after == [before, before]
    assert len(workers) == 3


@pytest.mark.each_browser
def test_an_isolated_page_interrupts_the_call_and_keeps_the_worker(
    isolated_page: PackagePage,
) -> None:
    workers = isolated_page.note_workers()
    isolated, told, again, before, *after = isolated_page.run(_OVERRUN)

    assert isolated
    assert told == _stopped(50, "The mounts are as they were.")
    assert again == _stopped(60, "The mounts are as they were.")
    assert before == _LOOK
    assert after == [before, before]
    assert len(workers) == 1


_ABANDONED = (
    _PREPARE
    + """
    const before = await look();
    const controller = new AbortController();
    const listed = client.listTools();
    const walking = outcome(walk({ signal: controller.signal, timeoutMs: Infinity }));
    await listed;
    controller.abort();
    const told = await walking;
    const after = await look();
    await client.close();
    return [told, before, after];
"""
)


def test_an_abandoned_call_makes_way_for_the_next(package_page: PackagePage) -> None:
    told, before, after = package_page.run(_ABANDONED)

    assert told == {"name": "AbortError"}
    assert before == _LOOK
    assert after == before


def _stopped(timeout_ms: int, recovery: str) -> dict[str, str]:
    message = (
        f"list_dir ran longer than its {timeout_ms} ms and was stopped. {recovery} "
        "Ask for less at once, or pass a larger timeoutMs."
    )
    return {"name": "TimedOut", "message": message}
