"""Bombs of 300 MiB are refused, and the browser holds little of them meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.hostile.archives import MIB
from tests.browser.hostile.bomb_archives import crowded_zip
from tests.browser.hostile.bombs import (
    LIMIT_BYTES,
    lying_zip_bomb,
    passed_over_bomb,
    refused_bombs,
)
from tests.browser.hostile.case import over_limit, reported
from tests.browser.hostile.trying_archives import differences, expected_of, told_of
from tests.browser.package_page import PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.hosts.browser_memory import CAN_LOOK, BrowserWatch

pytestmark = pytest.mark.slow

_ALLOWANCE_BYTES = 128 * MIB
# A page that has just started needs it for its first garbage, and for the interpreter's growth.


@pytest.mark.each_browser
def test_bombs_are_refused_left_out_or_unreadable(package_page: PackagePage) -> None:
    cases = [*refused_bombs(), lying_zip_bomb(), passed_over_bomb()]

    assert differences(told_of(package_page, cases), expected_of(cases)) == {}


@contextmanager
def _started_page(browsers: Browsers, package: str) -> Iterator[PackagePage]:
    """A page of its own: memory that other stories leave would hide the memory of a bomb."""
    with open_watched_page(browsers.get("chromium")) as page:
        started = PackagePage(page, package)
        started.run("await (await sharedClient()).listTools();")
        yield started


@pytest.mark.skipif(not CAN_LOOK, reason="this system does not tell what a process holds")
def test_the_watch_sees_what_a_worker_takes(browsers: Browsers, package: str) -> None:
    with _started_page(browsers, package) as page, BrowserWatch() as watch:
        page.run(
            """
            const hold = "self.held = new Uint8Array(given).fill(1); postMessage(0);";
            const code = new Blob([hold.replace("given", given)], { type: "text/javascript" });
            const worker = new Worker(URL.createObjectURL(code));
            await new Promise((resolve) => worker.addEventListener("message", resolve));
            worker.terminate();
            """,
            300 * MIB,
        )
        grown_bytes = watch.take_growth_bytes()

    assert grown_bytes > 250 * MIB


@pytest.mark.skipif(not CAN_LOOK, reason="this system does not tell what a process holds")
def test_refusing_a_bomb_takes_no_more_than_the_limit_and_128_mib(
    browsers: Browsers, package: str
) -> None:
    cases = [*refused_bombs(), lying_zip_bomb()]
    expected = expected_of(cases)
    told: dict[str, object] = {}
    grown_bytes = {}
    with _started_page(browsers, package) as page, BrowserWatch() as watch:
        for case in cases:
            told |= told_of(page, [case])
            grown_bytes[case.name] = watch.take_growth_bytes()
    allowed_bytes = {
        case.name: _ALLOWANCE_BYTES + (LIMIT_BYTES if LIMIT_BYTES in case.limits.values() else 0)
        for case in cases
    }

    assert differences(told, expected) == {}
    over = {name: grown for name, grown in grown_bytes.items() if grown > allowed_bytes[name]}
    assert over == {}


def test_a_million_empty_entries_are_a_tree_and_too_many_where_fewer_are_asked_for(
    package_page: PackagePage, tmp_path: Path
) -> None:
    archive = tmp_path / "crowd.zip"
    archive.write_bytes(crowded_zip(directory_count=1000, files_each=999))
    package_page.run("document.body.innerHTML = '<input type=file>';")
    package_page.page.locator("input").set_input_files(archive)
    told = package_page.run("""
        const client = await sharedClient();
        const [archive] = document.querySelector("input").files;
        const limits = { maxEntries: 100_000 };
        const refusal = await outcome(client.mount("/repo", { archive }, { limits }));
        const { elapsedMs, ...report } = await client.mount("/repo", { archive });
        const list = { dir_path: "/repo/d999", limit: 2 };
        return [refusal, report, (await client.callTool("list_dir", list)).content];
    """)

    assert told == [
        over_limit("maxEntries", 100_000, "entries"),
        reported(files=999_000, directories=1000, byte_count=0),
        "Absolute path: /repo/d999\n000\n001\nMore than 2 entries found",
    ]
