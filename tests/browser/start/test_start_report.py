"""The report of a client's start."""

from tests.browser.package_page import PackagePage
from tests.support.browser_support import Browsers, open_watched_page

_START = """
    const events = [];
    const client = await connect({ onProgress: (event) => events.push(event) });
    const { start } = client;
    await client.close();
    return [start, events];
"""


def test_a_start_tells_its_phases_by_name_and_in_order(
    browsers: Browsers, package: str, browser_name: str
) -> None:
    with open_watched_page(browsers.get(browser_name)) as page:
        start, events = PackagePage(page, package).run(_START)

    phases = start["phases"]
    begun = [phase["startedMs"] for phase in phases]
    ended = [phase["startedMs"] + phase["elapsedMs"] for phase in phases]
    elapsed = [event["elapsedMs"] for event in events]
    assert {key: start[key] for key in ("way", "reason")} == {"way": "image", "reason": None}
    assert sorted(phase["name"] for phase in phases) == sorted(
        ["fetch", "worker", "load", "interpreter", "restore", "configure"]
    )
    assert begun[0] >= 0
    assert begun == sorted(begun)
    assert max(ended) <= start["elapsedMs"]
    assert elapsed == sorted(elapsed)
    assert [{**event, "elapsedMs": 0} for event in events] == [
        {"phase": "runtime", "loaded": 0, "total": 1, "elapsedMs": 0},
        {"phase": "runtime", "loaded": 1, "total": 1, "elapsedMs": 0},
        {"phase": "ready", "loaded": 1, "total": 1, "elapsedMs": 0},
    ]


def test_a_client_that_joins_reports_only_what_it_waited_for(package_page: PackagePage) -> None:
    first, second = package_page.run("""
        const one = await connect({ shared: true });
        const two = await connect({ shared: true });
        const told = [one.start, two.start].map(({ way, phases }) => [
            way, phases.map(({ name }) => name).sort(),
        ]);
        await Promise.all([one.close(), two.close()]);
        return told;
    """)

    # The page has fetched the image for the client that all stories share.
    started = ["configure", "interpreter", "load", "restore", "worker"]
    assert [first, second] == [["image", started], ["image", ["configure"]]]
