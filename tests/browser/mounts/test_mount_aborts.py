"""Mounts that are aborted halfway, and their progress events."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.hostile.archives import Entry, gzip_of, tar_of
from tests.browser.hostile.bomb_archives import crowded_zip
from tests.browser.hostile.case import reported
from tests.browser.loopback_hosts import HeldDownload
from tests.browser.package_page import PackagePage

_NUMBERS = b"".join(b"%d\n" % (n * 2654435761 % 2**32) for n in range(1_500_000))
_LAST = {"phase": "mount", "loaded": 1, "total": 1}

# Aborts as soon as a part of the phase is done.
_GIVE_UP_THEN_MOUNT = """
    const client = await sharedClient();
    const { phase, url } = given;
    const [archive] = document.querySelector("input")?.files ?? [];
    const source = url === null ? { archive } : { url };
    const controller = new AbortController();
    const first = await outcome(client.mount("/repo", source, {
        signal: controller.signal,
        onProgress: (event) => {
            if (event.phase === phase && event.loaded > 0) controller.abort();
        },
    }));
    const list = async () => (await client.callTool("list_dir", { dir_path: "/" })).content;
    const between = [await client.mounts(), await list()];
    await client.mount("/small", { entries: { "a.txt": "a\\n" } });
    return [first, ...between, await list()];
"""
_GIVEN_UP = [
    {"name": "AbortError"},
    [],
    "Absolute path: /",
    "Absolute path: /\nsmall/\n  a.txt",
]
_MOUNT = """
    const client = await sharedClient();
    const [archive] = document.querySelector("input")?.files ?? [];
    const source = given.url === null ? { archive } : { url: given.url };
    const events = [];
    const onProgress = ({ elapsedMs, ...event }) => events.push(event);
    const { elapsedMs, ...report } = await client.mount("/repo", source, { onProgress });
    return [report, events];
"""


def _choose(page: PackagePage, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    page.run("document.body.innerHTML = '<input type=file>';")
    page.page.locator("input").set_input_files(path)


def _phases_of(events: list[dict[str, Any]]) -> list[str]:
    """Return the phases in their order, each once for as long as it goes on."""
    phases: list[str] = []
    for event in events:
        if phases[-1:] != [event["phase"]]:
            phases.append(event["phase"])
    return phases


def _faults_of(events: list[dict[str, Any]], totals: dict[str, int]) -> list[Any]:
    """Return the events that are not as they are documented, or go back within a phase."""
    loaded: dict[str, int] = {}
    faults = []
    for event in events:
        phase = event["phase"]
        shape = {"phase": phase, "loaded": event["loaded"], "total": totals[phase]}
        item = {"item": event["item"]} if "item" in event else {}
        is_forward = loaded.get(phase, 0) <= event["loaded"] <= totals[phase]
        if event != shape | item or not is_forward:
            faults.append(event)
        loaded[phase] = event["loaded"]
    return faults


@pytest.mark.each_browser
def test_a_zip_that_is_given_up_while_it_is_listed_leaves_nothing_and_can_be_mounted_again(
    package_page: PackagePage, tmp_path: Path
) -> None:
    _choose(package_page, tmp_path / "crowd.zip", crowded_zip(directory_count=250, files_each=999))
    assert package_page.run(_GIVE_UP_THEN_MOUNT, {"phase": "index", "url": None}) == _GIVEN_UP
    report, events = package_page.run(_MOUNT, {"url": None})

    file_count = 250 * 999
    assert report == reported(files=file_count, directories=250, byte_count=0)
    assert _phases_of(events) == ["index", "mount"]
    assert _faults_of(events, {"index": file_count, "mount": 1}) == []
    assert events[-1] == _LAST


@pytest.mark.each_browser
def test_a_tar_that_is_given_up_while_it_is_unpacked_leaves_nothing_and_can_be_mounted_again(
    package_page: PackagePage, tmp_path: Path
) -> None:
    archive = gzip_of(tar_of([Entry("numbers.txt", _NUMBERS)]))
    _choose(package_page, tmp_path / "numbers.tar.gz", archive)
    assert package_page.run(_GIVE_UP_THEN_MOUNT, {"phase": "unpack", "url": None}) == _GIVEN_UP
    report, events = package_page.run(_MOUNT, {"url": None})

    assert report == reported(files=1, byte_count=len(_NUMBERS))
    assert _phases_of(events) == ["unpack", "mount"]
    assert _faults_of(events, {"unpack": len(archive), "mount": 1}) == []
    assert events[-2:] == [
        {"phase": "unpack", "loaded": len(archive), "total": len(archive)},
        _LAST,
    ]


@pytest.mark.each_browser
def test_a_download_that_is_given_up_while_it_is_held_back_leaves_nothing_and_can_be_mounted_again(
    package_page: PackagePage,
) -> None:
    download = HeldDownload(tar_of([Entry("numbers.txt", _NUMBERS)]))
    with download.serve() as url:
        given = {"phase": "fetch", "url": url}
        assert package_page.run(_GIVE_UP_THEN_MOUNT, given) == _GIVEN_UP
        download.let_go()
        report, events = package_page.run(_MOUNT, given)

    size = len(download.content)
    assert report == reported(files=1, byte_count=len(_NUMBERS)) | {"origin": url}
    assert _phases_of(events) == ["fetch", "mount"]
    assert _faults_of(events, {"fetch": size, "mount": 1}) == []
    assert {event.get("item") for event in events} == {url, None}
    assert events[-2:] == [{"phase": "fetch", "loaded": size, "total": size, "item": url}, _LAST]
