"""Mount hostile archives in a page, one after the other, and compare the outcomes."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any

from tests.browser.hostile.case import HostileCase, Look
from tests.browser.package_page import PackagePage

_TRY_EACH = """
    const client = await sharedClient();
    const ask = async ([tool, path, key]) => {
        const args = { [key]: path, ...(tool === "list_dir" ? { depth: 20, limit: 500 } : {}) };
        const { content, warnings } = await client.callTool(tool, args);
        return [content, warnings];
    };
    const list = async (path) => (await ask(["list_dir", path, "dir_path"]))[0];
    const stillWorks = async () => {
        await client.mount("/small", { entries: { "a.txt": "1\\n" } });
        const seen = await list("/small");
        await client.unmount("/small");
        return [seen, (await client.mounts()).length, await list("/")];
    };
    const told = [];
    for (const { base64, limits, looks } of given) {
        const archive = Uint8Array.from(atob(base64), (text) => text.charCodeAt(0));
        const { value, ...refusal } = await outcome(client.mount("/repo", { archive }, { limits }));
        if (value === undefined) {
            told.push([refusal, [], await stillWorks()]);
            continue;
        }
        const { elapsedMs, ...report } = value;
        const answers = [];
        for (const look of looks) answers.push(await ask(look));
        await client.unmount("/repo");
        told.push([report, answers, await stillWorks()]);
    }
    return told;
"""
_STILL_WORKS = ["Absolute path: /small\na.txt", 0, "Absolute path: /"]
_PATH_KEYS = {"list_dir": "dir_path", "read_file": "file_path"}
_CASES_AT_A_TIME = 60


def _asked(look: Look) -> list[str]:
    return [look.tool, look.path, _PATH_KEYS[look.tool]]


def told_of(page: PackagePage, cases: Sequence[HostileCase]) -> dict[str, Any]:
    """Return for each case the outcome of its mount, the answers, and a look at the client."""
    given = [
        {
            "base64": b64encode(case.archive).decode(),
            "limits": case.limits,
            "looks": list(map(_asked, case.looks)),
        }
        for case in cases
    ]
    told = []
    for start in range(0, len(given), _CASES_AT_A_TIME):
        told += page.run(_TRY_EACH, given[start : start + _CASES_AT_A_TIME])
    return dict(zip([case.name for case in cases], told, strict=True))


def expected_of(cases: Iterable[HostileCase]) -> dict[str, Any]:
    """Return for each case the expected outcome."""
    return {
        case.name: [
            case.outcome,
            [[look.content, list(look.warnings)] for look in case.looks],
            _STILL_WORKS,
        ]
        for case in cases
    }


def differences(told: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the cases with another outcome, each with both outcomes."""
    return {
        name: {"told": told[name], "expected": expected[name]}
        for name in expected
        if told[name] != expected[name]
    }
