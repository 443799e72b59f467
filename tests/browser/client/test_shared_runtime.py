"""Clients of one page share a worker, and neither trees nor settings."""

import pytest

from tests.browser.package_page import PackagePage
from tests.support.offered_tools import OFFERED_TOOLS

_TWO_CLIENTS = """
    const [one, two] = await Promise.all([
        connect({ shared: true }),
        connect({ shared: true, config: { tools: { offered: [] } } }),
    ]);
    const wide = {};
    for (let number = 0; number < 150_000; number += 1) {
        wide[`group ${number % 300}/entry ${number}`] = "";
    }
    await one.mount("/repo", { entries: { "one.txt": "1\\n" } });
    await two.mount("/repo", { entries: { "two.txt": "2\\n" } });
    const look = async (client) => [
        (await client.callTool("list_dir", { dir_path: "/" })).content,
        (await client.listTools()).map(({ name }) => name),
        (await client.mounts()).map(({ path, files }) => [path, files]),
    ];
"""
_SEEN_BY_ONE = [
    "Absolute path: /\nrepo/\n  one.txt",
    OFFERED_TOOLS,
    [["/repo", 1]],
]
_SEEN_BY_TWO = [
    "Absolute path: /\nrepo/\n  two.txt",
    ["grep_files", "list_dir", "read_file"],
    [["/repo", 1]],
]
_CLOSED = {"name": "Closed", "message": "The client was closed; connect again."}


def test_clients_that_share_a_worker_see_their_own_trees_and_settings(
    package_page: PackagePage,
) -> None:
    workers = package_page.note_workers()
    told = package_page.run(
        _TWO_CLIENTS
        + """
        const both = [await look(one), await look(two)];
        await one.close();
        const left = [await outcome(one.listTools()), await look(two)];
        const three = await connect({ shared: true });
        const fresh = (await three.callTool("list_dir", { dir_path: "/" })).content;
        await Promise.all([two.close(), three.close()]);
        return [...both, ...left, fresh];
    """
    )

    assert told == [_SEEN_BY_ONE, _SEEN_BY_TWO, _CLOSED, _SEEN_BY_TWO, "Absolute path: /"]
    assert len(workers) == 1


def test_the_worker_ends_with_its_last_client_and_the_next_one_starts_another(
    package_page: PackagePage,
) -> None:
    page = package_page.page
    with page.expect_worker() as started:
        package_page.run("""
            globalThis.pair = [await connect({ shared: true }), await connect({ shared: true })];
            await pair[0].close();
        """)
    with started.value.expect_event("close"):
        page.evaluate("pair[1].close()")
    with page.expect_worker() as restarted:
        package_page.run("globalThis.next = await connect({ shared: true });")
    with restarted.value.expect_event("close"):
        page.evaluate("next.close()")

    assert started.value != restarted.value
    assert not {started.value, restarted.value}.intersection(page.workers)


@pytest.mark.slow
@pytest.mark.each_browser
def test_clients_that_share_a_worker_survive_its_replacement(package_page: PackagePage) -> None:
    workers = package_page.note_workers()
    told = package_page.run(
        _TWO_CLIENTS
        + """
        await one.mount("/wide", { entries: wide });
        const walk = { dir_path: "/wide", depth: 2, limit: 150_000 };
        const overrun = outcome(one.callTool("list_dir", walk, { timeoutMs: 50 }));
        const behind = look(two);
        const told = [await overrun, await behind];
        await one.unmount("/wide");
        told.push(await look(one));
        await Promise.all([one.close(), two.close()]);
        return told;
    """
    )

    message = (
        "list_dir ran longer than its 50 ms and was stopped. The worker was replaced, and every "
        "mount is back. Ask for less at once, or pass a larger timeoutMs."
    )
    assert told == [{"name": "TimedOut", "message": message}, _SEEN_BY_TWO, _SEEN_BY_ONE]
    assert len(workers) == 2
