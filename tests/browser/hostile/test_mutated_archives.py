"""Valid archives changed at random: a report or a refusal of a known name, and nothing worse."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.browser.hostile.mutated_archives import VALID_ARCHIVES, mutated_archives
from tests.browser.package_page import PackagePage

pytestmark = pytest.mark.slow

# A signal ends the wait for a worker that hangs; its error has no known name.
_TRY = """
    const client = await sharedClient();
    const signal = AbortSignal.timeout(20_000);
    const archive = Uint8Array.from(atob(given), (text) => text.charCodeAt(0));
    const limits = { maxTotalBytes: 64 * 1024 ** 2, maxFileBytes: 16 * 1024 ** 2 };
    const { value, ...refusal } = await outcome(
        client.mount("/repo", { archive }, { signal, limits }),
    );
    const call = (tool, args) => client.callTool(tool, args, { signal });
    const answers = [];
    if (value !== undefined) {
        const all = { path: ".", recursive: true, include_hidden: true, max_depth: 4 };
        const listed = await call("list_directory", all);
        if (listed.isError) answers.push([true, listed.content]);
        for (const { path, type } of listed.structuredContent?.entries ?? []) {
            if (type === "directory") continue;
            const { isError, error } = await call("read_file", { file_path: `/repo/${path}` });
            answers.push([isError, error?.kind ?? null]);
        }
        await client.unmount("/repo");
    }
    await client.mount("/small", { entries: { "a.txt": "1\\n" } }, { signal });
    const { content } = await call("list_dir", { dir_path: "/" });
    await client.unmount("/small");
    return { refusal, counts: value ?? null, answers, content };
"""
_STILL_WORKS = "Absolute path: /\nsmall/\n  a.txt"
_REFUSALS = {"SourceUnreadable", "LimitExceeded"}
_ANSWERS = [[False, None], [True, "RespondToModel"]]


def _try(page: PackagePage, archive: bytes) -> dict[str, Any]:
    told: dict[str, Any] = page.run(_TRY, b64encode(archive).decode())
    return told


def _faults_of(told: dict[str, Any]) -> list[Any]:
    """Return each outcome that is not allowed."""
    refusal = told["refusal"]
    is_known = refusal == {} or refusal.get("name") in _REFUSALS
    faults = [] if is_known else [refusal]
    faults += [answer for answer in told["answers"] if answer not in _ANSWERS]
    return faults if told["content"] == _STILL_WORKS else [*faults, told["content"]]


@pytest.mark.parametrize("form", VALID_ARCHIVES)
def test_what_is_mutated_can_be_read_as_it_is(package_page: PackagePage, form: str) -> None:
    told = _try(package_page, VALID_ARCHIVES[form])

    assert told["refusal"] == {}
    assert {tuple(answer) for answer in told["answers"]} <= {
        (False, None),
        (True, "RespondToModel"),
    }
    assert told["content"] == _STILL_WORKS


@pytest.mark.parametrize(("browser_name", "examples"), [("chromium", 150), ("firefox", 50)])
def test_a_mutated_archive_is_reported_or_refused_and_the_client_works_on(
    package_pages: Callable[[str], PackagePage], browser_name: str, examples: int
) -> None:
    page = package_pages(browser_name)
    page.unmount_all()

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(mutated_archives())
    def try_one(drawn: tuple[str, bytes]) -> None:
        _, archive = drawn
        assert _faults_of(_try(page, archive)) == []

    try_one()
